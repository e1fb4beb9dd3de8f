"""Telling how far a long run is: a bar on a terminal, elsewhere a line every ten seconds."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

_T = TypeVar("_T")

EVERY_S = 10.0


def watched(
    console: Console,
    what: str,
    done: Iterator[_T],
    total: int,
    *,
    clock: Callable[[], float] = time.monotonic,
    wait: Callable[[float], bool] | None = None,
) -> Iterator[_T]:
    """Yield what is done, one after another, and tell meanwhile how many of ``total`` are.

    Args:
        what: what is to be done, with a name for it before a colon.
        clock: gives the time in seconds.
        wait: waits for so many seconds; returns True when there is nothing more to tell.
    """
    if console.is_terminal:
        count, left = TextColumn("{task.description}, {task.completed} done"), TextColumn("left:")
        columns = (count, BarColumn(), TimeElapsedColumn(), left, TimeRemainingColumn())
        with Progress(*columns, console=console, transient=True) as progress:
            yield from progress.track(done, total=total, description=what)
        return
    name, begun, ended, count_done = what.partition(":")[0], clock(), threading.Event(), 0

    def tell() -> None:
        while not (wait or ended.wait)(EVERY_S):
            passed = clock() - begun
            left = f", about {minutes(passed / count_done * (total - count_done))} left" if count_done else ""
            console.print(f"{name}: {count_done} of {total} done after {minutes(passed)}{left}")

    console.print(what)
    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        for each in done:
            count_done += 1
            yield each
    finally:
        ended.set()
        if wait is None:
            teller.join()


def minutes(seconds: float) -> str:
    """Return a time as people say it.

    >>> minutes(9.6), minutes(3671)
    ('0:10', '61:11')
    """
    return f"{round(seconds) // 60}:{round(seconds) % 60:02}"
