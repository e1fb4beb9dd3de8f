"""The three outcomes of a lab's test, and the story that a failure tells."""

import re
import traceback
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest
from _pytest.outcomes import Failed

from course.student.core.candidate import MissingFunction
from course.student.core.catalog import Lab
from course.student.core.hints import lab_data
from course.student.core.timeouts import TimeLimit
from course.student.core.trace import StudentTrace, student_trace

SEPARATOR = "\n"
"""Between what is wrong, which many tests may find alike, and what one test is about."""

_FRAMES = 6
_OBJECT = re.compile(r"lab=<.*>,?|data=data\(\.\.\.\),?|\)")
_RAISE_TEXT = re.compile(r"lab (?P<lab>\d{1,3}), TODO (?P<todo>\d{1,3})\b")


class NotRun(Failed):
    """A test was not begun: another one has used up the time."""


@dataclass(frozen=True)
class Outcome:
    """What one test of a lab found. Plain data: it travels between test processes as JSON.

    ``verdict`` is ``pass``, ``wrong`` or ``todo``; ``todo`` the number of the TODO that the test is
    about; ``at_fault`` the number of the lab whose file is to blame, which differs from ``lab`` only in a chain.
    """

    lab: int
    todo: int
    verdict: str
    at_fault: int
    message: str = ""
    waits_for: int = 0
    """Of a ``todo``: the TODO that is not written, which another TODO's test may have run into."""
    loaded: bool = True
    """Whether the file under test could be loaded at all."""
    error: str = ""
    """The class of what was raised."""

    def as_json(self) -> dict[str, Any]:
        """For the report."""
        return asdict(self)


def judge(lab: Lab, todo: int, error: BaseException | None) -> Outcome:
    """The outcome of a test of this lab's TODO that ended with ``error``, or without one."""
    if error is None:
        return Outcome(lab.number, todo, "pass", lab.number)
    trace = student_trace(error)
    at_fault = trace.frames[-1].lab_number if trace.frames else lab.number
    return Outcome(
        lab.number,
        todo,
        verdict="todo" if trace.todo else "wrong",
        at_fault=at_fault,
        message=str(error),
        waits_for=(_named(error, lab if at_fault == lab.number else None) if trace.todo else None) or todo,
        loaded=not _while_loading(trace),
        error=type(error).__name__,
    )


def _named(error: BaseException, lab: Lab | None) -> int | None:
    """The TODO that a starter's own error names; None for another error, or if this lab has no such TODO."""
    named = _RAISE_TEXT.match(str(error))
    number = int(named["todo"]) if named else None
    return number if lab is None or number in lab_data(lab).todos else None


def _while_loading(trace: StudentTrace) -> bool:
    return bool(trace.frames) and trace.frames[0].function == "<module>"


def tell(lab: Lab, todo: int, error: BaseException, item: pytest.Item) -> str:
    """What went wrong, for the person who wrote the file under test."""
    trace = student_trace(error)
    lines = [_headline(lab, error, trace)]
    lines += [f"    {frame}" for frame in trace.frames[-_FRAMES:] if not isinstance(error, (TimeLimit, SyntaxError))]
    if _while_loading(trace):
        return "\n".join([*lines, "", "No test can run before the file loads."])
    lines += [f"    {note}" for note in _notes(error)]
    if purpose := (getattr(item.obj, "__doc__", None) or "").strip().split("\n\n")[0]:  # type: ignore[attr-defined]
        lines += [f"{SEPARATOR}This test is about: {' '.join(purpose.split())}"]
    lines += [f"TODO {todo}, {lab_data(lab).todos[todo].function} · hint: python -m course hint {lab.number:02}.{todo}"]
    return "\n".join(lines)


def _headline(lab: Lab, error: BaseException, trace: StudentTrace) -> str:
    if isinstance(error, (MissingFunction, TimeLimit, pytest.fail.Exception)):
        return str(error)
    if isinstance(error, SyntaxError):
        return _said(error)
    if isinstance(error, AssertionError) and not trace.frames:
        return _without_the_assertion(str(error)) or f"assert {_test_line(error)}"
    said = _said(error).strip().removesuffix(": ")
    if not trace.frames:
        return f"{said}\n    in the test, at: {_test_line(error)}"
    where = trace.frames[-1]
    if isinstance(error, SystemExit):
        said += " (it ends the program; a lab's file only defines functions)"
    file = Path(where.file).name
    owner = f"lab {where.lab_number:02}'s {file}" if where.lab_number != lab.number else file
    return f"{owner} raised {said}"


def _said(error: BaseException) -> str:
    """The error as Python words it, without the notes, which are told apart."""
    told = traceback.TracebackException(type(error), error, None)
    told.__notes__ = None
    return "".join(told.format_exception_only()).rstrip()


def _without_the_assertion(message: str) -> str:
    """What a test says, without the comparison that pytest appends to it."""
    said, _, _ = message.partition("\nassert ")
    return said


def _notes(error: BaseException) -> list[str]:
    """Hypothesis writes its falsifying example there; the objects that every example has say nothing."""
    lines = [line for note in getattr(error, "__notes__", []) for line in note.splitlines() if line.strip()]
    telling = [line for line in lines if not _OBJECT.fullmatch(line.strip())]
    return list(dict.fromkeys(telling))


def _test_line(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    in_test = [frame for frame in frames if Path(frame.filename).name.startswith("test_")]
    return (in_test or list(frames))[-1].line or ""
