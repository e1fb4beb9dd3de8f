"""System calls that Python has no function for."""

import ctypes
import os
from functools import cache

CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x2000000, 0x4000000, 0x8000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET, CLONE_THREAD = 0x10000000, 0x20000000, 0x40000000, 0x10000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 1, 2, 4, 8, 32
MS_BIND, MS_REC, MS_PRIVATE = 1 << 12, 1 << 14, 1 << 18
MNT_DETACH = 2

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 24, 38


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


def unshare(flags: int) -> None:
    """Make new namespaces for this process; a new PID namespace begins with its next child."""
    _check(_libc().unshare(ctypes.c_int(flags)), "making namespaces")


def mount(source: str, target: str, kind: str = "", flags: int = 0, data: str = "") -> None:
    """Call ``mount(2)``."""
    texts = [os.fsencode(text) if text else None for text in (source, target, kind, data)]
    _check(_libc().mount(*texts[:3], ctypes.c_ulong(flags), texts[3]), f"mounting {source or kind} at {target}")


def umount(target: str) -> None:
    """Unmount at once, even what is in use."""
    _check(_libc().umount2(os.fsencode(target), MNT_DETACH), f"unmounting {target}")


def pivot_root(new: str, old: str) -> None:
    """Call ``pivot_root(2)``, for which the C library has no function."""
    number = {"x86_64": 155, "aarch64": 41}[os.uname().machine]
    syscall(number, os.fsencode(new), os.fsencode(old), what="changing the root")
