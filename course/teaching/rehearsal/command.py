"""The command ``rehearse``: grade a made-up class whole, and once more with the grader killed at half."""

import csv
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from course.student.core.catalog import ROOT, find_lab
from course.teaching.attacks.arena import Arena
from course.teaching.rehearsal.students import made_up_class

TABLE = "grades.csv"


def rehearse(console: Console, lab_name: str, count: int, folder: Path, options: Sequence[str]) -> int:
    """Grade a made-up class in two ways, and compare.

    Args:
        folder: for the class and both results; new or empty.
        options: more options for ``grade``, such as ``--sandbox``.

    Returns:
        0 if all got what is known to be due, nothing came to harm, and both ways gave the same grades; else 1.

    Raises:
        ValueError: if the folder is not empty, or the grader fails.
    """
    lab = find_lab(lab_name)
    if folder.exists() and any(folder.iterdir()):
        raise ValueError(f"{folder} is not empty: name a new folder")
    whole, resumed = folder.resolve() / "whole", folder.resolve() / "resumed"
    options = ["--lab", f"{lab.number:02}", *options]
    with Arena() as arena:
        students = made_up_class(lab, count, arena.values)
        for student in students:
            (whole.with_name("class") / student.name).mkdir(parents=True)
            (whole.with_name("class") / student.name / "starter.py").write_bytes(student.content)
        begun = time.monotonic()
        grade(whole, options)
        seconds = time.monotonic() - begun
        grade(resumed, options, until=records(whole) // 2)
        console.print(f"killed at {records(resumed)} of {records(whole)} records")
        grade(resumed, options)
        bad = [*arena.harm(), *(f"still runs: {each}" for each in arena.survivors())]
    with (whole / TABLE).open(encoding="utf-8", newline="") as file:
        points = {row["student"]: round(100 * float(row["score"])) for row in csv.DictReader(file)}
    speed = f"{60 * count / seconds:.0f} a minute, {os.cpu_count()} cores"
    console.print(f"{count} submissions in {seconds:.0f} s: {speed}")
    for student in students:
        got = points[student.name]
        if student.earns not in (None, got):
            bad.append(f"{student.name} got {got / 100:.2f} points, and is worth {student.earns / 100:.2f}")
    if (whole / TABLE).read_bytes() != (resumed / TABLE).read_bytes():
        bad.append(f"{TABLE} differs")
    for line in bad or ["Nothing came to harm. Whole, and killed and resumed: the same grades."]:
        console.print(line, markup=False)
    return 1 if bad else 0


def start(out: Path, options: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start the command ``grade`` on the class beside ``out``, where it puts its results."""
    class_ = str(out.with_name("class"))
    return subprocess.Popen([sys.executable, "-m", "course", "grade", class_, "--out", str(out), *options], cwd=ROOT)


def grade(out: Path, options: Sequence[str], until: int | None = None) -> None:
    """Grade everything, or until there are that many records; then kill the grader, with no time to clean up.

    Raises:
        ValueError: if the grader fails.
    """
    with start(out, options) as process:
        while process.poll() is None and (until is None or records(out) < until):
            time.sleep(0.2)
        if until is not None:
            process.kill()
    if process.returncode and until is None:
        raise ValueError(f"grade ended with status {process.returncode}")


def records(out: Path) -> int:
    """Return how many gradings are kept, those of trivial submissions included."""
    return len(list((out / "records").glob("*.json")))
