"""Loading the files under test."""

import io
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path
from types import ModuleType, TracebackType

from course.student.core.catalog import Lab
from labs import own_files


class Loader:
    """Loads the files under test, each once; a file that failed to load fails again with the same error.

    Args:
        files: the student's file of each lab number that has one.
        chain: whether the files are in place of the references (``own_files.InPlace``). Then a lab's module is the one
            that everybody imports as its ``solution``; otherwise it's one more module, which nobody else sees.
    """

    def __init__(self, files: Mapping[int, Path], *, chain: bool = False) -> None:
        self.files = dict(files)
        self.chain = chain
        self._loaded: dict[int, ModuleType] = {}
        self._failed: dict[int, tuple[BaseException, TracebackType | None]] = {}

    def load(self, lab: Lab) -> ModuleType:
        """Return the module made from the student's file of this lab; raise whatever the file raises."""
        if lab.number in self._failed:
            error, traceback = self._failed[lab.number]
            raise error.with_traceback(traceback)  # the first traceback: otherwise each test would lengthen it
        if lab.number not in self._loaded:
            try:
                self._loaded[lab.number] = import_module(f"labs.{lab.name}.solution") if self.chain else self._run(lab)
            except BaseException as error:
                self._failed[lab.number] = (error, error.__traceback__)
                raise
        return self._loaded[lab.number]

    def has_failed(self, lab: Lab) -> bool:
        """Return whether the student's file of this lab was loaded, and raised."""
        return lab.number in self._failed

    def _run(self, lab: Lab) -> ModuleType:
        module = ModuleType(f"labs.{lab.name}.submitted")
        module.__package__ = f"labs.{lab.name}"
        sys.modules[module.__name__] = module  # dataclasses look their module up there
        own_files.run(module, self.files[lab.number], lab.number, own_files.functions_of(lab.folder))
        return module


@contextmanager
def quiet() -> Iterator[None]:
    """Drop what a student's code prints or warns of in a block."""
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
