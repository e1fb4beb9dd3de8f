"""What the ``lab`` fixture is: the functions under test, loaded at first use."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import wraps
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Protocol

from course.student.core.catalog import Lab
from course.student.core.repairs import repaired
from course.student.core.submission import Loader
from course.student.core.trace import student_trace
from labkit.checking.copies import copied
from labs.own_files import CALLED, Call

CALL = "__course_call__"
"""The attribute of an error that holds the call of the file under test from which it came: name and arguments."""


class MissingFunction(AssertionError, AttributeError):
    """The file under test lacks a function: one readable failure, not a collection error."""

    says_all = True


class Candidate(Protocol):
    """The file under test, in this process or in another one; its functions and constants are attributes."""

    def begin_test(self, seconds: float | None = None) -> None:
        """Prepare for a test, which may use this processor time in place of the run's limit."""
        return None

    def end_test(self) -> None:
        """Clean up after a test."""
        return None

    def close(self) -> None:
        """Clean up after the run."""
        return None

    def set_in_place(self, in_place: bool) -> None:
        """Let the next calls change the test's own arguments, or copies, which ``LabFunctions`` makes here."""
        return None

    def called_functions(self) -> set[Call]:
        """Return the labs' functions that the test has called; none where nobody can know."""
        return set()

    def loaded_anew(self) -> "Candidate":
        """Return the file under test without what its functions may remember, if it can be loaded again."""
        return self

    def repaired(self, functions: Iterable[str]) -> AbstractContextManager[object] | None:
        """Return a block in which the reference's functions take the place of these; None where nobody can do it."""
        return None

    def __getattr__(self, name: str) -> Any:
        """Return the function, or constant, of that name."""


class InProcess(Candidate):
    """The file under test as a module in this process: attribute access gives the student's own function."""

    def __init__(self, lab: Lab, loader: Loader, module: ModuleType | None = None) -> None:
        self._lab = lab
        self._loader = loader
        self._module = module

    def begin_test(self, seconds: float | None = None) -> None:
        """Forget which functions were called before."""
        CALLED.clear()

    def called_functions(self) -> set[Call]:
        """Return those that have noted a call in this process."""
        return set(CALLED)

    def loaded_anew(self) -> Candidate:
        """Return a candidate of its own for the same file; not for a notebook's functions, or a file that failed."""
        if self._module or self._loader.has_failed(self._lab):
            return self
        return InProcess(self._lab, Loader(self._loader.files))

    def repaired(self, functions: Iterable[str]) -> AbstractContextManager[object] | None:
        """Return the block, if the reference was handed out."""
        return (
            repaired(self._module or self._loader.load(self._lab), self._lab, functions)
            if self._lab.has_reference
            else None
        )

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module or self._loader.load(self._lab), name)


class LabFunctions:
    """The fixture itself: a candidate whose missing functions are named in a sentence.

    A function gets copies of its arguments, so that nothing that a test reads after a call comes from the submission;
    in a block ``with lab.in_place():`` it gets the test's own lists, dicts, sets and arrays, and may change them.
    """

    def __init__(self, candidate: Candidate, file: Path | str, lab: Lab, *, in_place: bool = False) -> None:
        self._candidate = candidate
        self._file_name = Path(file).name
        self._lab = lab
        self._in_place = in_place

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Let the calls in a block change their arguments: for tests of functions that work in place."""
        before, self._in_place = self._in_place, True
        self._candidate.set_in_place(True)
        try:
            yield
        finally:
            self._in_place = before
            self._candidate.set_in_place(before)

    def _on_copies(self, function: FunctionType) -> Callable[..., Any]:
        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            if not self._in_place:
                args, kwargs = copied((args, kwargs))
            try:
                return function(*args, **kwargs)
            except Exception as error:
                with suppress(Exception):  # a student's own class may refuse it
                    error.__dict__.setdefault(CALL, (function.__name__, args))
                raise

        return call

    def __getattr__(self, name: str) -> Any:
        try:
            value = getattr(self._candidate, name)
        except AttributeError as error:
            if error.__traceback__ is not None and student_trace(error).frames:
                raise  # it comes from loading the student's file, not from looking up a name in it
            raise MissingFunction(
                f"{self._file_name} has no function {name}. Every name that the starter defines must stay; "
                f"`python3 -m course reset {self._lab.number:02}` brings the pristine file back (and keeps yours)."
            ) from None
        return self._on_copies(value) if isinstance(value, FunctionType) else value
