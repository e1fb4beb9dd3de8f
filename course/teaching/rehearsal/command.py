"""The command ``rehearse``: grade a made-up class whole, and once more with the grader killed at half."""

import csv
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from filecmp import cmpfiles
from pathlib import Path

from rich.console import Console
from rich.table import Table

from course.student.core.catalog import ROOT, find_lab
from course.teaching.attacks.arena import Arena
from course.teaching.rehearsal.students import Student, made_up_class

TABLE = "grades.csv"


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
    whole, resumed = folder.resolve() / "whole", folder.resolve() / "resumed"
    options = ["--lab", f"{lab.number:02}", *options]
    with Arena() as arena:
        students = made_up_class(lab, count, seed, arena.values)
        for student in students:
            (whole.with_name("class") / student.name).mkdir(parents=True)
            (whole.with_name("class") / student.name / "starter.py").write_bytes(student.content)
        begun = time.monotonic()
        grade(whole, options)
        seconds = time.monotonic() - begun
        half = records(whole) // 2
        grade(resumed, options, until=half)
        console.print(f"killed at {records(resumed)} of {records(whole)} records")
        grade(resumed, options)
        bad = [*arena.harm(), *(f"still runs: {each}" for each in arena.survivors())]
    with (whole / TABLE).open(encoding="utf-8", newline="") as file:
        points = {row["student"]: round(100 * float(row["score"])) for row in csv.DictReader(file)}
    console.print(_table(students, points))
    speed = f"{60 * count / seconds:.0f} a minute, {os.cpu_count()} cores"
    console.print(f"{count} submissions in {seconds:.0f} s: {speed}")
    for student in students:
        got = points[student.name]
        if student.earns not in (None, got):
            bad.append(f"{student.name} got {got / 100:.2f} points, and is worth {student.earns / 100:.2f}")
    differ, wordings = compare(whole, resumed)
    for line in [*bad, *differ] or ["Nothing came to harm. Whole, and killed and resumed: the same grades."]:
        console.print(line, markup=False)
    console.print(wordings, markup=False)
    return 1 if bad or differ else 0


def start(out: Path, options: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start the command ``grade`` on the class beside ``out``, where it puts its results."""
    class_ = str(out.with_name("class"))
    return subprocess.Popen([sys.executable, "-m", "course", "grade", class_, "--out", str(out), *options], cwd=ROOT)


def grade(out: Path, options: Sequence[str], until: int | None = None) -> None:
    """Grade everything, or until there are that many records; then kill the grader, with no time to clean up.

    Raises:
        ValueError: if the grader fails.
    """
    process = start(out, options)
    try:
        while process.poll() is None and (until is None or records(out) < until):
            time.sleep(0.2)
        if until is not None:
            process.kill()
        status = process.wait()
    except BaseException:  # this command was stopped: the grader cleans up, too
        process.terminate()
        process.wait()
        raise
    if status and until is None:
        raise ValueError(f"grade ended with status {status}")


def records(out: Path) -> int:
    """Return how many gradings are kept, those of trivial submissions included."""
    return len(list((out / "records").glob("*.json")))


def _table(students: Sequence[Student], points: dict[str, int]) -> Table:
    table = Table("submissions", "number", "least points", "most")
    for kind in sorted({student.kind for student in students}):
        those = [points[student.name] for student in students if student.kind == kind]
        table.add_row(kind, str(len(those)), f"{min(those) / 100:.2f}", f"{max(those) / 100:.2f}")
    return table


def compare(one: Path, other: Path) -> tuple[list[str], str]:
    """Compare two results of the same class.

    Returns:
        What differs and must not: the grades, or which files there are. And how many other files differ, such as a
        page that quotes the line at which time ran out, in words.
    """
    names = {path.relative_to(out).as_posix() for out in (one, other) for path in out.rglob("*") if path.is_file()}
    _, differ, lacking = cmpfiles(one, other, sorted(names), shallow=False)
    grades = [f"{name} is in one of the results only" for name in lacking]
    grades += [f"{TABLE} differs"] if TABLE in differ else []
    if not (wordings := [f"\n  {name}" for name in differ if name != TABLE]):
        return grades, f"All {len(names)} files are the same, byte for byte."
    why = "time ran out at another line, or a submission raced with itself"
    return grades, f"{len(wordings)} of {len(names)} files differ, and no grade with them ({why}):{''.join(wordings)}"
