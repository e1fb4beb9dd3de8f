"""What an error says about the sandbox's rules, whatever a submission puts into it."""

import errno
import socket

import numpy as np
import pytest

from course.isolation.advice import advise
from course.isolation.sandbox import Limits


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (ModuleNotFoundError("no x", name="x"), "if x.py is yours"),
        (ModuleNotFoundError("no x", name="labs.lab_01_naive_matching.x"), "if x.py is yours"),
        (ModuleNotFoundError("no x", name="labs.lab_01_naive_matching.solution"), "paste what you use"),
        (ModuleNotFoundError("no x", name="labs.lab_09_inside_an_engine"), "paste what you use"),
        (ModuleNotFoundError("no x", name="course.student"), "paste what you use"),
        (FileNotFoundError(errno.ENOENT, "not there", "words.txt"), "an empty folder of its own"),
        (OSError(errno.EROFS, "read-only", "/tmp/log"), "reads and writes there"),
        (OSError(errno.EFBIG, "too large"), "may write 16 MiB"),
        (PermissionError(errno.EPERM, "not permitted"), "no processes, and connects to nothing"),
        (OSError(errno.ENETUNREACH, "unreachable"), "connects to nothing"),
        (socket.gaierror(socket.EAI_AGAIN, "try again"), "connects to nothing"),
        (RuntimeError("can't start new thread"), "64 threads"),
    ],
)
def test_an_error_says_what_to_do_once(error: Exception, says: str) -> None:
    advise(error, Limits())
    once = str(error)
    advise(error, Limits())
    assert says in once and str(error) == once


@pytest.mark.parametrize(
    "error",
    [
        ValueError("can't start new thread"),
        OSError("no number"),
        OSError(np.array([1, 2]), "x"),
        OSError(errno.EINTR, "interrupted"),
        ModuleNotFoundError("no name"),
        ModuleNotFoundError("x", name=np.array([1, 2])),  # type: ignore[arg-type]
        ImportError("cannot import name 'f'", name="labs"),
    ],
    ids=repr,
)
def test_other_errors_stay_as_they_are(error: Exception) -> None:
    before = str(error)
    advise(error, Limits())
    assert str(error) == before


def test_a_name_of_any_length_is_cut() -> None:
    error = ModuleNotFoundError("no", name="x" * 10_000_000)
    advise(error, Limits())
    assert len(str(error)) < 600
