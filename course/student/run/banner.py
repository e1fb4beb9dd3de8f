"""The lines that say what was graded and what it found: first and last line, warning, TODOs that wait."""

import hashlib
import os
import sys
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from course.student.core.catalog import Lab
from course.student.core.hints import Todo, lab_data
from course.student.core.starters import edited_files, is_edited
from course.student.run.outcomes import JudgedTest
from course.student.run.settings import Settings
from course.student.run.slips import slip_of
from labs.own_files import Call


class Tally:
    """The outcomes of a run."""

    def __init__(self) -> None:
        self.outcomes: list[JudgedTest] = []
        self.left_out = 0
        """How many tests of the labs (of the TODO, where one was asked for) were not wanted: ``-k`` and its like."""
        self.blamed: dict[int, int] = {}
        """In a chain: lab number to the number of an earlier lab of the student's that fails its own tests."""

    def of(self, lab: Lab) -> list[JudgedTest]:
        """Return the outcomes of one lab's tests."""
        return [outcome for outcome in self.outcomes if outcome.lab == lab.number]

    def counts(self, labs: Sequence[Lab]) -> Counter[str]:
        """Count the verdicts of these labs' tests."""
        return Counter(outcome.verdict for lab in labs for outcome in self.of(lab))

    def places(self, labs: Sequence[Lab]) -> str:
        """Return in how many places something is wrong, if a student could take that for more: `` in one place``."""
        slips = [slip_of(outcome) for lab in labs for outcome in self.of(lab) if outcome.verdict == "wrong"]
        if len(slips) < 2:
            return ""
        return " in one place" if len(set(slips)) == 1 else f" in {len(set(slips))} places"

    def ran(self, labs: Sequence[Lab]) -> set[Call]:
        """Return which functions these labs' tests have called, where that was noted."""
        return {(owner, lab, name) for each in labs for outcome in self.of(each) for owner, lab, name in outcome.ran}

    def next_todo(self, lab: Lab) -> str:
        """Return what to do next in this lab, empty if nothing is: ``TODO 3, advance``."""
        waiting = [outcome for outcome in self.of(lab) if outcome.verdict != "pass"]
        if not waiting:
            return ""
        if not all(outcome.loaded or outcome.at_fault != lab.number for outcome in waiting):
            return "the error above, for the file does not load"
        elsewhere = sorted({outcome.at_fault for outcome in waiting} - {lab.number})
        elsewhere += [self.blamed[lab.number]] if lab.number in self.blamed else []
        if elsewhere:
            return f"your lab {elsewhere[0]:02}, on which this one stands"
        number = min(outcome.waits_for or outcome.todo for outcome in waiting)
        unwritten = {outcome.todo for outcome in waiting if outcome.verdict == "todo"}
        return what_is_next(lab, number, unwritten, {outcome.todo for outcome in waiting} - unwritten)


def what_is_next(lab: Lab, todo: int, unwritten: Collection[int], wrong: Collection[int]) -> str:
    """Return a TODO by number and function; where part one is done, say so.

    >>> from course.student.core.catalog import find_lab
    >>> what_is_next(find_lab(9), 5, {5, 6}, {})
    'part two, which is optional (TODO 5, find_or_compile), or the next lab'
    """
    named = f"TODO {todo}, {lab_data(lab).todos[todo].function}"
    if lab_data(lab).part_one_is_done(unwritten, wrong):
        return f"part two, which is optional ({named}), or the next lab"
    return named


def labs_label(labs: Sequence[Lab]) -> str:
    """Return ``lab 02``, or ``labs 01, 02``."""
    return labs[0].label if len(labs) == 1 else "labs " + ", ".join(f"{lab.number:02}" for lab in labs)


def what_is_graded(settings: Settings) -> str:
    """Return the file under test, or the kind of files where the run covers several labs."""
    implementation, labs = settings.implementation, settings.labs
    file = implementation.file_of(labs[0]) if len(labs) == 1 else None
    shown = describe_file(file, labs[0]) if file else "no file"
    if implementation.kind == "notebook":
        shown = "practice.ipynb (its cells as they were last run)"
    elif len(labs) > 1:
        each = {"starter": "each starter.py", "solution": "each solution.py"}
        shown = each.get(implementation.kind, str(implementation.path))
    return f"{shown}, {settings.note}" if settings.note else shown


def describe_file(path: Path, lab: Lab) -> str:
    """Return a file with what identifies its state: ``starter.py (3f2a91c, edited 14:02)``."""
    try:
        content, edited = path.read_bytes(), time.localtime(path.stat().st_mtime)
    except OSError as error:
        return f"{path.name} ({error.strerror})"
    digest = hashlib.sha1(content, usedforsecurity=False).hexdigest()[:7]
    if path == lab.starter and not is_edited(lab):
        return f"{path.name} ({digest}, not edited yet)"
    if path == lab.solution:
        return f"{path.name} ({digest})"
    today = time.strftime("%Y-%m-%d") == time.strftime("%Y-%m-%d", edited)
    return f"{path.name} ({digest}, edited {time.strftime('%H:%M' if today else '%Y-%m-%d %H:%M', edited)})"


