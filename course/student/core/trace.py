"""What an exception says about the student's own files: which of their lines it passed through."""

import linecache
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from labs.own_files import MARK

SHOWN_AS = "__lab_shown_as__"
"""A global with the name to show where the file's own says nothing: for a notebook's cells."""


@dataclass(frozen=True)
class StudentFrame:
    """One line of a student's file that was being run."""

    lab_number: int
    file: str
    line: int
    function: str
    source: str

    def __str__(self) -> str:
        return f"{Path(self.file).name}:{self.line} in {self.function}: {self.source}"


@dataclass(frozen=True)
class StudentTrace:
    """The student's lines that an exception passed through, outermost first, and whether it says "not written yet"."""

    frames: tuple[StudentFrame, ...] = ()
    todo: bool = False


def student_frame(frame: FrameType, line: int | None) -> StudentFrame | None:
    """Return the student's line that this frame is at, or None where the code is not the student's.

    A frame may have no line: an exception such as the time limit's can be raised between two lines.
    """
    lab_number = frame.f_globals.get(MARK)
    if lab_number is None:
        return None
    code = frame.f_code
    line = line or code.co_firstlineno
    source = linecache.getline(code.co_filename, line, frame.f_globals).strip()
    return StudentFrame(lab_number, frame.f_globals.get(SHOWN_AS, code.co_filename), line, code.co_name, source)


def innermost_student_frame(frame: FrameType | None) -> StudentFrame | None:
    """Return the nearest line of the student's on a running stack, for naming an endless loop."""
    steps = traceback.walk_stack(frame) if frame else ()
    return next((found for step, line in steps if (found := student_frame(step, line))), None)


def visible(text: str) -> str:
    r"""Return the text with everything escaped that does not show as itself: control characters, changes of direction.

    >>> visible("a\u202eb\x1b[1m"), visible("Zoë")
    ('a\\u202eb\\x1b[1m', 'Zoë')
    """
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def safe_text(error: BaseException) -> str:
    """Return ``str(error)``, or a substitute where the exception's own ``__str__`` fails."""
    try:
        return str(error)
    except BaseException:
        return f"({type(error).__name__}, whose text cannot be made)"


def student_trace(error: BaseException) -> StudentTrace:
    """Return the student's part of an exception's traceback; a trace from another process is used as it is.

    "Not written yet" is a NotImplementedError whose innermost frame is the student's: one that NumPy
    raises deep inside, because of what the student asked of it, is a fault like any other.
    """
    carried = getattr(error, "__student_trace__", None)
    if isinstance(carried, StudentTrace):
        return carried
    steps = [student_frame(frame, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and hasattr(error, MARK):  # Python couldn't read a line of that lab's file
        line = (error.text or "").strip()
        steps = [StudentFrame(getattr(error, MARK), str(error.filename), error.lineno or 0, "<module>", line)]
    frames = tuple(step for step in steps if step is not None)
    todo = isinstance(error, NotImplementedError) and bool(steps) and steps[-1] is not None
    return StudentTrace(frames, todo)


@contextmanager
def faults_named() -> Iterator[None]:
    """Make a ValueError of a fault in a student's file, or of a TODO that isn't written, for a command that ends there.

    >>> with faults_named():
    ...     exec("1 / 0", {MARK: 6})
    Traceback (most recent call last):
    ValueError: your lab 06: ZeroDivisionError: division by zero
        <string>:1 in <module>:
    """
    try:
        yield
    except Exception as error:
        trace = student_trace(error)
        if not trace.frames:
            raise
        at = trace.frames[-1]
        what = "not written yet" if trace.todo else type(error).__name__
        words = error.msg if isinstance(error, SyntaxError) else safe_text(error)
        raise ValueError(f"your lab {at.lab_number:02}: {what}: {words}\n    {at}".rstrip()) from error
