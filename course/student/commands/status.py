"""``python -m course status``: which labs pass with the student's own files, and which chains do."""

from collections.abc import Sequence
from contextlib import nullcontext

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from course.student.core.catalog import Lab, all_labs
from course.student.core.edition import edition
from course.student.core.hints import lab_data
from course.student.core.starters import is_edited
from course.student.run.batch import TestResult, grade_many


def show_status(console: Console) -> int:
    """Print one row a lab: its tests on the reference of earlier labs, and on the student's own."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    closed = edition().name == "closed"  # its labs build on the student's own in any case
    for column in ("lab", "", "tests", *(() if closed else ("with LAB_CHAIN=mine",)), "next"):
        table.add_column(column, overflow="fold")
    passing = 0
    for lab in all_labs():
        with console.status(f"{lab.label}: its tests on your file") if console.is_terminal else nullcontext():
            row = _row(lab, closed=closed)
        passing += row[-1] == "done"
        table.add_row(*(row[:3] + row[4:] if closed else row))
    console.print(table, soft_wrap=False)
    console.print(f"\n{passing} of {len(all_labs())} labs pass. What to do next: python -m course next")
    return 0


def _row(lab: Lab, *, closed: bool) -> list[str]:
    if not lab.starter.is_file():
        return [lab.label, lab.title, "no starter.py", "", f"python -m course reset {lab.number:02}"]
    if not is_edited(lab):
        return [lab.label, lab.title, "not begun", "", "read its README"]
    chains = not closed and lab != all_labs()[0]
    try:
        alone = grade_many(lab, [lab.starter])[0]
        chained = _counted(grade_many(lab, [lab.starter], chain=True)[0]) if chains else ""
    except RuntimeError:  # the file ended the process that graded it
        return [lab.label, lab.title, "[red]broken off[/]", "", f"see python -m course test {lab.number:02}"]
    return [lab.label, lab.title, _counted(alone), chained, _next(lab, alone)]


def _counted(results: Sequence[TestResult]) -> str:
    passed = sum(result.verdict == "pass" for result in results)
    if results and passed == len(results):
        return f"[green]{passed} of {len(results)} pass[/]"
    wrong = sum(result.verdict == "wrong" for result in results)
    return f"{passed} of {len(results)} pass" + (f", [red]{wrong} wrong[/]" if wrong else "")


def _next(lab: Lab, results: Sequence[TestResult]) -> str:
    if broken := next((result for result in results if not result.loaded), None):
        return f"[red]starter.py does not load:[/] {escape(broken.message)}"
    waiting = [result.todo for result in results if result.verdict != "pass"]
    if not waiting:
        return "done" if results else "no test ran"
    return f"TODO {min(waiting)}, {lab_data(lab).todos[min(waiting)].function}"