def last_line(settings: Settings, tally: Tally, *, broken_off: bool = False) -> str:
    """Return the line after everything else: what was graded, the counts, and what to do next."""
    labs, label = [lab for lab in settings.labs if tally.of(lab)], labs_label(settings.labs)
    if not labs:
        return f"{label} · no test ran"
    counts = tally.counts(labs)
    counted = f"{counts['pass']} passed, {counts['wrong']} wrong{tally.places(labs)}, {counts['todo']} todo"
    line = f"{label} · graded {what_is_graded(settings)} · {counted}"
    if tally.left_out:
        line += f", {counts.total()} of {counts.total() + tally.left_out} tests run"
    if broken_off:
        return f"{line} · THE RUN BROKE OFF, the rest was not graded"
    unwritten = [outcome for outcome in tally.of(labs[0]) if outcome.verdict == "todo"]
    needed = {outcome.waits_for if outcome.at_fault == labs[0].number else 0 for outcome in unwritten}
    # Its own TODO is written and nothing is wrong: the tests that wait are no reason to leave the order.
    if settings.todo and needed and not needed & {0, settings.todo} and not counts["wrong"]:
        verdict = "right so far, the rest needs" if counts["pass"] else "nothing is tested yet, that needs"
        line += f" · {verdict} TODO {', '.join(map(str, sorted(needed)))} too"
        labs = []
    for lab in labs:
        if following := tally.next_todo(lab):
            where = "" if len(settings.labs) == 1 else f"{lab.label}, "
            return f"{line} · next: {where}{following}"
    if len(settings.labs) > 1 or settings.implementation.kind == "solution":
        return line
    lab, number = settings.labs[0], f"{settings.labs[0].number:02}"
    if not settings.todo and not tally.left_out:
        own = settings.implementation.kind == "starter"  # which `show` plays if it is not told otherwise
        line += f" · on a real model: python3 -m course show {number} --model small" * own
        return f"{line} · done! next: python3 -m course {f'diff {number}' if lab.has_reference else 'next'}"
    if stub := first_stub(lab, settings.implementation.file_of(lab)):
        return f"{line} · next: TODO {stub.number}, {stub.function}"
    return f"{line} · next: the whole lab, python3 -m course test {number}"


def first_stub(lab: Lab, file: Path | None) -> Todo | None:
    """Return the first TODO that still holds the starter's words, if there is one."""
    text = file.read_text(encoding="utf-8", errors="replace") if file else ""
    return next((todo for todo in lab_data(lab).todos.values() if todo.raise_text(lab) in text), None)


def grade_command(labs: Sequence[Lab]) -> str:
    """Return the commands that grade the starters of these labs, a line each."""
    return "\n".join(course_command(f"test {lab.number:02}") for lab in labs)


def course_command(rest: str) -> str:
    """Return a command of the course as one types it on this system."""
    return f"{'python' if sys.platform == 'win32' else 'python3'} -m course {rest}"


def warning(settings: Settings) -> list[str]:
    """Return loud warnings: misspelled variables, edited files of the course, a starter that is not what was graded."""
    unknown = sorted(name for name in os.environ if name.startswith("LAB_") and name not in ("LAB_IMPL", "LAB_CHAIN"))
    lines = [f"!!  {name} means nothing here; the course reads LAB_IMPL and LAB_CHAIN." for name in unknown]
    edited = [f"{lab.path}/{name}" for lab in settings.labs for name in edited_files(lab)]
    lines += [f"!!  {name} is not the course's own: it was edited." for name in edited]
    forgotten = [] if settings.implementation.chosen_by else [lab for lab in settings.labs if is_edited(lab)]
    if not forgotten:
        return lines
    files = "your starter.py" if len(settings.labs) == 1 else f"your starter.py of {labs_label(forgotten)}"
    return [
        *lines,
        f"!!  This run grades the REFERENCE, not {files}, which you have edited.",
        f"!!  To grade yours:  {grade_command(forgotten)}",
    ]


def not_written(settings: Settings, tally: Tally) -> list[str]:
    """Return one line for each TODO that is not written yet, or whose tests wait for such a one."""
    lines: list[str] = []
    for lab in settings.labs:
        waiting = [outcome for outcome in tally.of(lab) if outcome.verdict == "todo"]
        own = [outcome for outcome in waiting if outcome.at_fault == lab.number]
        lines += _rows(lab, own, Counter(outcome.todo for outcome in tally.of(lab)))
        elsewhere = sorted({outcome.message for outcome in waiting if outcome.at_fault != lab.number})
        lines += [f"{lab.label} stands on your {message}" for message in elsewhere]
    if first := next((line.rpartition("  hint ")[2] for line in lines if "  hint " in line), ""):
        lines.append(f"hints: python3 -m course hint {first}")
    return lines


def _rows(lab: Lab, waiting: Sequence[JudgedTest], counts: Mapping[int, int]) -> Iterator[str]:
    """Yield a row for each TODO that is waited for, and one for each whose tests (`counts`) all wait for others."""
    todos = lab_data(lab).todos
    needed = Counter(outcome.waits_for for outcome in waiting)
    blocked = {number for number, n in Counter(o.todo for o in waiting).items() if n == counts[number]} - needed.keys()
    width = max([18, *(len(todos[number].function) for number in needed)])
    for number in sorted({*needed, *blocked}):
        count, todo = counts.get(number) or needed[number], todos[number]  # a run of one TODO tests no others
        tests = f"{count} test{'s' if count > 1 else ''}"
        hint = f"hint {lab.number:02}.{number}"
        row = f"{todo.function:{width}} {todo.about_lines:15} {tests:9} {hint}"
        if number in blocked:
            first = min(outcome.waits_for for outcome in waiting if outcome.todo == number)
            row = f"its {tests} wait{'s' if count == 1 else ''} for TODO {first}"
        yield f"{lab.label}, TODO {number:<{len(str(len(todos)))}}  {row}"
