"""Telling how far a long run is: a bar on a terminal, elsewhere a line every ten seconds or so."""

import time
from collections.abc import Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

_T = TypeVar("_T")

EVERY_S = 10.0


def watched(console: Console, what: str, done: Iterator[_T], total: int) -> Iterator[_T]:
    """Yield what is done, one after another, and tell meanwhile how many of ``total`` are.

    Args:
        what: what is to be done, with a name for it before a colon.
    """
    if console.is_terminal:
        count, left = TextColumn("{task.description}, {task.completed} done"), TextColumn("left:")
        columns = (count, BarColumn(), TimeElapsedColumn(), left, TimeRemainingColumn())
        with Progress(*columns, console=console, transient=True) as progress:
            yield from progress.track(done, total=total, description=what)
        return
    console.print(what)
    begun = told = time.monotonic()
    for count_done, each in enumerate(done, 1):
        yield each
        now = time.monotonic()
        if now - told >= EVERY_S and count_done < total:
            left_s = (now - begun) / count_done * (total - count_done)
            name, told = what.partition(":")[0], now
            console.print(f"{name}: {count_done} of {total} done after {minutes(now - begun)}, {minutes(left_s)} left")


def minutes(seconds: float) -> str:
    """Return a time as people say it.

    >>> minutes(9.6), minutes(3671)
    ('0:10', '61:11')
    """
    return f"{round(seconds) // 60}:{round(seconds) % 60:02}"
