"""A long run off a terminal says how far it is, at least every ten seconds."""

import threading
from collections.abc import Iterator
from io import StringIO

from rich.console import Console

from course.teaching.progress import watched


class Clock:
    """Time passes when somebody waits for it: three times, when one of four is done."""

    def __init__(self) -> None:
        self.now, self.waits, self.one_is_done, self.over = 0.0, 3, threading.Event(), threading.Event()

    def wait(self, seconds: float) -> bool:
        self.one_is_done.wait(60)
        self.now, self.waits = self.now + seconds, self.waits - 1
        if self.waits < 0:
            self.over.set()
        return self.waits < 0

    def done(self) -> Iterator[int]:
        yield 1
        self.one_is_done.set()
        self.over.wait(60)
        yield from (2, 3, 4)


def test_a_line_with_the_time_at_least_every_ten_seconds() -> None:
    """The first line says what is to be done, and none reads as if it were done."""
    clock, console = Clock(), Console(file=StringIO(), width=200)
    found = list(watched(console, "files: 4 to grade", clock.done(), 4, clock=lambda: clock.now, wait=clock.wait))
    lines = console.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert found == [1, 2, 3, 4] and lines == [
        "files: 4 to grade",
        "files: 1 of 4 done after 0:10, about 0:30 left",
        "files: 1 of 4 done after 0:20, about 1:00 left",
        "files: 1 of 4 done after 0:30, about 1:30 left",
    ]


def test_no_thread_stays_when_a_run_breaks_off() -> None:
    before = threading.active_count()
    for _ in watched(Console(file=StringIO()), "x", iter(range(3)), 3):
        break
    assert threading.active_count() == before
