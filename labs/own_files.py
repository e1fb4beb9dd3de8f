"""``LAB_CHAIN=mine``: your own files in place of the references, whoever imports them.

Given code, ``mask_engine``, the notebooks and your own programs all import ``labs.lab_06_regex_to_dfa.solution``. The
package ``labs`` puts a finder in front of Python's own. With ``LAB_CHAIN=mine`` it answers that import with your
``starter.py`` if you've begun the lab, and with the reference if you haven't. If a copy of the course has no reference,
your file is always the answer.

A file that is loaded may still do nothing, so each TODO's function notes its first call. That's how a run can say at
its end whose functions ran.
"""

import ast
import atexit
import os
import re
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType

MARK = "__lab_number__"
"""A global of every loaded student file, and an attribute of its SyntaxError: the number of its lab."""

RECORD = "COURSE_RAN"
"""The environment variable that names a file for the calls of a run, its child processes included; empty for none."""

YOURS, REFERENCE = "your", "the reference's"

_SOLUTION = re.compile(r"labs\.(?P<lab>lab_(?P<number>\d\d)_\w+)\.solution")
_REGION = re.compile(r"^ *# begin TODO\n.*?^ *# end TODO\n", re.M | re.S)
_NOT_WRITTEN = re.compile(r'^ *raise NotImplementedError\("lab \d+, TODO .*\n', re.M)


def is_chosen(environ: Mapping[str, str] = os.environ, ini: str = "") -> bool:
    """Return whether ``LAB_CHAIN``, or else ``lab_chain`` in the ini file, asks for the student's own files.

    Raises:
        ValueError: naming the two values that exist, for any other one.

    >>> is_chosen({"LAB_CHAIN": "mine"}), is_chosen({})
    (True, False)
    """
    source = "LAB_CHAIN" if "LAB_CHAIN" in environ else "lab_chain"
    value = environ.get("LAB_CHAIN", ini or "reference")
    if value not in ("mine", "reference"):
        raise ValueError(f"{source}={value!r} must be 'mine' (your own earlier labs) or 'reference' (the default)")
    return value == "mine"


def is_begun(lab: Path) -> bool:
    """Return whether the ``starter.py`` in a lab's folder is more than the reference without its TODOs."""
    starter, reference = lab / "starter.py", lab / "solution.py"
    if not (starter.is_file() and reference.is_file()):
        return starter.is_file()
    text = starter.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")
    given, todos = _REGION.subn("", reference.read_text(encoding="utf-8"))
    left, raises = _NOT_WRITTEN.subn("", re.sub(r"\A(#.*\n)*\n*", "", text))
    return (left, raises) != (given, todos)


# What was called ----------------------------------------------------------------------------------------

Call = tuple[str, int, str]
"""Whose function it is, its lab's number, and its name."""


class Called(dict[Call, bool]):
    """The calls so far. ``called[call]`` notes the first one; after that it's a look-up that costs next to nothing."""

    def __missing__(self, call: Call) -> bool:
        self[call] = True
        if file := os.environ.get(RECORD):
            with open(file, "a", encoding="utf-8") as record:  # noqa: PTH123
                record.write("\t".join(map(str, call)) + "\n")
        return True


CALLED = Called()
"""The calls in this process."""


def whose_ran(calls: Iterable[Sequence[object]]) -> str:
    """Return whose functions ran, as a line.

    >>> whose_ran([("your", 6, "unfold"), ("your", 6, "concat"), ("your", 7, "lift"), ("the reference's", 8, "splice")])
    "ran: your 06 (2 functions), your 07 (1); the reference's 08"
    >>> whose_ran([("the reference's", 8, "splice")]), whose_ran([])
    ("ran: none of your functions; the reference's 08", 'ran: no function of any lab')
    """
    owners = Counter((owner, lab) for owner, lab, _ in {*map(tuple, calls)})
    yours = [(lab, owners[owner, lab]) for owner, lab in sorted(owners) if owner == YOURS]
    others = ", ".join(f"{lab:02}" for owner, lab in sorted(owners) if owner == REFERENCE)
    if not owners:
        return "ran: no function of any lab"
    units = [f" function{'s' * (count > 1)}" for _, count in yours[:1]] + [""] * len(yours)
    counted = [f"your {lab:02} ({count}{unit})" for (lab, count), unit in zip(yours, units, strict=False)]
    return f"ran: {', '.join(counted) or 'none of your functions'}" + f"; {REFERENCE} {others}" * bool(others)


def report_at_exit() -> None:
    """Record the calls from now on, those of child processes too, and say on stderr whose they were when this ends.

    Nothing happens if a parent process does this already.
    """
    if RECORD not in os.environ:
        handle, os.environ[RECORD] = tempfile.mkstemp(prefix="course-ran-")
        os.close(handle)
        atexit.register(_report, Path(os.environ[RECORD]), os.getpid())


def _report(record: Path, process: int) -> None:
    if os.getpid() == process:  # a fork would say it again
        lines = record.read_text(encoding="utf-8").splitlines()
        record.unlink()
        print(
            whose_ran((owner, int(lab), name) for owner, lab, name in (line.split("\t") for line in lines)),
            file=sys.stderr,
        )


# What is imported ---------------------------------------------------------------------------------------


