"""``results.json``, as Gradescope reads it: an entry for each TODO."""

import json
from typing import Any

from course.teaching.grading.names import visible
from course.teaching.grading.reports.classroom import Classroom, Row

_LONGEST = 4000


def results(room: Classroom, row: Row) -> str:
    """The text of one submission's file."""
    said = [*room.warnings, *([visible(row.grade.remark)] if row.grade.remark else [])]
    found: dict[str, Any] = {
        "score": row.grade.score / 100,
        "output": "\n".join([*said, f"{room.lab.label}. Confined by {room.confined_by}."]),
        "output_format": "text",
        "visibility": "visible",
        "tests": [_entry(room, row, number) for number in room.todos],
    }
    return json.dumps(found, indent=1) + "\n"


def _entry(room: Classroom, row: Row, number: int) -> dict[str, Any]:
    todo, grade = room.todos[number], row.grade
    done = grade.points[number] == grade.most[number]
    return {
        "name": f"TODO {number}: {todo.function}",
        "number": str(number),
        "score": grade.points[number] / 100,
        "max_score": grade.most[number] / 100,
        "status": "passed" if done else "failed",
        "output": told(row, number)[:_LONGEST],
        "output_format": "text",
        "visibility": "visible",
    }


def told(row: Row, number: int) -> str:
    """How many tests of a TODO passed, and what the others said, each story once."""
    those = [outcome for outcome in row.grade.outcomes if outcome.todo == number]
    passed = sum(outcome.state == "passed" for outcome in those)
    alone = sum(outcome.state == "alone" for outcome in those)
    lines = [f"{passed} of {len(those)} tests passed."]
    same = f"{alone} more passed, and earn nothing: code that always does the same passes them."
    lines += [same] if alone else []
    stories = dict.fromkeys(outcome.brief for outcome in those if outcome.brief)
    return "\n\n".join([*lines, *("\n".join(map(visible, story.splitlines())) for story in stories)])
