"""What the terminal shows of a graded class."""

from pathlib import Path

from rich.console import Console
from rich.text import Text

from course.teaching.grading import names
from course.teaching.grading.reports.classroom import Classroom
from course.teaching.grading.scoring import money


def many(submissions: int) -> str:
    """Return a number of submissions, in words.

    >>> many(1), many(400)
    ('1 submission', '400 submissions')
    """
    return f"{submissions} submission{'' if submissions == 1 else 's'}"


def summary(console: Console, room: Classroom, folder: Path | None) -> None:
    """Print the distribution, the remarks, and where the reports are: ``folder``, or None if there are none."""
    for warning in room.warnings:
        console.print(Text(warning, "bold red"))
    console.print(f"points (of {money(room.max_score)}): {room.in_numbers}".removesuffix(": "))
    for label, count in room.distribution():
        console.print(f"  {label:>16}  {count:4}  {'#' * round(40 * count / max(1, len(room.rows)))}".rstrip())
    for row in room.rows:
        if row.grade.remark:
            console.print(Text(f"  {row.shown}: {names.visible(row.grade.remark)}", "yellow"))
    if room.ignored:
        listed = ", listed in index.html" if folder else ""
        console.print(f"{len(room.ignored)} other file{'s were' if len(room.ignored) > 1 else ' was'} ignored{listed}")
    where = f"{folder / 'grades.csv'}, {folder / 'index.html'}" if folder else "records only; run without --shard"
    console.print(Text(f"{many(len(room.rows))} graded: {where}"))
