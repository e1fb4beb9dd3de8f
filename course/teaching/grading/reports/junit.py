"""JUnit's XML: a suite for each student."""

from xml.etree import ElementTree as ET  # it only writes here

from course.teaching.grading.names import visible
from course.teaching.grading.reports.classroom import Classroom, Row


def junit(room: Classroom) -> str:
    """The text of the file."""
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
    for text in (f"confined by {room.confined_by}", *room.warnings, row.grade.remark):
        if text:
            ET.SubElement(properties, "property", name="note", value=_lines(text))
    for outcome in outcomes:
        case = ET.SubElement(
            suite, "testcase", name=visible(outcome.test), classname=f"{room.lab.name}.todo_{outcome.todo}"
        )
        if outcome.state != "passed":
            failure = ET.SubElement(case, "failure", message=outcome.state, type=outcome.state)
            failure.text = _lines(outcome.story)
    return suite


def _lines(text: str) -> str:
    """Visible text, which has no character that XML lacks."""
    return "\n".join(map(visible, text.splitlines()))
