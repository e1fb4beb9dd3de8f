"""The page for the class and a page for each student. Everything that comes from a submission is escaped."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import jinja2

from course.teaching.grading import names
from course.teaching.grading.reports.classroom import Classroom, Row
from course.teaching.grading.scoring import STATES, Outcome, money

_TEMPLATES = Path(__file__).parent / "templates"


@cache
def _environment() -> jinja2.Environment:
    found = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {"points": money, "visible": names.visible, "lines": names.visible_lines}
    found.globals |= {"states": STATES}
    return found


def pages(room: Classroom) -> Iterator[tuple[str, str]]:
    """Yield paths below the folder of results, and the pages' texts."""
    doubts = names.doubts(row.student for row in room.rows)
    yield "index.html", _environment().get_template("class.html").render(room=room, doubts=doubts)
    template = _environment().get_template("student.html")
    for row in room.rows:
        once = _once(row)
        page = template.render(room=room, row=row, once=once, todos=_todos(room, row, brief=bool(once)))
        yield f"students/{row.file}.html", page


def _once(row: Row) -> str:
    """Return the message of a file of which no test ran, if all tests have the same; else nothing."""
    messages = {outcome.message for outcome in row.grade.outcomes}
    return messages.pop() if not row.grade.ran and len(messages) == 1 else ""


def _todos(room: Classroom, row: Row, brief: bool) -> list[Mapping[str, object]]:
    """Return what the student's page shows of each TODO: hints where a test failed, messages unless ``brief``."""
    found: list[Mapping[str, object]] = []
    for number, todo in room.todos.items():
        outcomes = row.grade.of(number)
        found.append(
            {
                "todo": todo,
                "outcomes": outcomes,
                "messages": {} if brief else _messages(outcomes),
                "hints": todo.hints if any(outcome.state != "passed" for outcome in outcomes) else (),
                "mistake": row.grade.misconceptions.get(number, ""),
                "points": row.grade.points[number],
                "most": 100 * todo.points,
            }
        )
    return found


def _messages(outcomes: list[Outcome]) -> dict[str, list[str]]:
    """Return each message with the tests that have it."""
    found: dict[str, list[str]] = {}
    for outcome in outcomes:
        if outcome.brief:
            found.setdefault(outcome.brief, []).append(outcome.test)
    return found
