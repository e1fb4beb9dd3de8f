"""The three outcomes of a lab's test, and the failure message."""

import re
import traceback
from dataclasses import dataclass
from pathlib import Path

import pytest
from _pytest.outcomes import Failed

from course.student.core.candidate import CALL
from course.student.core.catalog import Lab, find_lab
from course.student.core.fingerprints import Misconception
from course.student.core.hints import RAISE_TEXT, lab_data
from course.student.core.timeouts import TimeLimit
from course.student.core.trace import StudentTrace, safe_text, student_trace
from labkit.checking.showing import cut, shown
from labs.own_files import Call

_FRAMES = 6
_LONGEST_ARGUMENT = 100
_OBJECT = re.compile(r"lab=<.*>,?|data=data\(\.\.\.\),?|\)")


class NotRun(Failed):
    """A test was not started: another one has used up the time."""


@dataclass(frozen=True)
class JudgedTest:
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
    cause: int = 0
    """Of a ``wrong``: the TODO to mend, where it's another one than the test is about; else 0."""
    ran: tuple[Call, ...] = ()
    """In a chain: which of the labs' functions the test has called."""


def judge(lab: Lab, todo: int, error: BaseException | None) -> JudgedTest:
    """Return the outcome of a test of this lab's TODO that ended with ``error``, or without one."""
    if error is None:
        return JudgedTest(lab.number, todo, "pass", lab.number)
    trace = student_trace(error)
    at_fault = trace.frames[-1].lab_number if trace.frames else lab.number
    waits_for = todo
    message = safe_text(error)
    named = RAISE_TEXT.match(message) if trace.todo else None
    if named and (at_fault != lab.number or int(named["todo"]) in lab_data(lab).todos):
        waits_for = int(named["todo"]) or todo
    return JudgedTest(
        lab.number,
        todo,
        verdict="todo" if trace.todo else "wrong",
        at_fault=at_fault,
        message=message,
        waits_for=waits_for,
        loaded=not _while_loading(trace),
        error=type(error).__name__,
    )


def _while_loading(trace: StudentTrace) -> bool:
    return bool(trace.frames) and trace.frames[0].function == "<module>"


def failure_message(
    lab: Lab, todo: int, error: BaseException, item: pytest.Item, known: Misconception | None = None
) -> str:
    """Return what went wrong, for the author of the file under test: a counterexample, the rule, and the way on.

    Args:
        known: the mistake of the bank that the TODO's function makes, as far as anybody can see.
    """
    trace = student_trace(error)
    lines = [_headline(lab, error, trace)]
    frames = () if isinstance(error, (TimeLimit, SyntaxError)) else trace.frames[-_FRAMES:]
    lines += dict.fromkeys(f"    {frame}" for frame in frames)  # a line of a recursion once
    if _while_loading(trace):
        return "\n".join([*lines, "", "No test can run before the file loads."])
    # Hypothesis's falsifying example, without the objects that are the same in every example
    notes = [line for note in getattr(error, "__notes__", []) for line in note.splitlines() if line.strip()]
    lines += [] if any(line.startswith("the call: ") for line in notes) or not trace.frames else _call(error)
    lines += dict.fromkeys(f"    {line}" for line in notes if not _OBJECT.fullmatch(line.strip()))
    if purpose := (getattr(item.obj, "__doc__", None) or "").strip().split("\n\n")[0]:  # type: ignore[attr-defined]
        lines += ["", f"What should happen: {' '.join(purpose.split()).replace('``', '`')}"]
    if known:
        return "\n".join([*lines, f"What seems to go wrong: {known.mistake}", _todo(lab, todo, known.hint)])
    return "\n".join([*lines, _broke_in(lab, trace) or _todo(lab, todo)])


def _call(error: BaseException) -> list[str]:
    """Return the line that says which call raised an error; objects without a name of their own are left out.

    >>> error = KeyError(1)
    >>> error.__course_call__ = "advance", (max, 2, "x" * 200)
    >>> _call(error)[0][:31]
    "    the call: advance(…, 2, 'xx"
    """
    name, args = getattr(error, CALL, ("", ()))
    texts = (cut(shown(arg), 0, _LONGEST_ARGUMENT) for arg in args)
    named = ("…" if text.startswith("<") or " at 0x" in text else text for text in texts)
    return [f"    the call: {name}({', '.join(named)})"] if name else []


def _todo(lab: Lab, todo: int, hint: int = 0) -> str:
    """Return the line that says where to go on: to the TODO's hints, or to the one that cures a mistake.

    >>> print(_todo(find_lab(3), 4))
    TODO 4, walk_trie · hints: python3 -m course hint 03.4
    >>> print(_todo(find_lab(3), 4, hint=2))
    TODO 4, walk_trie · hint 2 helps: python3 -m course hint 03.4 2
    """
    named, number = f"TODO {todo}, {lab_data(lab).todos[todo].function}", f"{lab.number:02}.{todo}"
    which = f"hint {hint} helps" if hint else "hints"
    return f"{named} · {which}: python3 -m course hint {number}{f' {hint}' if hint else ''}"


def _broke_in(lab: Lab, trace: StudentTrace) -> str:
    """Return the TODO of another lab in which an error was raised; empty if it wasn't in one of another lab's."""
    for frame in reversed(trace.frames if trace.frames and trace.frames[-1].lab_number != lab.number else ()):
        other = find_lab(frame.lab_number)
        for number, todo in lab_data(other).todos.items():
            if todo.function == frame.function and other != lab:
                return f"{other.label}, {_todo(other, number)}"
    return ""


def _headline(lab: Lab, error: BaseException, trace: StudentTrace) -> str:
    if says_all(error):
        return safe_text(error)
    if isinstance(error, SyntaxError):
        return _in_pythons_words(error)
    if isinstance(error, AssertionError) and not trace.frames:
        message, _, _ = safe_text(error).partition("\nassert ")  # pytest appends the comparison
        return message or f"assert {_test_line(error)}"
    words = _in_pythons_words(error).strip().removesuffix(": ")
    if isinstance(error, AssertionError):  # of the test, in a function that it handed over
        words = words.partition("\nassert ")[0]
    if not trace.frames:
        return f"{words}\n    in the test, at: {_test_line(error)}"
    where = trace.frames[-1]
    if isinstance(error, SystemExit):
        words += " (it ends the program; a lab's file only defines functions)"
    file = Path(where.file).name
    owner = f"lab {where.lab_number:02}'s {file}" if where.lab_number != lab.number else file
    return f"{owner} raised {words}"


def says_all(error: BaseException) -> bool:
    """Return whether the message is the course's own, and tells what happened without the error's class.

    An error that passed through the student's lines may have been raised there, with any message.
    """
    if isinstance(error, (TimeLimit, pytest.fail.Exception)):
        return True
    return getattr(error, "says_all", False) is True and not student_trace(error).frames


def _in_pythons_words(error: BaseException) -> str:
    """Return the error as Python words it, without its notes, which are shown separately."""
    described = traceback.TracebackException(type(error), error, None)
    described.__notes__ = None
    return "".join(described.format_exception_only()).rstrip()


def _test_line(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    in_test = [frame for frame in frames if Path(frame.filename).name.startswith("test_")]
    return (in_test or list(frames))[-1].line or ""
