"""``grade --properties``: from a folder of ``properties.py`` to a table of what they kill."""

import csv
import io
import os
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from course.catalog import ROOT, Lab, find_lab
from course.grading import intake
from course.grading.command import Grading, Options, executor_of, rules_of, shard
from course.grading.handed_in import Submission
from course.grading.job import PROPERTIES, Job
from course.grading.local import Record
from course.grading.names import cell, file_name, shown, visible
from course.grading.properties.judging import ON_REFERENCE
from course.grading.store import Store, write
from course.properties import file_of
from course.wrong_answers import bank

ANSWERS = Path("solutions") / "properties"
"""The answers of the course: they must kill the whole bank, or nobody is graded."""


def run_properties(console: Console, submissions: Path, lab_name: str, out: Path, options: Options) -> int:
    """Grade a class; see ``course.grading.command.run_grade``.

    Raises:
        ValueError: also if the lab has no such exercise.
    """
    if not hasattr(os, "fork"):
        raise ValueError("grade needs a system that can fork: on Windows use it inside WSL2 (wsl --install)")
    lab = find_lab(lab_name)
    file_of(lab)
    rules, confined_by = rules_of(lab, options, PROPERTIES)
    part, total = shard(options.shard)
    if out.resolve().is_relative_to(submissions.resolve()):
        raise ValueError(f"{out} lies in {submissions}: results there would be taken for submissions")
    handed_in = intake.read(submissions, "properties.py")
    store = Store(out, lab, PROPERTIES)
    grading = Grading(console, store, executor_of(options))
    mine = handed_in.submissions[part - 1 :: total]
    try:
        console.print(Text(f"{lab.label}, properties: {len(handed_in.submissions)}, confined by {confined_by}"))
        _check_the_answer(lab, grading.records("the answer", [answer := Job(rules, _answer(lab))])[answer.key])
        jobs = {one.student: Job(rules, one.text) for one in mine if one.text is not None}
        records = grading.records("submissions", list(jobs.values()))
    finally:
        grading.executor.close()
    found = [(one, records[jobs[one.student].key] if one.student in jobs else None) for one in mine]
    _show(console, lab, found)
    if total == 1:
        write(out / "grades.csv", _table(lab, found))
        for one, record in found:
            write(out / "students" / f"{file_name(one.student)}.txt", _page(lab, one, record))
        console.print(Text(f"{len(found)} graded: {out / 'grades.csv'}, {out / 'students'}"))
    return 1 if grading.faults else 0


def _answer(lab: Lab) -> str:
    return (ROOT / ANSWERS / f"{lab.name}.py").read_text(encoding="utf-8")


def _check_the_answer(lab: Lab, record: Record) -> None:
    alive = [test for test, found in record["tests"].items() if found["verdict"] != "pass"]
    if alive or record["ended"] or not record["tests"]:
        why = record["ended"] or f"{', '.join(alive[:3])}" or "nothing was tried"
        raise ValueError(
            f"{lab.label}: the course's own properties do not kill the whole bank, so nobody is graded: {why}"
        )


def kills_of(record: Record | None) -> int:
    """How many wrong answers were killed.

    >>> kills_of({"tests": {"check_a": {"todo": 0, "verdict": "pass"}, "off_by_one": {"todo": 3, "verdict": "pass"}}})
    1
    """
    tests = record["tests"].values() if record else ()
    return sum(found["verdict"] == "pass" and found["todo"] != ON_REFERENCE for found in tests)


def _holding(record: Record | None) -> tuple[int, int]:
    """How many properties hold on the reference, and how many there are."""
    verdicts = (
        [found["verdict"] for found in record["tests"].values() if found["todo"] == ON_REFERENCE] if record else []
    )
    return verdicts.count("pass"), len(verdicts)


def _remark(one: Submission, record: Record | None) -> str:
    return "; ".join(filter(None, (one.note, one.problem, record["ended"] if record else "")))


Found = Sequence[tuple[Submission, Record | None]]


def _table(lab: Lab, found: Found) -> str:
    """A row for each student: ``student``, ``score`` (kills), ``max_score``, ``hold``, ``properties``, ``notes``."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["student", "score", "max_score", "hold", "properties", "notes"])
    for one, record in found:
        writer.writerow(
            [cell(one.student), kills_of(record), len(bank(lab)), *_holding(record), cell(_remark(one, record))]
        )
    return out.getvalue()


def _page(lab: Lab, one: Submission, record: Record | None) -> str:
    """What a student reads: each property's verdict, and the stories of the wrong answers that are still alive."""
    lines = [f"{shown(one.student)}: {lab.label}, properties: {kills_of(record)} of {len(bank(lab))} killed", ""]
    lines += [_remark(one, record), ""] if _remark(one, record) else []
    for name, each in record["tests"].items() if record else ():
        if each["todo"] == ON_REFERENCE:
            words = {"pass": "holds on the reference", "todo": "not written yet"}
            lines += [f"{name}: {words.get(each['verdict'], 'fails on the reference, and earns nothing')}"]
            lines += [f"    {line}" for line in each["story"].splitlines() if each["verdict"] == "wrong"]
    alive = [each for each in (record["tests"].values() if record else ()) if each["verdict"] != "pass"]
    lines += ["", *(f"TODO {each['todo']}: {each['story']}" for each in alive if each["todo"] != ON_REFERENCE)]
    return "\n".join(map(visible, lines)) + "\n"


def _show(console: Console, lab: Lab, found: Found) -> None:
    for one, record in found:
        hold, total = _holding(record)
        counts = f"{kills_of(record):3} of {len(bank(lab))} killed, {hold} of {total} properties hold"
        console.print(Text(f"  {counts}  {shown(one.student)}  {_remark(one, record)}".rstrip()))
