"""What the ``lab`` fixture is: the functions under test, loaded at first use."""

from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from course.student.core.catalog import Lab
from course.student.core.submission import Loader


class MissingFunction(AssertionError, AttributeError):
    """The file under test lacks a function. One readable failure, and no collection error."""


class Candidate(Protocol):
    """The file under test, whether it lives in this process or behind the pipe."""

    def begin_test(self) -> None:
        """A test starts."""

    def end_test(self) -> None:
        """A test has ended."""

    def close(self) -> None:
        """The run is over."""

    def __getattr__(self, name: str) -> Any:
        """The function, or constant, of that name."""


class InProcess:
    """The file under test as a module in this process: attribute access gives the student's own function."""

    def __init__(self, lab: Lab, loader: Loader, module: ModuleType | None = None) -> None:
        self._lab = lab
        self._loader = loader
        self._module = module

    def __getattr__(self, name: str) -> Any:
        module = self._module if self._module is not None else self._loader.load(self._lab)
        return getattr(module, name)

    def begin_test(self) -> None:
        """Nothing to do."""

    def end_test(self) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to do."""


class Functions:
    """The fixture itself: a candidate whose missing functions are told in a sentence."""

    def __init__(self, candidate: Candidate, file: Path | str, lab: Lab) -> None:
        self._candidate = candidate
        self._file_name = Path(file).name
        self._lab = lab

    def __getattr__(self, name: str) -> Any:
        try:
            return getattr(self._candidate, name)
        except AttributeError as error:
            if error.__traceback__ is not None and _raised_by_the_file(error):
                raise
            raise MissingFunction(
                f"{self._file_name} has no function {name}. Every name that the starter defines must stay; "
                f"`python -m course reset {self._lab.number:02}` brings the pristine file back (and keeps yours)."
            ) from None


def _raised_by_the_file(error: AttributeError) -> bool:
    """Whether the AttributeError came out of loading the student's file, not from looking a name up in it."""
    from course.student.core.trace import student_trace

    return bool(student_trace(error).frames)
