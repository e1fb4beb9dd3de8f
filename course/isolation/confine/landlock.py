"""Landlock: what a process can read and write, and after that not even root gets more back.

Source: the kernel's documentation, ``userspace-api/landlock``. Rights that a kernel does not know are left out.
"""

import ctypes
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from course.isolation.confine import kernel

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_OF_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | 1 << 14 | 1 << 15
_MAKE_DEVICE = 1 << 6 | 1 << 11
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""How many rights to files each version has, from the lowest bit."""


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def version() -> int:
    """Return the version of Landlock that the kernel has switched on; 0 for none."""
    with suppress(OSError):
        return kernel.syscall(_CREATE, None, 0, 1, what="asking for Landlock")
    return 0


def _ruleset(abi: int) -> tuple[_Ruleset, int]:
    """Return all that a version can forbid, and the size of its structure: TCP from 4, scopes from 6."""
    files = (1 << _FILE_RIGHTS.get(abi, 16)) - 1
    rules = _Ruleset(files, 3 if abi >= 4 else 0, 3 if abi >= 6 else 0)
    return rules, 24 if abi >= 6 else 16 if abi >= 4 else 8


def restrict(readable: Iterable[str], writable: Iterable[str]) -> None:
    """Let this process open these files, and what is in these folders, and nothing else from now on.

    With version 4 it can neither bind nor connect TCP, with version 6 neither reach abstract sockets nor signal
    processes outside.

    Raises:
        OSError: if the kernel has no Landlock, or a path is not there.
    """
    rules, size = _ruleset(version())
    handle = kernel.syscall(_CREATE, ctypes.byref(rules), size, 0, what="making Landlock rules")
    for path in readable:
        _allow(handle, path, _READ & rules.files)
    for path in writable:
        _allow(handle, path, rules.files & ~_MAKE_DEVICE)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    kernel.syscall(_RESTRICT, handle, 0, what="applying Landlock rules")
    os.close(handle)


def _allow(handle: int, path: str, rights: int) -> None:
    fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not Path(path).is_dir():
            rights &= _OF_A_FILE
        rule = _Beneath(rights, fd)
        kernel.syscall(_ADD_RULE, handle, 1, ctypes.byref(rule), 0, what=f"a Landlock rule for {path}")
    finally:
        os.close(fd)
