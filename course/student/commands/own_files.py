"""Commands around a student's own files: hint, reset, diff, next."""

import difflib
import time
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.syntax import Syntax

from course.student.commands.progress import FILE, hints_seen, remember_hint
from course.student.core.catalog import ROOT, Lab, all_labs, find_lab
from course.student.core.edition import why_no_reference
from course.student.core.hints import Todo, lab_data
from course.student.core.starters import generate_starter, is_edited, without_header, without_marks
from course.student.run.banner import grade_command
from course.student.run.batch import TestResult, grade_many

BACKUPS = ROOT / ".course" / "backups"


def find_todo(name: str) -> tuple[Lab, Todo]:
    """The TODO that somebody means by ``02.3``.

    Raises:
        ValueError: naming what exists.

    >>> find_todo("02.7")[1].function
    'advance'
    """
    lab_name, _, number = name.partition(".")
    lab = find_lab(lab_name)
    todos = lab_data(lab).todos
    if not (number.isascii() and number.isdigit() and int(number) in todos):
        known = ", ".join(f"{lab.number:02}.{each}" for each in todos)
        raise ValueError(f"there is no TODO {name!r}; {lab.label} has {known}")
    return lab, todos[int(number)]


def show_hint(name: str, console: Console, *, everything: bool = False, file: Path = FILE) -> int:
    """Print the next hint of a TODO, after those seen before."""
    lab, todo = find_todo(name)
    key = f"{lab.number:02}.{todo.number}"
    shown = len(todo.hints) if everything else min(hints_seen(file).get(key, 0) + 1, len(todo.hints))
    console.print(
        f"[bold]{lab.label}, TODO {todo.number}, {todo.function}[/] ({todo.about_lines}): {escape(todo.task)}\n"
    )
    for number, hint in enumerate(todo.hints[:shown], start=1):
        console.print(f"[cyan]hint {number} of {len(todo.hints)}[/]  {escape(hint)}\n")
    remember_hint(key, shown, file)
    if shown < len(todo.hints):
        console.print(f"The next one: python -m course hint {key}")
    else:
        reference = "; the reference is solution.py" if lab.has_reference else ""
        console.print(f"That was the last hint. The README of {lab.path} explains the idea{reference}.")
    return 0


def reset(lab: Lab, console: Console, backups: Path = BACKUPS) -> int:
    """Bring the pristine starter back; the student's file is kept beside the others under .course/backups."""
    if not is_edited(lab) and lab.starter.is_file():
        console.print(f"{lab.path}/starter.py is as it was handed out.")
        return 0
    if lab.starter.is_file():
        console.print(f"Your file is kept: {keep(lab.starter, lab.name, backups)}")
    lab.starter.write_text(generate_starter(lab), encoding="utf-8")
    console.print(f"{lab.path}/starter.py is pristine again.")
    return 0


def keep(path: Path, name: str, backups: Path) -> Path:
    """Copy a file to the backups, under a name that tells the time; the copy's path."""
    backups.mkdir(parents=True, exist_ok=True)
    kept = _free_name(backups, f"{name}_{time.strftime('%Y-%m-%d_%H%M%S')}")
    kept.write_bytes(path.read_bytes())
    return kept.relative_to(ROOT) if kept.is_relative_to(ROOT) else kept


def _free_name(folder: Path, stem: str) -> Path:
    names = (folder / f"{stem}{f'_{n}' if n else ''}.py" for n in range(1000))
    return next(path for path in names if not path.exists())


def show_diff(lab: Lab, console: Console, *, anyway: bool = False) -> int:
    """The student's file against the reference, once all its tests pass.

    Raises:
        ValueError: if one of the two is not there.
    """
    if not lab.has_reference:
        raise ValueError(why_no_reference(lab))
    if not lab.starter.is_file():
        raise ValueError(f"there is no {lab.path}/starter.py; python -m course reset {lab.number:02} brings it back")
    results = [] if anyway else _results(lab)
    waiting = sum(result.verdict != "pass" for result in results)
    if not anyway and (waiting or not results):
        console.print(f"{waiting or 'The'} tests of {lab.label} do not pass yet; the comparison is for afterwards.")
        console.print(f"Your tests: {grade_command([lab])}      Look all the same: add --anyway")
        return 1
    handed_in = without_header(lab.starter.read_text(encoding="utf-8", errors="replace"), lab)
    mine = without_marks(handed_in).splitlines(keepends=True)
    theirs = without_marks(lab.solution.read_text(encoding="utf-8")).splitlines(keepends=True)
    text = "".join(difflib.unified_diff(mine, theirs, "starter.py (yours)", "solution.py (the reference)"))
    console.print(Syntax(text, "diff", theme="ansi_dark", background_color="default") if text else "No difference.")
    return 0


def show_next(console: Console, only: Lab | None = None) -> int:
    """The first thing that is still to be done, in all labs or in one."""
    for lab in [only] if only else all_labs():
        results = _results(lab)
        if broken := next((result for result in results if not result.loaded), None):
            console.print(f"{lab.path}/starter.py does not load: {escape(broken.message)}")
            console.print(f"  see where   python -m course test {lab.number:02}")
            return 0
        open_todos = sorted({result.todo for result in results if result.verdict != "pass"})
        if open_todos or not results:
            todo = lab_data(lab).todos[open_todos[0] if open_todos else 1]
            console.print(
                f"[bold]{lab.label}, TODO {todo.number}, {todo.function}[/] ({todo.about_lines}): {escape(todo.task)}"
            )
            console.print(f"  read   {lab.path}/README.md\n  write  {lab.path}/starter.py")
            console.print(
                f"  test   {grade_command([lab])}\n  hint   python -m course hint {lab.number:02}.{todo.number}"
            )
            return 0
    passing = f"All tests of {only.label} pass. Its" if only else "Every lab passes. Each"
    console.print(f"{passing} README ends with a section 'Going further'.")
    return 0


def _results(lab: Lab) -> list[TestResult]:
    """What the lab's tests find in the student's file; nothing where there is none.

    Raises:
        ValueError: if the file ends the process that grades it.
    """
    try:
        return grade_many(lab, [lab.starter])[0] if lab.starter.is_file() else []
    except RuntimeError as error:
        problem = f"{lab.path}/starter.py ended the process that ran its tests. To see where:"
        raise ValueError(f"{problem} python -m course test {lab.number:02}") from error
