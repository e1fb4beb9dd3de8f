"""A filter of system calls (seccomp), made for one process: it may signal itself, and there is no other process.

Source: the kernel's documentation, ``userspace-api/seccomp_filter``; the program is classic BPF.
"""

import ctypes
import errno
import os
import struct

from course.isolation.confine import kernel
from course.isolation.confine.calls import AUDIT, NUMBERS, UNKNOWN

Instruction = tuple[int, int, int, int]
"""Operation, how many to skip if so, how many if not, and a constant."""

_LOAD, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16
_X32 = 0x40000000  # from here on numbers are those of a second table, of x86-64 alone
# fcntl: F_SETOWN, F_SETOWN_EX and F_SETSIG have the kernel signal another process; F_SETLEASE, F_NOTIFY
_OWNERS = (8, 15, 10, 1024, 1026)
_TERMINALS = (0x8901, 0x8902, 0x5412, 0x541C)  # ioctl: FIOSETOWN, SIOCSPGRP, TIOCSTI, TIOCLINUX

_ALLOW, _KILL = (_RETURN, 0, 0, 0x7FFF0000), (_RETURN, 0, 0, 0x80000000)
_REFUSE, _NOT_THERE = (_RETURN, 0, 0, 0x00050000 | errno.EPERM), (_RETURN, 0, 0, 0x00050000 | errno.ENOSYS)


def program(machine: str, pid: int, processes: int) -> list[Instruction]:
    """Return the filter for a process of this number; it starts threads only if ``processes`` is not 1."""
    thread = [(_LOAD, 0, 0, _ARGUMENTS_AT), (_IF_ANY_BIT, 0, 1, kernel.CLONE_THREAD), _ALLOW, _REFUSE]
    conditions = {
        "clone": thread if processes > 1 else [_REFUSE],
        "clone3": [_NOT_THERE],  # a filter cannot read its flags; libraries then use clone
        "kill": _by_argument(0, (pid,), _ALLOW, _REFUSE),
        "tgkill": _by_argument(0, (pid,), _ALLOW, _REFUSE),
        "prlimit64": _by_argument(0, (0, pid), _ALLOW, _REFUSE),
        "fcntl": _by_argument(1, _OWNERS, _REFUSE, _ALLOW),
        "ioctl": _by_argument(1, _TERMINALS, _REFUSE, _ALLOW),
        "prctl": _by_argument(0, (kernel.PR_SET_PDEATHSIG,), _REFUSE, _ALLOW),
    }
    found = [(_LOAD, 0, 0, _ARCHITECTURE_AT), (_IF_EQUAL, 1, 0, AUDIT[machine]), _KILL, (_LOAD, 0, 0, _NUMBER_AT)]
    found += [(_IF_AT_LEAST, 0, 1, _X32), _REFUSE, (_IF_AT_LEAST, 0, 1, UNKNOWN), _NOT_THERE]
    for name, number in NUMBERS[machine].items():
        body = conditions.get(name, [_REFUSE])
        found += [(_IF_EQUAL, 0, len(body), number), *body]
    return [*found, _ALLOW]


def _by_argument(n: int, values: tuple[int, ...], found: Instruction, other: Instruction) -> list[Instruction]:
    """Return what is done where argument n is one of these values, and where it is not."""
    tests = [step for value in values for step in ((_IF_EQUAL, 0, 1, value), found)]
    return [(_LOAD, 0, 0, _ARGUMENTS_AT + 8 * n), *tests, other]


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("first", ctypes.c_char_p))


def install(processes: int) -> None:
    """Filter this process's system calls from now on, for good; raise ``OSError`` if the kernel has no filters."""
    steps = program(os.uname().machine, os.getpid(), processes)
    code = b"".join(struct.pack("HBBI", *step) for step in steps)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    kernel.prctl(kernel.PR_SET_SECCOMP, 2, ctypes.byref(_Program(len(steps), code)))
