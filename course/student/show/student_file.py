"""The file under test, called with a time limit; what goes wrong in it becomes a few words."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from course.student.core.catalog import Lab
from course.student.core.hints import lab_data
from course.student.core.submission import Loader
from course.student.core.timeouts import TimeLimit, time_limit
from course.student.core.trace import StudentFrame, student_trace

TIMEOUT = 10.0
"""Seconds that one call may take."""

_RAISE_TEXT = re.compile(r"lab (?P<lab>\d+), TODO (?P<todo>\d+)\b")


class Stopped(Exception):
    """The show cannot go on: what was asked for, and why it failed. ``hint`` is a command, where one helps."""

    def __init__(self, why: str, hint: str = "") -> None:
        super().__init__(why, hint)
        self.why = why
        self.hint = hint


class StudentFile:
    """The file under test of one lab. It is loaded when it is asked for, so that a fault in it can be shown."""

    def __init__(self, lab: Lab, loader: Loader) -> None:
        self.lab = lab
        self._loader = loader

    def load(self) -> None:
        """Run the file; raise whatever it raises."""
        self._loader.load(self.lab)

    def function(self, name: str) -> Callable[..., Any]:
        """Return the file's function. What the lab borrows from earlier labs is there even if its import was deleted.

        Raises:
            AssertionError: if a function that the lab asks for is missing.
        """
        module = self._loader.load(self.lab)
        found = getattr(module, name, None)
        if found is None and name not in {todo.function for todo in lab_data(self.lab).todos.values()}:
            found = getattr(import_module(f"labs.{self.lab.name}.solution"), name)
        assert callable(found), f"{Path(str(module.__file__)).name} has no function {name}"
        return found  # type: ignore[no-any-return]


@contextmanager
def asking(lab: Lab, what: str) -> Iterator[None]:
    """Run a block of the student's code: whatever it raises, and a loop without end, becomes ``Stopped``."""
    try:
        with time_limit(TIMEOUT):
            yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise _stopped(lab, what, error) from error


def _stopped(lab: Lab, what: str, error: BaseException) -> Stopped:
    trace = student_trace(error)
    if trace.todo:
        named = _RAISE_TEXT.match(str(error))
        hint = f"hint: python -m course hint {named['lab']}.{named['todo']}" if named else ""
        return Stopped(f"{what}: not written yet: {str(error) or trace.frames[-1]}", hint)
    return Stopped(f"{what}: {_fault(error)}{_at(lab, trace.frames[-1:], error)}")


def _fault(error: BaseException) -> str:
    """Return the error on one line; a complaint of ours about an answer needs no class."""
    said = " ".join((error.msg if isinstance(error, SyntaxError) else str(error)).split())
    if isinstance(error, TimeLimit) or (isinstance(error, AssertionError) and not student_trace(error).frames):
        return said
    return f"{type(error).__name__}: {said}".removesuffix(": ")


def _at(lab: Lab, frames: tuple[StudentFrame, ...], error: BaseException) -> str:
    if isinstance(error, TimeLimit) or not frames:
        return ""  # it names its place itself
    owner = "" if frames[0].lab_number == lab.number else f"lab {frames[0].lab_number:02}'s "
    return f", at {owner}{frames[0]}"
