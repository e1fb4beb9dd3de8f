"""System calls that Python has no function for."""

import ctypes
import os
from functools import cache

CLONE_THREAD = 0x10000

PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 22, 24, 38


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def syscall(number: int, *args: object, what: str) -> int:
    """Make a system call by its number; ``OSError`` names ``what``. Python ints are passed as 64 bits."""
    words = [ctypes.c_long(arg) if isinstance(arg, int) else arg for arg in args]
    return _check(_libc().syscall(ctypes.c_long(number), *words), what)


def prctl(option: int, *args: object) -> int:
    """Call ``prctl(2)`` with all five words, since some options insist on zeros."""
    words = [ctypes.c_ulong(arg) if isinstance(arg, int) else arg for arg in args]
    words += [ctypes.c_ulong(0)] * (4 - len(words))
    return _check(_libc().prctl(ctypes.c_int(option), *words), f"prctl {option}")
