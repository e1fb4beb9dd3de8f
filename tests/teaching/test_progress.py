"""A long run off a terminal says how far it is, every ten seconds or so."""

import time
from io import StringIO

import pytest
from rich.console import Console

from course.teaching.progress import watched


def test_a_line_when_ten_seconds_have_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first line says what is to be done, and none reads as if it were done."""
    times = iter([0.0, 4.0, 11.0, 19.0, 22.0, 33.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(times))
    console = Console(file=StringIO(), width=200)
    assert list(watched(console, "files: 5 to grade", iter("abcde"), 5)) == [*"abcde"]
    assert console.file.getvalue().splitlines() == [  # type: ignore[attr-defined]
        "files: 5 to grade",
        "files: 2 of 5 done after 0:11, 0:16 left",
        "files: 4 of 5 done after 0:22, 0:06 left",
    ]
