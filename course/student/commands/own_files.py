"""Commands around a student's own files: hint, reset, diff, next, status."""

import difflib
import os
import re
import time
from contextlib import nullcontext
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.syntax import Syntax
from rich.table import Table

from course.student.commands.ideas import drawn_map, print_map
from course.student.commands.verdicts import verdicts_of
from course.student.core.catalog import ROOT, Lab, all_labs, edition, find_lab
from course.student.core.hints import Todo, lab_data
from course.student.core.implementation import Implementation
from course.student.core.rooms import remember
from course.student.core.starters import generate_starter, is_edited, without_header, without_marks
from course.student.run.banner import grade_command, what_is_next
from course.student.run.batch import TestResult
from labs.own_files import YOURS

BACKUPS = ROOT / ".course" / "backups"
SEEN = ROOT / ".course" / "hints_seen.txt"


def find_todo(name: str) -> tuple[Lab, Todo]:
    """Return the TODO that is meant by ``02.3``; a ValueError names those that exist."""
    lab_name, _, number = name.partition(".")
    lab = find_lab(lab_name)
    todos = lab_data(lab).todos
    if not (number.isascii() and number.isdigit() and int(number) in todos):
        known = ", ".join(f"{lab.number:02}.{each}" for each in todos)
        raise ValueError(f"there is no TODO {name!r}; {lab.label} has {known}")
    return lab, todos[int(number)]


def hints_seen(file: Path = SEEN) -> dict[str, int]:
    """Return how many hints of each TODO were seen; a line that can't be read doesn't count."""
    text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
    lines = (line.split() for line in text.splitlines())
    return {words[0]: int(words[1]) for words in lines if len(words) == 2 and re.fullmatch("[0-9]{1,3}", words[1])}


def show_hint(name: str, console: Console, which: int | None = None, file: Path = SEEN) -> int:
    """Print one hint of a TODO; without a number the next one, after those seen before, and note how many were seen."""
    lab, todo = find_todo(name)
    key, seen, last = f"{lab.number:02}.{todo.number}", hints_seen(file), len(todo.hints)
    if which is not None and not 1 <= which <= last:
        raise ValueError(f"there is no hint {which}; TODO {name} has hints 1 to {last}")
    shown = min(seen.get(key, 0) + 1, last)
    console.print(_heading(lab, todo) + "\n", soft_wrap=False)
    for number in [which] if which else range(1, shown + 1):
        console.print(f"[cyan]hint {number} of {last}[/]  {escape(todo.hints[number - 1])}\n", soft_wrap=False)
    if which:
        return 0
    remember(file, "".join(f"{name} {count}\n" for name, count in sorted((seen | {key: shown}).items())))
    if shown < last:
        console.print(f"The next one: python3 -m course hint {key}")
    else:
        console.print(f"That was the last hint. The README of {lab.path} explains the idea.")
    return 0


def _heading(lab: Lab, todo: Todo) -> str:
    return f"[bold]{lab.label}, TODO {todo.number}, {todo.function}[/] ({todo.about_lines}): {escape(todo.task)}"


def reset(lab: Lab, console: Console, backups: Path = BACKUPS) -> int:
    """Bring the pristine starter back; keep the student's file under ``.course/backups``."""
    if not is_edited(lab) and lab.starter.is_file():
        console.print(f"{lab.path}/starter.py is pristine already.")
        return 0
    if lab.starter.is_file():
        kept = keep(lab.starter, lab.name, backups)
        console.print(f"Your file is kept: {kept}\nTo have it back, copy it over the fresh one:")
        console.print(f"  {'copy' if os.name == 'nt' else 'cp'} {kept} {Path(lab.path, 'starter.py')}")
    lab.starter.write_text(generate_starter(lab), encoding="utf-8")
    console.print(f"{lab.path}/starter.py is pristine again.")
    return 0


def keep(path: Path, name: str, backups: Path) -> Path:
    """Copy a file to the backups, under a new name that tells the time; return the copy's path."""
    backups.mkdir(parents=True, exist_ok=True)
    stem = f"{name}_{time.strftime('%Y-%m-%d_%H%M%S')}"
    names = (backups / f"{stem}{f'_{n}' if n else ''}.py" for n in range(1000))
    kept = next(path for path in names if not path.exists())
    kept.write_bytes(path.read_bytes())
    return kept.relative_to(ROOT) if kept.is_relative_to(ROOT) else kept


def show_diff(lab: Lab, console: Console, *, anyway: bool = False) -> int:
    """Print the student's file against the reference, once all its tests pass."""
    for kind in ("solution", "starter"):
        if problem := Implementation(kind, "").what_is_missing(lab):
            raise ValueError(problem)
    results = [] if anyway else verdicts_of(lab)
    waiting = sum(result.verdict != "pass" for result in results)
    if not anyway and (waiting or not results):
        console.print(f"{waiting or 'The'} tests of {lab.label} do not pass yet; the comparison is for afterwards.")
        console.print(f"Your tests: {grade_command([lab])}      Look all the same: add --anyway")
        return 1
    own = without_header(lab.starter.read_text(encoding="utf-8", errors="replace"), lab)
    mine, theirs = (
        without_marks(text).splitlines(keepends=True) for text in (own, lab.solution.read_text(encoding="utf-8"))
    )
    text = "".join(difflib.unified_diff(mine, theirs, "starter.py (yours)", "solution.py (the reference)"))
    console.print(Syntax(text, "diff", theme="ansi_dark", background_color="default") if text else "No difference.")
    return 0


