"""``grades.csv``: a row for each submission."""

import csv
import io

from course.teaching.grading.names import cell
from course.teaching.grading.reports.classroom import Classroom, Row
from course.teaching.grading.scoring import money


def table(room: Classroom) -> str:
    """The text of the file: ``student``, ``score``, ``max_score``, a column for each TODO, and ``notes``."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["student", "score", "max_score", *(f"todo_{number}" for number in room.todos), "notes"])
    for row in room.rows:
        writer.writerow(_cells(room, row))
    return out.getvalue()


def _cells(room: Classroom, row: Row) -> list[str]:
    points = [money(row.grade.points[number]) for number in room.todos]
    notes = "; ".join([*room.warnings, *([row.grade.remark] if row.grade.remark else [])])
    return [cell(row.student), money(row.grade.score), money(row.grade.max_score), *points, cell(notes)]
