"""The functions of the file under test, called with patience; what goes wrong in them becomes a few words."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from numpy.typing import DTypeLike, NDArray

from course.student.core.catalog import Lab
from course.student.core.hints import lab_data
from course.student.core.submission import Loader
from course.student.core.timeouts import TimeLimit, time_limit
from course.student.core.trace import StudentFrame, student_trace
from labkit.checking import check_array, check_type

T = TypeVar("T")

PATIENCE = 10.0
"""Seconds that one call may take."""

_RAISE_TEXT = re.compile(r"lab (?P<lab>\d+), TODO (?P<todo>\d+)\b")


class Stopped(Exception):
    """The show cannot go on: what could not be had, and why. ``hint`` is a command, where one helps."""

    def __init__(self, why: str, hint: str = "") -> None:
        super().__init__(why, hint)
        self.why = why
        self.hint = hint


class Own:
    """The file under test of one lab. It is loaded when it is asked for, so that a fault in it can be shown."""

    def __init__(self, lab: Lab, loader: Loader) -> None:
        self.lab = lab
        self._loader = loader

    def load(self) -> None:
        """Run the file; raises whatever it raises."""
        self._loader.load(self.lab)

    def __call__(self, name: str, *arguments: Any, **keywords: Any) -> Any:
        """Call one of the functions, by name."""
        return self.function(name)(*arguments, **keywords)

    def function(self, name: str) -> Callable[..., Any]:
        """The file's function. What the lab borrows from earlier labs is there even where the import was deleted.

        Raises:
            AssertionError: if a function that the lab asks for is missing.
        """
        module = self._loader.load(self.lab)
        mine = name in {todo.function for todo in lab_data(self.lab).todos.values()}
        found = getattr(module, name, None if mine else getattr(_reference(self.lab), name))
        assert callable(found), f"{Path(str(module.__file__)).name} has no function {name}"
        return found  # type: ignore[no-any-return]

    def array(self, name: str, dtype: DTypeLike, shape: tuple[int, ...], *arguments: Any) -> NDArray[Any]:
        """Call a function that must give an array of this dtype and shape.

        Raises:
            AssertionError: if it gives anything else.
        """
        value = self(name, *arguments)
        check_array(value, dtype, shape, self._place(name))
        return value  # type: ignore[no-any-return]

    def typed(self, name: str, kind: type[T], *arguments: Any, **keywords: Any) -> T:
        """Call a function that must give exactly this type.

        Raises:
            AssertionError: if it gives anything else.
        """
        value = self(name, *arguments, **keywords)
        check_type(value, kind, self._place(name))
        return value  # type: ignore[no-any-return]

    def token(self, name: str, size: int, *arguments: Any) -> int:
        """Call a function that must give a token id below ``size``.

        Raises:
            AssertionError: if it gives anything else.
        """
        value = self.typed(name, int, *arguments)
        assert 0 <= value < size, f"{self._place(name)} gave {value}; the ids are 0 to {size - 1}"
        return value

    def _place(self, name: str) -> str:
        """``mask_row (starter.py:35)``: where an answer came from that no traceback leads to."""
        code = getattr(self.function(name), "__code__", None)
        return f"{name} ({Path(code.co_filename).name}:{code.co_firstlineno})" if code else name


def _reference(lab: Lab) -> Any:
    return import_module(f"labs.{lab.name}.solution")


@contextmanager
def asking(lab: Lab, what: str) -> Iterator[None]:
    """For a block that runs the student's code: whatever it raises, and a loop without end, becomes ``Stopped``."""
    try:
        with time_limit(PATIENCE):
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
    """The error on one line; a complaint of ours about an answer says it all without its class."""
    said = " ".join((error.msg if isinstance(error, SyntaxError) else str(error)).split())
    if isinstance(error, TimeLimit) or (isinstance(error, AssertionError) and not student_trace(error).frames):
        return said
    return f"{type(error).__name__}: {said}".removesuffix(": ")


def _at(lab: Lab, frames: tuple[StudentFrame, ...], error: BaseException) -> str:
    if isinstance(error, TimeLimit) or not frames:
        return ""  # it names its place itself
    owner = "" if frames[0].lab_number == lab.number else f"lab {frames[0].lab_number:02}'s "
    return f", at {owner}{frames[0]}"
