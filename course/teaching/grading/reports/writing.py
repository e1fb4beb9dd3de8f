"""Writing all reports of a class."""

from pathlib import Path

from course.teaching.grading.reports.classroom import Classroom
from course.teaching.grading.reports.gradescope import results
from course.teaching.grading.reports.junit import junit
from course.teaching.grading.reports.pages import pages
from course.teaching.grading.reports.table import table
from course.teaching.grading.store import write


def write_reports(folder: Path, room: Classroom) -> None:
    """``grades.csv``, ``index.html``, ``students/``, ``gradescope/``, ``junit.xml``."""
    wanted = {"grades.csv": table(room), "junit.xml": junit(room)} | dict(pages(room))
    wanted |= {f"gradescope/{row.file}/results.json": results(room, row) for row in room.rows}
    _drop_others(folder, set(wanted))
    for name, text in wanted.items():
        write(folder / name, text)


def _drop_others(folder: Path, wanted: set[str]) -> None:
    """Pages of students who are no longer in the class."""
    for path in [*folder.glob("students/*.html"), *folder.glob("gradescope/*/results.json")]:
        if path.relative_to(folder).as_posix() not in wanted:
            path.unlink()
