"""``grade --properties``: from a folder of ``properties.py`` to a table of what they kill."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from course.isolation.submitted import Submission
from course.student.commands.properties import WORDS, file_of
from course.student.core.catalog import ROOT, find_lab
from course.student.core.trace import visible
from course.student.core.wrong_answers import bank
from course.teaching.grading.job import PROPERTIES, Job, Record, write
from course.teaching.grading.judging import ON_REFERENCE
from course.teaching.grading.names import cell, file_name, shown
from course.teaching.grading.reports import as_csv
from course.teaching.grading.session import Options, session


def run_properties(console: Console, submissions: Path, lab_name: str, out: Path, options: Options) -> int:
    """Grade a class; see ``course.teaching.grading.session.run_grade``.

    Raises:
        ValueError: also if the lab has no such exercise.
    """
    file_of(find_lab(lab_name))
    with session(console, submissions, lab_name, out, options, PROPERTIES) as held:
        lab, size = held.lab, len(bank(held.lab))
        console.print(Text(f"{lab.label}, properties: {len(held.found.submissions)}, confined by {held.confined_by}"))
        # The course's own properties must kill the whole bank, or nobody is graded.
        path = ROOT / "solutions" / "properties" / f"{lab.name}.py"
        answer = Job(held.rules, path.read_text(encoding="utf-8"))
        record = held.records("the answer", [answer])[answer.key]
        alive = [test for test, found in record["tests"].items() if found["verdict"] != "pass"]
        if alive or record["ended"] or not record["tests"]:
            why = record["ended"] or ", ".join(alive[:3]) or "nothing was tried"
            said = "the course's own properties do not kill the whole bank, so nobody is graded"
            raise ValueError(f"{lab.label}: {said}: {why}")
        records = held.of_submissions()
    found = [found_by(one, records.get(one.student), held.warnings) for one in held.mine]
    for warning in held.warnings:
        console.print(Text(warning, "bold red"))
    for each in found:
        counts = f"{each.kills:3} of {size} killed, {each.holding} of {len(each.properties)} properties hold"
        remark = "; ".join(each.remarks[len(held.warnings) :])
        console.print(Text(f"  {counts}  {shown(each.student)}  {visible(remark)}".rstrip()))
    if held.whole:
        write(out / "grades.csv", _table(found, size))
        for each in found:
            page = _page(each, f"{lab.label}, properties: {each.kills} of {size} killed")
            write(out / "students" / f"{file_name(each.student)}.txt", page)
        console.print(Text(f"{len(found)} graded: {out / 'grades.csv'}, {out / 'students'}"))
    return 1 if held.faults else 0


@dataclass(frozen=True)
class Found:
    """What the properties of one student found.

    Attributes:
        properties: by property, what it found on the reference: ``pass`` if it holds.
        answers: by wrong answer, ``pass`` if it was killed.
        holding, kills: how many of them do.
        remarks: what every report must repeat; a submission chooses part of it.
    """

    student: str
    properties: dict[str, Record]
    answers: dict[str, Record]
    holding: int
    kills: int
    remarks: tuple[str, ...]


def found_by(one: Submission, record: Record | None, warnings: Sequence[str]) -> Found:
    """Return what a submission found; it has no record if it could not be read."""
    tests, ended = (record["tests"], record["ended"]) if record else ({}, "")
    properties = {name: each for name, each in tests.items() if each["todo"] == ON_REFERENCE}
    answers = {name: each for name, each in tests.items() if each["todo"] != ON_REFERENCE}
    remark = "; ".join(filter(None, (one.note, one.problem, ended)))
    holding, kills = (sum(each["verdict"] == "pass" for each in part.values()) for part in (properties, answers))
    return Found(one.student, properties, answers, holding, kills, (*warnings, *filter(None, [remark])))


def _table(found: Sequence[Found], size: int) -> str:
    """Return ``grades.csv``: ``student``, ``score`` (kills), ``max_score``, ``hold``, ``properties``, ``notes``."""
    rows = [["student", "score", "max_score", "hold", "properties", "notes"]]
    for each in found:
        counts = map(str, (each.kills, size, each.holding, len(each.properties)))
        rows.append([cell(each.student), *counts, cell("; ".join(each.remarks))])
    return as_csv(rows)


def _page(found: Found, result: str) -> str:
    """Return what a student reads: each property's verdict, and which wrong answers are still alive."""
    lines = [f"{shown(found.student)}: {result}", ""]
    for remark in found.remarks:
        lines += [remark, ""]
    for name, each in found.properties.items():
        lines += [f"{name}: {WORDS[each['verdict']]}"]
        lines += [f"    {line}" for line in each["message"].splitlines() if each["verdict"] == "wrong"]
    alive = [each for each in found.answers.values() if each["verdict"] != "pass"]
    lines += ["", *(f"TODO {each['todo']}: {each['message']}" for each in alive)]
    return "\n".join(map(visible, lines)) + "\n"
