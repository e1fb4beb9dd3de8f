"""The reports of a class as files: ``grades.csv``, pages, Gradescope's ``results.json`` and JUnit's XML.

Everything that comes from a submission is escaped.
"""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET  # it only writes here

import jinja2

from course.student.core.hints import Todo
from course.teaching.grading.job import write
from course.teaching.grading.names import cell, doubts, file_name, shown, visible, visible_lines
from course.teaching.grading.reports.classroom import Classroom
from course.teaching.grading.scoring import STATES, Grade, money

_LONGEST = 4000
_SHOWN = {"output_format": "text", "visibility": "visible"}


def write_reports(folder: Path, room: Classroom) -> None:
    """Write all reports, and remove pages of students who are no longer in the class."""
    wanted = {"grades.csv": table(room), "junit.xml": junit(room)} | dict(pages(room))
    wanted |= {f"gradescope/{file_name(name)}/results.json": results(room, one) for name, one in room.grades.items()}
    for path in [*folder.glob("students/*.html"), *folder.glob("gradescope/*/results.json")]:
        if path.relative_to(folder).as_posix() not in wanted:
            path.unlink()
    for name, text in wanted.items():
        write(folder / name, text)


def table(room: Classroom) -> str:
    """Return ``grades.csv``: ``student``, ``score``, ``max_score``, a column for each TODO, and ``notes``."""
    rows = [["student", "score", "max_score", *(f"todo_{number}" for number in room.todos), "notes"]]
    for student, grade in room.grades.items():
        points = [money(grade.points[number]) for number in room.todos]
        notes = "; ".join(room.remarks(grade))
        rows.append([cell(student), money(grade.score), money(room.max_score), *points, cell(notes)])
    return as_csv(rows)


def as_csv(rows: list[list[str]]) -> str:
    """Return rows of cells as comma-separated text."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def results(room: Classroom, grade: Grade) -> str:
    """Return one submission's ``results.json``, as Gradescope reads it: an entry for each TODO."""
    said = [*map(visible, room.remarks(grade)), f"{room.lab.label}. Confined by {room.confined_by}."]
    tests = [_entry(room, grade, number) for number in room.todos]
    found = {"score": grade.score / 100, "output": "\n".join(said), **_SHOWN, "tests": tests}
    return json.dumps(found, indent=1) + "\n"


def _entry(room: Classroom, grade: Grade, number: int) -> dict[str, Any]:
    """Say how many tests of a TODO passed, and the other tests' messages, each once."""
    todo, outcomes = room.todos[number], grade.of(number)
    passed, alone = (sum(outcome.state == state for outcome in outcomes) for state in ("passed", "alone"))
    lines = [f"{passed} of {len(outcomes)} tests passed."]
    lines += [f"{alone} more passed, and earn nothing: code that always does the same passes them."] if alone else []
    lines += map(visible_lines, dict.fromkeys(outcome.brief for outcome in outcomes if outcome.brief))
    return {
        "name": f"TODO {number}: {todo.function}",
        "number": str(number),
        "score": grade.points[number] / 100,
        "max_score": float(todo.points),
        "status": "passed" if grade.points[number] == 100 * todo.points else "failed",
        "output": "\n\n".join(lines)[:_LONGEST],
        **_SHOWN,
    }


def junit(room: Classroom) -> str:
    """Return JUnit's XML: a suite for each student."""
    root = ET.Element("testsuites", name=room.lab.name)
    for student, grade in room.grades.items():
        outcomes = grade.outcomes
        failures = str(sum(one.state != "passed" for one in outcomes))
        about = {"name": shown(student), "tests": str(len(outcomes)), "failures": failures, "errors": "0"}
        suite = ET.SubElement(root, "testsuite", about)
        properties = ET.SubElement(suite, "properties")
        for text in (f"confined by {room.confined_by}", *room.remarks(grade)):
            ET.SubElement(properties, "property", name="note", value=visible_lines(text))
        for one in outcomes:
            place = f"{room.lab.name}.todo_{one.todo}"
            case = ET.SubElement(suite, "testcase", name=visible(one.test), classname=place)
            if one.state != "passed":
                failure = ET.SubElement(case, "failure", message=one.state, type=one.state)
                failure.text = visible_lines(one.message)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def pages(room: Classroom) -> Iterator[tuple[str, str]]:
    """Yield the page for the class and a page for each student: paths below the folder of results, and texts."""
    loader = jinja2.FileSystemLoader(Path(__file__).parent / "templates")
    strict = jinja2.StrictUndefined
    made = jinja2.Environment(loader=loader, autoescape=True, undefined=strict, trim_blocks=True, lstrip_blocks=True)
    made.filters |= {"points": money, "visible": visible, "lines": visible_lines, "shown": shown, "file": file_name}
    made.globals |= {"states": STATES, "room": room, "doubts": doubts(room.grades)}
    yield "index.html", made.get_template("class.html").render()
    for student, grade in room.grades.items():
        # Of a file of which no test ran all tests have the same message, which is shown once.
        messages = {outcome.message for outcome in grade.outcomes}
        once = messages.pop() if not grade.ran and len(messages) == 1 else ""
        about = {"student": student, "grade": grade, "once": once}
        todos = [_part(todo, grade, brief=bool(once)) for todo in room.todos.values()]
        yield f"students/{file_name(student)}.html", made.get_template("student.html").render(about, todos=todos)


def _part(todo: Todo, grade: Grade, brief: bool) -> dict[str, object]:
    """Return what the student's page shows of a TODO: hints where a test failed, messages unless ``brief``."""
    outcomes = grade.of(todo.number)
    messages: dict[str, list[str]] = {}
    for outcome in outcomes:
        if outcome.brief and not brief:
            messages.setdefault(outcome.brief, []).append(outcome.test)
    return {
        "todo": todo,
        "outcomes": outcomes,
        "messages": messages,
        "hints": todo.hints if any(outcome.state != "passed" for outcome in outcomes) else (),
        "mistake": grade.misconceptions.get(todo.number, ""),
        "points": grade.points[todo.number],
    }
