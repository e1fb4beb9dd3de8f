"""Doing a list of jobs with a counter of those that are done."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn

T = TypeVar("T")


def with_progress(console: Console, what: str, jobs: Iterable[Callable[[], T]]) -> list[T]:
    """Do the jobs with a counter that disappears at the end; print one plain line where there is no terminal.

    >>> with_progress(Console(no_color=True), "adding", [lambda: 1 + 1])
    adding (1 parts) ...
    [2]
    """
    todo = list(jobs)
    if not console.is_terminal:
        console.print(f"{what} ({len(todo)} parts) ...")
        return [job() for job in todo]
    columns = (
        TextColumn("{task.description}"),
        TextColumn("{task.completed:.0f}/{task.total:.0f}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        return [job() for job in progress.track(todo, description=what)]
