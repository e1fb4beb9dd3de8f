"""The command ``rehearse``: grade a made-up class whole, and once more with the grader killed at half."""

import csv
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from course.student.core.catalog import ROOT, find_lab
from course.teaching.attacks.arena import Arena
from course.teaching.rehearsal.comparison import compare
from course.teaching.rehearsal.students import Student, made_up_class

_POLL_S = 0.2


@dataclass(frozen=True)
class Rehearsal:
    """The ``grade`` command's ``options``, and the folder for everything."""

    folder: Path
    options: tuple[str, ...]

    @property
    def class_(self) -> Path:
        """The submissions."""
        return self.folder / "class"

    def start(self, out: str) -> subprocess.Popen[bytes]:
        """Start ``grade``, with its results in ``out``."""
        command = [sys.executable, "-m", "course", "grade", str(self.class_), "--out", str(self.folder / out)]
        return subprocess.Popen([*command, *self.options], cwd=ROOT)

    def grade(self, out: str) -> float:
        """Grade everything; return how many seconds it took.

        Raises:
            ValueError: if the grader fails.
        """
        begun = time.monotonic()
        if status := self.start(out).wait():
            raise ValueError(f"grade ended with status {status}")
        return time.monotonic() - begun

    def grade_until(self, out: str, records: int) -> int:
        """Grade until there are that many records, kill the grader, and return how many there are then.

        The grader has no time to clean up.
        """
        process = self.start(out)
        while process.poll() is None and self.records(out) < records:
            time.sleep(_POLL_S)
        process.kill()
        process.wait()
        return self.records(out)

    def records(self, out: str) -> int:
        """Return how many gradings are kept, those of trivial submissions included."""
        return len(list((self.folder / out / "records").glob("*.json")))


def rehearse(console: Console, lab_name: str, count: int, folder: Path, options: Sequence[str], seed: int = 0) -> int:
    """Grade a made-up class in two ways, and compare.

    Args:
        lab_name: what the class submits.
        count: how many submissions there are.
        folder: for the class and both results; new or empty.
        options: more options for ``grade``, such as ``--sandbox``.
        seed: of the class.

    Returns:
        0 if all got what is known to be due, nothing came to harm, and both ways gave the same grades; else 1.

    Raises:
        ValueError: if the folder is not empty, or the grader fails.
    """
    lab = find_lab(lab_name)
    if folder.exists() and any(folder.iterdir()):
        raise ValueError(f"{folder} is not empty: name a new folder")
    rehearsal = Rehearsal(folder.resolve(), ("--lab", f"{lab.number:02}", *options))
    with Arena() as arena:
        students = made_up_class(lab, count, seed, arena.values)
        for student in students:
            (rehearsal.class_ / student.name).mkdir(parents=True)
            (rehearsal.class_ / student.name / "starter.py").write_bytes(student.content)
        seconds = rehearsal.grade("whole")
        total = rehearsal.records("whole")
        console.print(f"killed at {rehearsal.grade_until('resumed', total // 2)} of {total} records")
        rehearsal.grade("resumed")
        bad = [*arena.harm(), *(f"still runs: {each}" for each in arena.survivors())]
    points = _points(folder / "whole")
    console.print(_table(students, points))
    speed = f"{60 * count / seconds:.0f} a minute, {os.cpu_count()} cores"
    console.print(f"{count} submissions in {seconds:.0f} s: {speed}")
    found = compare(folder / "whole", folder / "resumed")
    bad += [*_wrongly_graded(students, points), *found.grades]
    for line in bad or ["Nothing came to harm. Whole, and killed and resumed: the same grades."]:
        console.print(line, markup=False)
    console.print(found.in_words(), markup=False)
    return 1 if bad else 0


def _points(out: Path) -> dict[str, int]:
    """Return hundredths of a point by student."""
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {row["student"]: round(100 * float(row["score"])) for row in csv.DictReader(file)}


def _table(students: Sequence[Student], points: dict[str, int]) -> Table:
    table = Table("submissions", "number", "least points", "most")
    for kind in sorted({student.kind for student in students}):
        those = [points[student.name] for student in students if student.kind == kind]
        table.add_row(kind, str(len(those)), f"{min(those) / 100:.2f}", f"{max(those) / 100:.2f}")
    return table


def _wrongly_graded(students: Sequence[Student], points: dict[str, int]) -> Iterator[str]:
    for student in students:
        if student.earns not in (None, points[student.name]):
            yield f"{student.name} got {points[student.name] / 100:.2f} points, and is worth {student.earns / 100:.2f}"
