"""``python -m course demo``: the main job, on a real vocabulary, as a short report."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn

from course.catalog import find_lab
from course.demo.report import costs, opening, outputs, pictures
from course.demo.runs import all_costs, all_runs, patterns
from course.run.banner import grade_command
from labkit.vocabulary import Vocabulary

T = TypeVar("T")


def run_demo(console: Console, out: str, *, quick: bool = False) -> int:
    """Run the demo and print its report; pictures go to the folder ``out``."""
    vocabulary = _small(Vocabulary.tekken()) if quick else Vocabulary.tekken()
    opening(console, vocabulary)
    outputs(console, _with_progress(console, "generating", all_runs(vocabulary)))
    measured = patterns()[0]
    found = _with_progress(console, "measuring", all_costs(vocabulary, measured, "3.14"))
    costs(console, found, measured, "3.14")
    pictures(console, found, Path(out))
    console.print(f"\nYour turn. Read {find_lab(1).path}/README.md, write in starter.py there, and run:")
    console.print(grade_command([find_lab(1)]), style="bold green", markup=False)
    return 0


def _with_progress(console: Console, what: str, jobs: Iterable[Callable[[], T]]) -> list[T]:
    """Do the jobs with a counter, which disappears again; on anything but a terminal, one plain line."""
    todo = list(jobs)
    if not console.is_terminal:
        console.print(f"{what} ({len(todo)} parts) ...")
        return [job() for job in todo]
    columns = (TextColumn("{task.description}"), TextColumn("{task.completed}/{task.total}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        return [job() for job in progress.track(todo, description=what)]


def _small(vocabulary: Vocabulary) -> Vocabulary:
    """The first 16,000 ids alone."""
    return Vocabulary(vocabulary.token_bytes[:16_000], eos_id=vocabulary.eos_id, special_ids=range(1000))
