"""Loading the student's files, alone or as a chain of labs that stand on each other."""

import builtins
import importlib.util
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from types import CodeType, ModuleType, SimpleNamespace
from typing import Any

from course.catalog import Lab, find_lab
from course.trace import MARK, StudentFrame, StudentTrace

_SOLUTION = re.compile(r"labs\.(lab_\d\d_\w+)(?:\.solution)?")


class Loader:
    """Loads the files under test, each once; a file that failed to load fails again with the same error.

    Args:
        files: the student's file of each lab number that has one.
        chain: whether an import of an earlier lab's solution, made in a student's file, gets the
            student's own file of that lab (``LAB_CHAIN=mine``) instead of the reference.
    """

    def __init__(self, files: Mapping[int, Path], *, chain: bool = False) -> None:
        self.files = dict(files)
        self.chain = chain
        self._loaded: dict[int, ModuleType] = {}
        self._failed: dict[int, BaseException] = {}

    def load(self, lab: Lab) -> ModuleType:
        """The module made from the student's file of this lab; raises whatever the file raises."""
        if lab.number in self._failed:
            raise self._failed[lab.number]
        if lab.number not in self._loaded:
            try:
                self._run(lab, self.files[lab.number])
            except BaseException as error:
                self._failed[lab.number] = error
                raise
        return self._loaded[lab.number]

    def _run(self, lab: Lab, path: Path) -> None:
        """Compile and run the file. No byte code is cached: an edit within the same second must count."""
        module = ModuleType(f"labs.{lab.name}.submitted")
        module.__file__ = str(path)
        module.__package__ = f"labs.{lab.name}"
        setattr(module, MARK, lab.number)
        if self.chain:
            module.__dict__["__builtins__"] = {**vars(builtins), "__import__": self._import}
        sys.modules[module.__name__] = module  # dataclasses look their module up there
        self._loaded[lab.number] = module
        exec(_compiled(lab, path), module.__dict__)

    def _import(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,  # noqa: A002 (the signature is Python's)
        locals: Mapping[str, Any] | None = None,  # noqa: A002
        fromlist: tuple[str, ...] | None = (),
        level: int = 0,
    ) -> Any:
        """``__import__`` as a student's file sees it: another lab's ``solution`` is the student's own file."""
        package = (globals or {}).get("__package__") or ""
        full = importlib.util.resolve_name("." * level + name, package) if level else name
        real = builtins.__import__(name, globals, locals, fromlist or (), level)
        match = _SOLUTION.fullmatch(full)
        lab = find_lab(match[1]) if match else None
        if lab is None or lab.number not in self.files:
            return real
        if not full.endswith(".solution"):  # from labs.lab_02_atom_fsm import solution
            wanted = {each: getattr(real, each) for each in fromlist or ()}
            return SimpleNamespace(**wanted | ({"solution": self.load(lab)} if "solution" in wanted else {}))
        if fromlist:  # from labs.lab_02_atom_fsm.solution import advance
            return self.load(lab)
        return SimpleNamespace(**{lab.name: SimpleNamespace(solution=self.load(lab))})  # import labs.lab_02….solution


def _compiled(lab: Lab, path: Path) -> CodeType:
    """The file's code; a syntax error remembers whose file it stands in, for it has no frame there."""
    try:
        return compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
    except SyntaxError as error:
        frame = StudentFrame(lab.number, str(path), error.lineno or 0, "<module>", (error.text or "").strip())
        error.__student_trace__ = StudentTrace((frame,))  # type: ignore[attr-defined]
        raise
