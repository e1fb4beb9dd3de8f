"""The reports of a class as files: ``grades.csv``, pages, Gradescope's ``results.json`` and JUnit's XML."""

import csv
import io
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET  # it only writes here

from course.teaching.grading.job import write
from course.teaching.grading.names import cell, visible, visible_lines
from course.teaching.grading.reports.classroom import Classroom, Row
from course.teaching.grading.reports.pages import pages
from course.teaching.grading.scoring import money

_LONGEST = 4000


def write_reports(folder: Path, room: Classroom) -> None:
    """Write all reports, and remove pages of students who are no longer in the class."""
    wanted = {"grades.csv": table(room), "junit.xml": junit(room)} | dict(pages(room))
    wanted |= {f"gradescope/{row.file}/results.json": results(room, row) for row in room.rows}
    for path in [*folder.glob("students/*.html"), *folder.glob("gradescope/*/results.json")]:
        if path.relative_to(folder).as_posix() not in wanted:
            path.unlink()
    for name, text in wanted.items():
        write(folder / name, text)


def table(room: Classroom) -> str:
    """Return ``grades.csv``: ``student``, ``score``, ``max_score``, a column for each TODO, and ``notes``."""
    rows = [["student", "score", "max_score", *(f"todo_{number}" for number in room.todos), "notes"]]
    for row in room.rows:
        points = [money(row.grade.points[number]) for number in room.todos]
        notes = "; ".join(room.remarks(row))
        rows.append([cell(row.student), money(row.grade.score), money(room.max_score), *points, cell(notes)])
    return as_csv(rows)


def as_csv(rows: list[list[str]]) -> str:
    """Return rows of cells as comma-separated text."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def results(room: Classroom, row: Row) -> str:
    """Return one submission's ``results.json``, as Gradescope reads it: an entry for each TODO."""
    said = [*map(visible, room.remarks(row)), f"{room.lab.label}. Confined by {room.confined_by}."]
    found: dict[str, Any] = {
        "score": row.grade.score / 100,
        "output": "\n".join(said),
        "output_format": "text",
        "visibility": "visible",
        "tests": [_entry(room, row, number) for number in room.todos],
    }
    return json.dumps(found, indent=1) + "\n"


def _entry(room: Classroom, row: Row, number: int) -> dict[str, Any]:
    todo, grade = room.todos[number], row.grade
    return {
        "name": f"TODO {number}: {todo.function}",
        "number": str(number),
        "score": grade.points[number] / 100,
        "max_score": float(todo.points),
        "status": "passed" if grade.points[number] == 100 * todo.points else "failed",
        "output": _in_words(row, number)[:_LONGEST],
        "output_format": "text",
        "visibility": "visible",
    }


def _in_words(row: Row, number: int) -> str:
    """Return how many tests of a TODO passed, and the other tests' messages, each once."""
    outcomes = row.grade.of(number)
    passed, alone = (sum(outcome.state == state for outcome in outcomes) for state in ("passed", "alone"))
    lines = [f"{passed} of {len(outcomes)} tests passed."]
    lines += [f"{alone} more passed, and earn nothing: code that always does the same passes them."] if alone else []
    messages = dict.fromkeys(outcome.brief for outcome in outcomes if outcome.brief)
    return "\n\n".join([*lines, *map(visible_lines, messages)])


def junit(room: Classroom) -> str:
    """Return JUnit's XML: a suite for each student."""
    root = ET.Element("testsuites", name=room.lab.name)
    for row in room.rows:
        root.append(_suite(room, row))
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def _suite(room: Classroom, row: Row) -> ET.Element:
    outcomes = row.grade.outcomes
    failures = sum(outcome.state != "passed" for outcome in outcomes)
    suite = ET.Element("testsuite", name=row.shown, tests=str(len(outcomes)), failures=str(failures), errors="0")
    properties = ET.SubElement(suite, "properties")
    for text in (f"confined by {room.confined_by}", *room.remarks(row)):
        ET.SubElement(properties, "property", name="note", value=visible_lines(text))
    for outcome in outcomes:
        about = {"name": visible(outcome.test), "classname": f"{room.lab.name}.todo_{outcome.todo}"}
        case = ET.SubElement(suite, "testcase", about)
        if outcome.state != "passed":
            failure = ET.SubElement(case, "failure", message=outcome.state, type=outcome.state)
            failure.text = visible_lines(outcome.message)
    return suite
