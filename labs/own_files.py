"""For copies of the course without references: a lab's ``solution`` is then the student's own file.

The package ``labs`` of such a copy calls ``install``. A walkthrough, given code and ``labs.assembled`` import
``labs.lab_NN_name.solution`` as they always do, and run on what the student has written so far.
"""

import re
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType

_SOLUTION = re.compile(r"labs\.(?P<lab>lab_(?P<number>\d\d)_\w+)\.solution")


class OwnFile(Loader):
    """Runs a student's file under the name of the reference. No byte code is kept: every edit counts."""

    def __init__(self, path: Path, number: int) -> None:
        self._path = path
        self._number = number

    def exec_module(self, module: ModuleType) -> None:
        """Run the file, marked as the student's: a failure then names it."""
        module.__file__ = str(self._path)
        vars(module)["__lab_number__"] = self._number
        exec(compile(self._path.read_bytes(), str(self._path), "exec", dont_inherit=True), vars(module))


class OwnFiles(MetaPathFinder):
    """Finds ``labs.lab_NN_name.solution`` where nobody else does, in the lab's ``starter.py``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the student's file as the module of that name; None for every other name.

        >>> OwnFiles(Path()).find_spec("labs.lab_02_atom_fsm.probes", None) is None
        True
        """
        match = _SOLUTION.fullmatch(fullname)
        file = self._folder / match["lab"] / "starter.py" if match else None
        if match is None or file is None or not file.is_file():
            return None
        return spec_from_loader(fullname, OwnFile(file, int(match["number"])), origin=str(file))


def install(folder: Path) -> None:
    """Ask the student's files in the labs of this folder last of all, once a process."""
    if not any(isinstance(finder, OwnFiles) for finder in sys.meta_path):
        sys.meta_path.append(OwnFiles(folder))
