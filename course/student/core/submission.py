"""Loading the student's files, alone or as a chain of labs that build on each other."""

import ast
import builtins
import importlib
import importlib.util
import io
import re
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

from course.student.core.catalog import Lab, all_labs
from course.student.core.trace import MARK, StudentFrame, StudentTrace

_LABS = re.compile(r"labs(?:\.(?P<lab>lab_\d\d_\w+)(?P<solution>\.solution)?)?")


class Loader:
    """Loads the files under test, each once; a file that failed to load fails again with the same error.

    Args:
        files: the student's file of each lab number that has one.
        chain: whether an import of an earlier lab's solution, made in a student's file, gets the
            student's own file of that lab (``LAB_CHAIN=mine``) instead of the reference.
        called: gets lab number and name of each of the files' functions when it is called; None to note nothing.
    """

    def __init__(
        self, files: Mapping[int, Path], *, chain: bool = False, called: set[tuple[int, str]] | None = None
    ) -> None:
        self.files = dict(files)
        self.chain = chain
        self.called = called
        self._loaded: dict[int, ModuleType] = {}
        self._loading: list[Lab] = []
        self._failed: dict[int, tuple[BaseException, TracebackType | None]] = {}

    def load(self, lab: Lab) -> ModuleType:
        """Return the module made from the student's file of this lab; raise whatever the file raises."""
        if lab.number in self._failed:
            error, traceback = self._failed[lab.number]
            raise error.with_traceback(traceback)  # the first traceback: otherwise each test would lengthen it
        if lab in self._loading:
            raise ImportError(f"{self._loading[-1].label} imports {lab.label}, which is itself still being imported")
        if lab.number not in self._loaded:
            self._loading.append(lab)
            try:
                self._run(lab, self.files[lab.number])
            except BaseException as error:
                self._failed[lab.number] = (error, error.__traceback__)
                raise
            finally:
                self._loading.pop()
        return self._loaded[lab.number]

    def has_failed(self, lab: Lab) -> bool:
        """Return whether the student's file of this lab was loaded, and raised."""
        return lab.number in self._failed

    def _run(self, lab: Lab, path: Path) -> None:
        """Compile and run the file. No byte code is cached: an edit within the same second must count."""
        module = ModuleType(f"labs.{lab.name}.submitted")
        module.__file__ = str(path)
        module.__package__ = f"labs.{lab.name}"
        setattr(module, MARK, lab.number)
        if self.chain:
            module.__dict__["__builtins__"] = {**vars(builtins), "__import__": self._import}
        with suppress(ModuleNotFoundError):  # a lab that a test made up
            folders = importlib.import_module(module.__package__).__path__
            if str(path.parent) not in folders:  # after the lab's own: for files that were submitted beside it
                folders.append(str(path.parent))
        sys.modules[module.__name__] = module  # dataclasses look their module up there
        self._loaded[lab.number] = module
        try:
            tree = ast.parse(_text_of(path), str(path))
        except SyntaxError as error:  # it has no frame in the file, so it carries one
            frame = StudentFrame(lab.number, str(path), error.lineno or 0, "<module>", (error.text or "").strip())
            error.__student_trace__ = StudentTrace((frame,))  # type: ignore[attr-defined]
            raise
        if self.called is not None:
            _note_calls(tree, lab)
            module.__dict__["__called__"] = self.called
        exec(compile(tree, str(path), "exec", dont_inherit=True), module.__dict__)

    def _import(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,  # noqa: A002 (the signature is Python's)
        locals: Mapping[str, Any] | None = None,  # noqa: A002
        fromlist: tuple[str, ...] | None = (),
        level: int = 0,
    ) -> Any:
        """Import for a student's file: another lab's ``solution`` is the student's own file."""
        package = (globals or {}).get("__package__") or ""
        full = importlib.util.resolve_name("." * level + name, package) if level else name
        match = _LABS.fullmatch(full)
        own = self.own(match)
        if own and fromlist:  # from labs.lab_02_atom_fsm.solution import advance; there may be no reference at all
            return own
        if own:  # import labs.lab_02_atom_fsm.solution: gives labs
            name, level = full.rpartition(".")[0], 0
        real = builtins.__import__(name, globals, locals, fromlist or (), level)
        if not fromlist and full.partition(".")[0] == "labs":
            return _View(self, "labs", real)
        if match is None or match["solution"]:
            return real
        return _View(self, full, real)  # from labs.lab_02_atom_fsm import solution; from labs import lab_02_atom_fsm

    def own(self, match: re.Match[str] | None) -> ModuleType | None:
        """Return the student's own file of the lab whose solution a dotted name means, if it is among the files."""
        named = match["lab"] if match and match["solution"] else None
        lab = next((lab for lab in all_labs() if lab.name == named and lab.number in self.files), None)
        return self.load(lab) if lab else None


def put_in_place_of_references(files: Mapping[int, Path]) -> None:
    """Let every later import of these labs' ``solution`` get the student's file, in this process and for good.

    Raises:
        Exception: whatever a file raises when it is loaded.
    """
    loader = Loader(files, chain=True)
    for lab in (lab for lab in all_labs() if lab.number in files):
        package = importlib.import_module(f"labs.{lab.name}")
        package.solution = sys.modules[f"{package.__name__}.solution"] = loader.load(lab)  # type: ignore[attr-defined]


def decoded(content: bytes) -> tuple[str, str]:
    """Return a file's text and how it was saved: as UTF-8, or in the code page of older editors on Windows.

    Raises:
        UnicodeDecodeError: if it is neither, as UTF-16 is not.

    >>> decoded("naïve".encode()), decoded("# naïve".encode("cp1252"))
    (('naïve', 'utf-8-sig'), ('# naïve', 'cp1252'))
    """
    try:
        return content.decode("utf-8-sig"), "utf-8-sig"
    except UnicodeDecodeError as error:
        with suppress(UnicodeDecodeError):
            if b"\0" not in content:
                return content.decode("cp1252"), "cp1252"
        raise error from None


def _text_of(path: Path) -> str:
    """Return a file's text. In a text Python heeds no coding cookie, so whoever reads the file reads what is run."""
    try:
        return decoded(path.read_bytes())[0]
    except UnicodeDecodeError as error:
        raise SyntaxError(f"the file is not UTF-8: {error}") from None


def _note_calls(tree: ast.Module, lab: Lab) -> None:
    """Begin each plain function of a file with a statement that notes its call, on the line of its ``def``.

    What a decorator makes of a function is its own affair: a kernel is no longer Python's.
    """
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    for function in (node for node in functions if not node.decorator_list):
        note = ast.parse(f"__called__.add(({lab.number}, {function.name!r}))").body[0]
        for node in ast.walk(note):
            ast.copy_location(node, function)
        function.body.insert(ast.get_docstring(function, clean=False) is not None, note)


@contextmanager
def quiet() -> Iterator[None]:
    """Drop what a student's code prints or warns of in a block."""
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


class _View(ModuleType):
    """The package ``labs``, or the package of one lab, as a student's file sees it in a chain."""

    def __init__(self, loader: Loader, name: str, real: ModuleType) -> None:
        super().__init__(name, real.__doc__)
        self._loader = loader
        self._real = real

    def __getattr__(self, name: str) -> Any:
        """Return what the real package has, except for labs and solutions that are the student's own."""
        match = _LABS.fullmatch(f"{self.__name__}.{name}")
        if own := self._loader.own(match):
            return own
        real = getattr(self._real, name)
        return _View(self._loader, match[0], real) if match and not match["solution"] else real
