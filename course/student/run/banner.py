"""The first and the last line of a run, and the loud warning: what was graded, and what was not."""

import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence

from course.student.core.catalog import ROOT, Lab
from course.student.core.hints import lab_data
from course.student.run.outcomes import Outcome
from course.student.run.settings import Settings
from course.student.run.tally import Tally, after, describe_file


def labs_label(labs: Sequence[Lab]) -> str:
    """``lab 02``, or ``labs 01, 02``."""
    return labs[0].label if len(labs) == 1 else "labs " + ", ".join(f"{lab.number:02}" for lab in labs)


def what_is_graded(settings: Settings) -> str:
    """The file under test, or the kind of files where the run covers several labs."""
    kind = settings.implementation.kind
    chain = ", on your own earlier labs" if settings.chain else ""
    note = f", {settings.note}" if settings.note else ""
    if kind == "notebook":
        shown = "practice.ipynb (its cells as they were last run)"
    elif len(settings.labs) > 1:
        shown = {"starter": "each starter.py", "solution": "each solution.py"}.get(
            kind, str(settings.implementation.path)
        )
    else:
        file = settings.implementation.file_of(settings.labs[0])
        shown = describe_file(file, settings.labs[0]) if file else "no file"
    return f"{shown}{chain}{note}"


def first_line(settings: Settings) -> str:
    """Before anything runs."""
    return f"{labs_label(settings.labs)} · grading {what_is_graded(settings)}"


def last_line(settings: Settings, tally: Tally, *, broken_off: bool = False) -> str:
    """Behind everything else: what was graded, the counts, and what to do next; or that the run broke off."""
    labs = [lab for lab in settings.labs if tally.of(lab)]
    if not labs:
        return f"{labs_label(settings.labs)} · no test ran"
    line = f"{labs_label(settings.labs)} · graded {what_is_graded(settings)} · {tally.in_words(labs)}"
    if broken_off:
        return f"{line} · THE RUN BROKE OFF, the rest was not graded"
    for lab in labs:
        if following := tally.next_todo(lab):
            where = "" if len(settings.labs) == 1 else f"{lab.label}, "
            return f"{line} · next: {where}{following}"
    if len(settings.labs) == 1 and settings.implementation.kind != "solution":
        return f"{line} · {after(labs[0], settings.todo)}"
    return line


def grade_command(labs: Sequence[Lab]) -> str:
    """The command that grades the starter of these labs, in the words of this system's shell.

    >>> from course.student.core.catalog import find_lab
    >>> "lab_01_naive_matching" in grade_command([find_lab(1)]) or "test 01" in grade_command([find_lab(1)])
    True
    """
    if sys.platform == "win32":
        return "\n".join(f"python -m course test {lab.number:02}" for lab in labs)
    paths = " ".join(lab.path for lab in labs)
    return f"LAB_IMPL=starter {_pytest()} {paths}"


def _pytest() -> str:
    """How to call this environment's pytest from the shell that is in use."""
    environment = os.environ.get("VIRTUAL_ENV")
    active = environment is not None and os.path.realpath(environment) == os.path.realpath(sys.prefix)
    return "pytest" if active or not (ROOT / ".venv").is_dir() else ".venv/bin/pytest"


def warning(settings: Settings) -> list[str]:
    """Lines to be said loudly if the reference was graded although a starter is being worked on."""
    forgotten = settings.forgotten()
    if not forgotten:
        return []
    files = "your starter.py" if len(settings.labs) == 1 else f"your starter.py of {labs_label(forgotten)}"
    return [
        f"!!  This run grades the REFERENCE, not {files}, which you have edited.",
        f"!!  To grade yours:  {grade_command(forgotten)}",
    ]


def not_written(settings: Settings, tally: Tally) -> list[str]:
    """One line for each TODO that tests found not written yet, or whose tests wait for such a one."""
    lines = []
    for lab in settings.labs:
        waiting = [outcome for outcome in tally.of(lab) if outcome.verdict == "todo"]
        own = [outcome for outcome in waiting if outcome.at_fault == lab.number]
        lines += _rows(lab, own, Counter(outcome.todo for outcome in tally.of(lab)))
        elsewhere = sorted({outcome.message for outcome in waiting if outcome.at_fault != lab.number})
        lines += [f"{lab.label} stands on your {message}" for message in elsewhere]
    return lines


def _rows(lab: Lab, waiting: Sequence[Outcome], counts: Mapping[int, int]) -> list[str]:
    """A row for each TODO that is waited for, and one for each whose own tests wait for others: it may be written.

    Args:
        counts: of each TODO, how many tests of its own the run has.
    """
    todos = lab_data(lab).todos
    needed = Counter(outcome.waits_for for outcome in waiting)
    blocked = {number for number, n in Counter(o.todo for o in waiting).items() if n == counts[number]} - needed.keys()
    width = max([18, *(len(todos[number].function) for number in needed)])
    rows = []
    for number in sorted({*needed, *blocked}):
        count = counts.get(number) or needed[number]  # a run of one TODO has no tests of the others
        tests = f"{count} test{'s' if count > 1 else ''}"
        row = f"{lab.label}, TODO {number:<{len(str(len(todos)))}}  "
        if number in blocked:
            first = min(outcome.waits_for for outcome in waiting if outcome.todo == number)
            rows.append(f"{row}its {tests} wait{'s' if count == 1 else ''} for TODO {first}")
            continue
        todo = todos[number]
        hint = f"hint: python -m course hint {lab.number:02}.{number}"
        rows.append(f"{row}{todo.function:{width}} {todo.about_lines:15} {tests:9} {hint}")
    return rows


def status_table(settings: Settings, tally: Tally) -> list[str]:
    """One row for each lab of a run that covers several."""
    rows = []
    for lab in settings.labs:
        outcomes = tally.of(lab)
        if outcomes:
            passed = sum(outcome.verdict == "pass" for outcome in outcomes)
            done = 20 * passed // len(outcomes)
            bar = "#" * done + "." * (20 - done)
            following = tally.next_todo(lab)
            state = f"next: {following}" if following else "done"
            rows.append(f"{lab.label}  {lab.title:18} [{bar}] {passed:3}/{len(outcomes):<3} {state}")
    return rows


def without_device(n_tests: int) -> str:
    """What is said where tests that need a GPU were left out; nothing where none was.

    >>> without_device(2)
    '2 tests that need a GPU were left out: torch and Triton find none here'
    >>> without_device(0)
    ''
    """
    tests = "1 test that needs a GPU was" if n_tests == 1 else f"{n_tests} tests that need a GPU were"
    return f"{tests} left out: torch and Triton find none here" if n_tests else ""
