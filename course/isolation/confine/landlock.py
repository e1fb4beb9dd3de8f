"""Landlock: what a process can read and write, and after that not even root gets more back.

Source: the kernel's documentation, ``userspace-api/landlock``. Rights that a kernel does not know are left out.
"""

import os
import struct
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from course.isolation.confine import kernel

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_OF_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | 1 << 14 | 1 << 15
_MAKE_DEVICE = 1 << 6 | 1 << 11
_SCRATCH = _READ_FILE | _READ_DIR | _WRITE_FILE | sum(1 << bit for bit in (4, 5, 7, 8, 13, 14))
"""Read and write; remove, make and move files and folders, but no links, pipes, sockets or devices."""

_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""How many rights to files each version has, from the lowest bit."""


def version() -> int:
    """Return the version of Landlock that the kernel has switched on; 0 for none."""
    with suppress(OSError):
        return kernel.syscall(_CREATE, None, 0, 1, what="asking for Landlock")
    return 0


def restrict(readable: Iterable[str], scratch: str) -> None:
    """Let this process read these files, and what is in these folders, and open nothing else from now on.

    It may write to ``/dev/null``, and make files and folders in ``scratch``. With version 4 it can neither bind nor
    connect TCP, with version 6 neither reach abstract sockets nor signal processes outside. Without Landlock this is an
    ``OSError``.
    """
    abi = version()
    files = (1 << _FILE_RIGHTS.get(abi, 16)) - 1
    rules = struct.pack("QQQ", files, 3 if abi >= 4 else 0, 3 if abi >= 6 else 0)  # rights to files, TCP, scopes
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    handle = kernel.syscall(_CREATE, rules, size, 0, what="making Landlock rules")
    for path in readable:
        _allow(handle, path, _READ & files)
    _allow(handle, scratch, _SCRATCH & files)
    _allow(handle, "/dev/null", files & ~_MAKE_DEVICE)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    kernel.syscall(_RESTRICT, handle, 0, what="applying Landlock rules")
    os.close(handle)


def _allow(handle: int, path: str, rights: int) -> None:
    fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = struct.pack("=Qi", rights if Path(path).is_dir() else rights & _OF_A_FILE, fd)
        kernel.syscall(_ADD_RULE, handle, 1, rule, 0, what=f"a Landlock rule for {path}")
    finally:
        os.close(fd)
