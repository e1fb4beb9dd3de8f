"""What every measurement needs: where and when it was made, a counter of jobs, medians and ratios, plain tables."""

import os
import platform
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import TypeVar

from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

Job = Callable[[], object]
T = TypeVar("T")


def environment() -> dict[str, str]:
    """Return the date, the computer and the Python, for the data and for the screen."""
    return {
        "date": time.strftime("%Y-%m-%d"),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores of {processor()}",
        "python": platform.python_version(),
        "implementation": sys.implementation.name,
    }


def processor(listing: Path = Path("/proc/cpuinfo")) -> str:
    """Return the processor's name: as Linux lists it, else as Python knows it."""
    try:
        lines = listing.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or "an unnamed processor"


def name_missing(console: Console, names: Sequence[str]) -> bool:
    """Print which of the bench's packages are not installed, and the command that adds them; return whether any is."""
    from course.student.commands.doctor import install_command

    if names:
        command = install_command("bench")
        console.print(f"Not installed, so not compared: {', '.join(names)}. To add them: {command}", markup=False)
    return bool(names)


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
    counter = TextColumn("{task.completed:.0f}/{task.total:.0f}")
    columns = (TextColumn("{task.description}"), counter, TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        return [job() for job in progress.track(todo, description=what)]


def medians(jobs: Sequence[Job | None], turns: int, longest: float = 2.0) -> list[float | None]:
    """Time jobs in turn, since a computer that changes its speed changes it for all; return the median of each.

    It's processor time, that of all threads together, so it hardly matters what else the computer does.

    Args:
        jobs: those that are None have no time.
        longest: seconds after which a job takes no further turn.
    """
    taken: list[list[float]] = [[] for _ in jobs]
    for _ in range(turns):
        for job, times in zip(jobs, taken, strict=True):
            if job and sum(times) < longest:
                start = time.process_time()
                job()
                times.append(time.process_time() - start)
    return [median(times) if times else None for times in taken]


def plain_table(*titles: str) -> Table:
    """Return a table without lines: names in the first column, figures in the others."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for number, title in enumerate(titles):
        table.add_column(title, justify="right" if number else "left", no_wrap=True)
    return table
