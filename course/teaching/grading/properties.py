"""``grade --properties``: from a folder of ``properties.py`` to the usual reports, with a point for each kill."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from course.student.commands.properties import file_of
from course.student.core.catalog import ROOT, find_lab
from course.student.core.hints import lab_data
from course.student.core.wrong_answers import bank
from course.teaching.grading.job import PROPERTIES, Job
from course.teaching.grading.plan import Plan, passed
from course.teaching.grading.session import Options, finish, session


def run_properties(console: Console, submissions: Path, lab_name: str, out: Path, options: Options) -> int:
    """Grade a class; see ``course.teaching.grading.session.run_grade``.

    Raises:
        ValueError: also if the lab has no such exercise, or if the course's own properties don't kill the whole bank.
    """
    file_of(find_lab(lab_name))
    with session(console, submissions, lab_name, out, options, PROPERTIES) as held:
        lab, todo_of = held.lab, {answer.name: answer.todo for answer in bank(held.lab)}
        path = ROOT / "solutions" / "properties" / f"{lab.name}.py"
        answer = Job(held.rules, path.read_text(encoding="utf-8"))
        record = held.records("the answer", [answer])[answer.key]
        if alive := sorted({*todo_of} - {*passed(record)}):
            why = f"{', '.join(alive[:3])} ({record['ended']})"
            said = "the course's own properties do not kill the whole bank, so nobody is graded"
            raise ValueError(f"{lab.label}: {said}: {why}")
        records = held.of_submissions()
    points = Counter(todo_of.values())
    todos = {n: replace(todo, points=points[n], hints=()) for n, todo in lab_data(lab).todos.items() if points[n]}
    return finish(held, Plan(todo_of, frozenset(), points), records, out, todos)