def run(module: ModuleType, file: Path, lab: int, functions: Collection[str], owner: str = YOURS) -> None:
    """Run a lab's file as this module. No byte code is kept, so an edit within the same second counts.

    Args:
        functions: the names of those that note their calls. One with a decorator doesn't: a kernel is no longer
            Python's. For a student's file the module gets the mark by which a failure names the lab.

    Raises:
        Exception: whatever the file raises.
    """
    module.__file__ = str(file)
    if owner == YOURS:
        vars(module)[MARK] = lab
    with suppress(ModuleNotFoundError):  # a lab that a test made up
        folders = import_module(module.__name__.rpartition(".")[0]).__path__
        if str(file.parent) not in folders:  # after the lab's own: for files that were submitted beside it
            folders.append(str(file.parent))
    try:
        tree = ast.parse(_text_of(file), str(file))
    except SyntaxError as error:  # it has no frame in the file
        setattr(error, MARK, lab)
        raise
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in functions and not node.decorator_list:
            _note_call(node, (owner, lab, node.name))
    vars(module)["__called__"] = CALLED
    exec(compile(tree, str(file), "exec", dont_inherit=True), vars(module))


def functions_of(lab: Path) -> Collection[str]:
    """Return the names of a lab's TODOs."""
    hints = lab / "hints.toml"
    return tomllib.loads(hints.read_text(encoding="utf-8"))["todo"].keys() if hints.is_file() else ()


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


def _text_of(file: Path) -> str:
    """Return a file's text. In a text Python heeds no coding cookie, so whoever reads the file reads what is run."""
    try:
        return decoded(file.read_bytes())[0]
    except UnicodeDecodeError as error:
        raise SyntaxError(f"the file is not UTF-8: {error}") from None


def _note_call(function: ast.FunctionDef, call: Call) -> None:
    """Begin a function with a statement that notes its call, on the line of its ``def``."""
    note = ast.parse(f"__called__[{call!r}]").body[0]
    for node in ast.walk(note):
        ast.copy_location(node, function)
    function.body.insert(ast.get_docstring(function, clean=False) is not None, note)


class LabFile(Loader):
    """Runs a file under the name of a lab's ``solution``."""

    def __init__(self, file: Path, lab: int, owner: str) -> None:
        self._file, self._lab, self._owner = file, lab, owner

    def exec_module(self, module: ModuleType) -> None:
        """Run the file."""
        run(module, self._file, self._lab, functions_of(FINDER.folder / module.__name__.split(".")[1]), self._owner)


class OwnFiles(MetaPathFinder):
    """Finds ``labs.lab_NN_name.solution`` where it is the student's file, or a reference whose calls count.

    Attributes:
        folder: the one with the labs.
        files: the student's files by their labs' numbers; None for the starters, if ``LAB_CHAIN`` asks for them.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: Mapping[int, Path] | None = None

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the module's spec; None for every name that Python should look for itself.

        >>> OwnFiles(Path()).find_spec("labs.lab_02_atom_fsm.probes") is None
        True
        """
        match = _SOLUTION.fullmatch(fullname)
        if match is None:
            return None
        lab, number = self.folder / match["lab"], int(match["number"])
        if self.files is None and is_chosen():
            report_at_exit()
        file, owner = self._choose(lab, number)
        return spec_from_loader(fullname, LabFile(file, number, owner), origin=str(file)) if file else None

    def _choose(self, lab: Path, number: int) -> tuple[Path | None, str]:
        starter, reference = lab / "starter.py", lab / "solution.py"
        counts = bool(self.files) if self.files is not None else is_chosen()
        own = self.files.get(number) if self.files else starter if counts and is_begun(lab) else None
        if own is None and starter.is_file() and not reference.is_file():
            own = starter
        return (own, YOURS) if own else (reference if counts and reference.is_file() else None, REFERENCE)


FINDER = OwnFiles(Path(__file__).parent)


def install() -> None:
    """Ask the finder before all others, from now on."""
    if not any(isinstance(finder, OwnFiles) for finder in sys.meta_path):
        sys.meta_path.insert(0, FINDER)


class InPlace:
    """A block in which these files are in place of the references, or, with no file, the references themselves.

    What it imports of the labs and of ``mask_engine`` is imported again, and comes back whenever the block is entered
    again. After the block everybody has the modules from before.
    """

    def __init__(self, files: Mapping[int, Path]) -> None:
        self.files = dict(files)
        self._modules: dict[str, ModuleType] = {}

    def __enter__(self) -> "InPlace":
        self._before = FINDER.files, _taken()
        FINDER.files = self.files
        _put(self._modules)
        return self

    def __exit__(self, *error: object) -> None:
        self._modules = _taken()
        FINDER.files, modules = self._before
        _put(modules)

    def forget(self) -> None:
        """Import everything again from here on, since a file may have changed."""
        _taken()


def _taken() -> dict[str, ModuleType]:
    """Take out of ``sys.modules``, and return, all that may depend on a lab's file."""
    names = [name for name in sys.modules if re.match(r"labs\.(?!own_files$)|mask_engine(\.|$)", name)]
    taken = {name: sys.modules.pop(name) for name in names}
    for name in {name.split(".")[1] for name in names if name.startswith("labs.")}:
        vars(sys.modules["labs"]).pop(name, None)
    return taken


def _put(modules: Mapping[str, ModuleType]) -> None:
    """Put modules back."""
    sys.modules.update(modules)
    for name, module in modules.items():
        if re.fullmatch(r"labs\.\w+", name):
            setattr(sys.modules["labs"], name.split(".")[1], module)