def show_next(console: Console, only: Lab | None = None) -> int:
    """Print the first thing that is still to be done: in one lab, or in all of them in the order of `_upcoming`."""
    for lab in [only] if only else _upcoming():
        if problem := Implementation("starter", "").what_is_missing(lab):
            console.print(problem)
            return 0
        results = verdicts_of(lab)
        if broken := next((result for result in results if not result.loaded), None):
            console.print(f"{lab.path}/starter.py does not load: {escape(broken.message)}")
            console.print(f"  see where   python3 -m course test {lab.number:02}")
            return 0
        waiting = [result.todo for result in results if result.verdict != "pass"]
        if not only and lab_data(lab).part_one_is_done(waiting, _wrong(results)):
            console.print(f"Part one of {lab.label} is done. Its second part: python3 -m course next {lab.number:02}")
        elif waiting or not results:
            todo = lab_data(lab).todos[min(waiting, default=1)]
            console.print(_heading(lab, todo))
            console.print(f"  read   {lab.path}/README.md\n  write  {lab.path}/starter.py")
            hint = f"python3 -m course hint {lab.number:02}.{todo.number}"
            console.print(f"  test   {grade_command([lab])}\n  hint   {hint}")
            return 0
    passing = f"All tests of {only.label} pass. Its" if only else "Every lab is done. Each"
    console.print(f"{passing} README has a section 'Going further'.")
    return 0


def _upcoming() -> list[Lab]:
    """Return all labs: those that are begun, then those after the last of them, then those that were left out."""
    begun = [lab for lab in all_labs() if is_edited(lab)]
    return sorted(all_labs(), key=lambda lab: (lab not in begun, lab < max(begun, default=lab)))


def show_status(console: Console, picture: Path | None = None) -> int:
    """Print one row a lab: its tests on the reference of earlier labs, and on the student's own; then the map."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    closed = edition() == "closed"  # its labs build on the student's own in any case
    for column in ("lab", "", "tests", *(() if closed else ("with LAB_CHAIN=mine",)), "next"):
        table.add_column(column, overflow="fold")
    passing = set[Lab]()
    for lab in all_labs():
        with console.status(f"{lab.label}: its tests on your file") if console.is_terminal else nullcontext():
            alone, chained, following = _status(lab, chains=not closed and lab != all_labs()[0])
        passing |= {lab} if following == "done" else set()
        table.add_row(lab.label, lab.title, alone, *(() if closed else (chained,)), following)
    console.print(table, soft_wrap=False)
    console.print(f"\n{len(passing)} of {len(all_labs())} labs pass. What to do next: python3 -m course next")
    _show_milestones(console, passing)
    console.print()
    print_map(console, passing)
    if picture:
        drawn_map({lab.number for lab in passing}).save(picture)
        console.print(f"\nPicture: {picture}", markup=False)
    return 0


def _show_milestones(console: Console, passing: set[Lab]) -> None:
    """Print the milestones that are reached, with their commands, and the first one after them that isn't."""
    milestones = [(lab, each) for lab in all_labs() for each in lab_data(lab).milestones]
    reached = [lab for lab, _ in milestones if lab in passing]
    waiting = [(lab, each) for lab, each in milestones if lab not in passing]
    for lab, each in milestones:
        if lab in passing:
            console.print(f"Reached, {lab.label}: {each['task']}.", markup=False, highlight=False)
            console.print(f"  python3 -m course {each['command']}", markup=False, highlight=False)
    for lab, each in sorted(waiting, key=lambda pair: pair[0] < max(reached, default=pair[0]))[:1]:
        console.print(f"The next milestone, {lab.label}: {each['task']}.", markup=False, highlight=False)


def _status(lab: Lab, *, chains: bool) -> tuple[str, str, str]:
    """Return what a lab's tests say, what they say on the student's own earlier labs, and what is to be done."""
    if not lab.starter.is_file():
        return "no starter.py", "", f"python3 -m course reset {lab.number:02}"
    if not is_edited(lab):
        return "not begun", "", "read its README"
    try:
        alone = verdicts_of(lab)
        chained = _on_own(lab, verdicts_of(lab, chain=True)) if chains else ""
    except ValueError:
        return "[red]broken off[/]", "", f"see python3 -m course test {lab.number:02}"
    waiting = [result.todo for result in alone if result.verdict != "pass"]
    following = "done" if alone else "no test ran"
    if broken := next((result for result in alone if not result.loaded), None):
        following = f"[red]starter.py does not load:[/] {escape(broken.message)}"
    elif waiting:
        following = what_is_next(lab, min(waiting), waiting, _wrong(alone))
    return _counted(alone), chained, following


def _wrong(results: list[TestResult]) -> list[int]:
    return [result.todo for result in results if result.verdict == "wrong"]


def _on_own(lab: Lab, results: list[TestResult]) -> str:
    """Return what the tests say, and which of the student's own earlier labs they have run."""
    ran = {int(number) for result in results for owner, number, _ in result.ran if owner == YOURS} - {lab.number}
    theirs = f"your {', '.join(f'{number:02}' for number in sorted(ran))}" if ran else "no earlier lab of yours"
    return f"{_counted(results)}, with {theirs}"


def _counted(results: list[TestResult]) -> str:
    passed = sum(result.verdict == "pass" for result in results)
    if results and passed == len(results):
        return f"[green]{passed} of {len(results)} pass[/]"
    wrong = sum(result.verdict == "wrong" for result in results)
    return f"{passed} of {len(results)} pass" + (f", [red]{wrong} wrong[/]" if wrong else "")
