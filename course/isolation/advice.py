"""What to do where honest code meets a sandbox's rule: an error says the rule, and not only what was refused."""

import errno
import socket

from course.isolation.sandbox.process import Limits
from course.student.core.trace import safe_text

_REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EAGAIN)
_UNREACHED = (errno.ECONNREFUSED, errno.ENETUNREACH, socket.EAI_AGAIN)
_LONGEST = 100
_FULL = (errno.EFBIG, errno.ENOSPC, errno.EDQUOT)


def advise(error: BaseException, limits: Limits) -> None:
    """Add to an error's message what to do about the rule that caused it, if one did.

    >>> error = ModuleNotFoundError("No module named 'helper'", name="helper")
    >>> advise(error, Limits())
    >>> str(error).partition(": ")[2].partition(", and")[0]
    'if helper.py is yours, write `from .helper import …`'
    """
    says = _advice(error, limits)
    if not says or says in safe_text(error):
        return
    if isinstance(error, ImportError):
        error.msg = f"{error.msg} ({says})"
    elif isinstance(error, OSError):
        error.strerror = f"{error.strerror} ({says})"
    else:
        error.args = (f"{safe_text(error)} ({says})",)


def _advice(error: BaseException, limits: Limits) -> str:
    """Return the advice, or an empty string. The submission chose what an error holds."""
    if isinstance(error, ModuleNotFoundError):
        return _of_a_module(error.name) if type(error.name) is str else ""
    if isinstance(error, OSError) and type(error.errno) is int:
        return _of_the_system(error.errno, type(error.filename) is str, limits)
    if type(error) is RuntimeError and "start new thread" in safe_text(error)[:100]:
        return f"as graded, a file may have {limits.threads} threads at a time"
    return ""


def _of_the_system(number: int, names_a_file: bool, limits: Limits) -> str:
    if number in _FULL:
        return f"as graded, a file may write {limits.disk_bytes >> 20} MiB"
    if names_a_file and number in (*_REFUSED, errno.ENOENT):
        return (
            "as graded, a file starts in an empty folder of its own; it reads and writes there, and in tempfile's. "
            "Data that it needs must be in the code"
        )
    says = "as graded, a file may start threads, but no processes, and connects to nothing"
    return says * (number in (*_REFUSED, *_UNREACHED))


def _of_a_module(name: str) -> str:
    top, _, rest = name[:_LONGEST].partition(".")
    own = rest.partition(".")[2] if top == "labs" else name[:_LONGEST]
    if top == "course" or "." in own or own in ("", "solution", "test_lab"):
        return "as graded, a file can't import this: paste what you use of it into your file"
    return (
        "as graded, a file may import the course's packages, and its own lab's files that you submit beside it: "
        f"if {own}.py is yours, write `from .{own} import …`, and hand it in in one folder with starter.py"
    )
