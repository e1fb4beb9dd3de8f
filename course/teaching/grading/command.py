"""The command ``grade``: from a folder of submissions to a folder of reports."""

from pathlib import Path

from rich.console import Console
from rich.text import Text

from course.teaching.grading.plan import make_plan
from course.teaching.grading.reports.classroom import Classroom, Row
from course.teaching.grading.reports.files import write_reports
from course.teaching.grading.reports.terminal import many, summary
from course.teaching.grading.scoring import score, ungraded
from course.teaching.grading.session import Options, session

__all__ = ["Options", "run_grade"]


def run_grade(console: Console, submissions: Path, lab_name: str, out: Path, options: Options) -> int:
    """Grade a class.

    Returns:
        0 if every submission was graded, whatever it is worth; 1 if the grader failed on one.

    Raises:
        ValueError: see ``session``.
    """
    with session(console, submissions, lab_name, out, options) as held:
        console.print(Text(f"{held.lab.label}: {many(held.total)}, confined by {held.confined_by}"))
        plan = make_plan(held.lab, held.rules, lambda jobs: held.records("reference and controls", jobs))
        graded = {student: score(plan, record) for student, record in held.of_submissions().items()}
    grades = ((one, graded.get(one.student) or ungraded(plan, one.problem)) for one in held.mine)
    rows = tuple(Row(one.student, grade.noted(one.note)) for one, grade in grades)
    room = Classroom(held.lab, rows, held.confined_by, held.warnings, held.ignored)
    if held.whole:
        write_reports(out, room)
    summary(console, room, out if held.whole else None)
    return 1 if held.faults else 0
