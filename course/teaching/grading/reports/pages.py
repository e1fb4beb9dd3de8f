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
    found.filters |= {"points": money, "visible": names.visible, "lines": _lines}
    found.globals |= {"states": STATES}
    return found


def _lines(text: str) -> str:
    return "\n".join(map(names.visible, text.splitlines()))


def pages(room: Classroom) -> Iterator[tuple[str, str]]:
    """Paths below the folder of results, and the pages' texts."""
    yield "index.html", _environment().get_template("class.html").render(room=room, doubts=_doubts(room))
    template = _environment().get_template("student.html")
    for row in room.rows:
        once = _once(row)
        page = template.render(room=room, row=row, once=once, todos=_todos(room, row, told=bool(once)))
        yield f"students/{row.file}.html", page


def _doubts(room: Classroom) -> list[str]:
    return names.doubts(row.student for row in room.rows)


def _once(row: Row) -> str:
    """The story of a file of which no test ran, if all tests tell the same; else nothing."""
    stories = {outcome.story for outcome in row.grade.outcomes}
    return stories.pop() if not row.grade.ran and len(stories) == 1 else ""


def _todos(room: Classroom, row: Row, told: bool) -> list[Mapping[str, object]]:
    """What the student's page shows of each TODO: hints where something is not right yet, and stories not yet told."""
    found: list[Mapping[str, object]] = []
    for number, todo in room.todos.items():
        outcomes = [outcome for outcome in row.grade.outcomes if outcome.todo == number]
        open_ = any(outcome.state != "passed" for outcome in outcomes)
        found.append(
            {
                "todo": todo,
                "outcomes": outcomes,
                "stories": [] if told else _stories(outcomes),
                "hints": todo.hints if open_ else (),
                "mistake": row.grade.misconceptions.get(number, ""),
                "points": row.grade.points[number],
                "most": row.grade.most[number],
            }
        )
    return found


def _stories(outcomes: list[Outcome]) -> list[tuple[list[str], str]]:
    """Each story once, with the tests that told it."""
    told: dict[str, list[str]] = {}
    for outcome in outcomes:
        if outcome.brief:
            told.setdefault(outcome.brief, []).append(outcome.test)
    return [(tests, story) for story, tests in told.items()]
