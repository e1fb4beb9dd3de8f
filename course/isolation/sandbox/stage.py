"""Starting the pipe's worker in a sandbox, with a copy of what it reads.

The copy has nothing else of the repository: no tests, hints, bank, nor that lab's solution. Of what labs are given it
has what the reference itself imports, since other given code may do a TODO's work: a faster twin, a scene, a server, or
a helper of an earlier lab. The solutions of earlier labs come along if that given code is all they need. It is a copy
because the worker's user may not enter the repository's folder, and because a file that is not there needs no rule
against it.
"""

import compileall
import os
import py_compile
import shutil
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

from course.isolation.sandbox import machine
from course.isolation.sandbox.process import ConfinedProcess, Limits
from course.isolation.sandbox.ways import Backend
from course.student.core.catalog import ROOT, Lab, all_labs
from course.student.core.import_closure import closure, imported

_WORKER = ROOT / "course" / "isolation" / "pipe" / "worker.py"
_STARTER = b"import sys\nfrom . import solution\nsys.modules[__name__] = solution\n"
"""The starter of an earlier lab: a later one builds on the reference, whichever of the two it imports."""

_BEGIN = "import sys; sys.path[:0] = sys.argv[1:]; from course.isolation.pipe.worker import main; main()"


@dataclass
class Sandbox:
    """How the workers of one grader are confined: pass it to ``PipedLab(..., sandbox=...)``.

    Attributes:
        backend: what confines them.
        limits: what one worker may use; a submission has one worker as long as nothing ends it.
        shelf: a folder that keeps copies of what workers read for the next grader, and this one's files until
            ``close``; None for a temporary folder.
        beside: names and texts of files that were submitted beside the lab's.
    """

    backend: Backend
    limits: Limits = field(default_factory=Limits)
    shelf: Path | None = None
    beside: Mapping[str, str] = field(default_factory=dict)
    _started: list[ConfinedProcess] = field(default_factory=list, init=False, repr=False)

    def start(self, lab: Lab, files: Mapping[int, Path]) -> tuple[ConfinedProcess, dict[str, Any]]:
        """Return a worker, which sees no tests, hints or solution of the lab, and what to ask it to load.

        Raises:
            NoSandbox, ValueError, OSError: if it could not be started.
        """
        shelf = self._folder / "shelf" if self.shelf is None else self.shelf.resolve()
        copy = stage(lab, [number for number in files if number < lab.number], shelf)
        submitted = {number: self._copied(number, path) for number, path in files.items()}
        write_beside(submitted[lab.number], self.beside)
        open_to_all(self._folder / "submitted")
        paths = [str(copy), *map(str, machine.package_folders())]
        process = self.backend.start(
            [*machine.python(), "-c", _BEGIN, *paths],
            readable=[copy, self._folder / "submitted"],
            limits=self.limits,
            within=self._folder,
        )
        self._started.append(process)
        return process, {
            "number": lab.number,
            "folder": str(copy / lab.path),
            "files": {number: str(path) for number, path in submitted.items()},
        }

    def processor_time(self) -> float:
        """Return the seconds of processor time of all workers so far."""
        return sum(process.processor_time() for process in self._started)

    def close(self) -> None:
        """Remove its files. A process that ends without ``atexit`` must call it; the sandbox may be used again."""
        if self.__dict__.pop("_folder", None) is not None:
            self._temporary.cleanup()

    @cached_property
    def _folder(self) -> Path:
        """Return a folder for this object's workers, one after another."""
        self._temporary = TemporaryDirectory(prefix="course-sandbox-", dir=self.shelf, ignore_cleanup_errors=True)
        folder = Path(self._temporary.name).resolve()
        for part in ("submitted", "shelf"):
            (folder / part).mkdir()
        open_to_all(folder)
        return folder

    def _copied(self, number: int, path: Path) -> Path:
        """Return where the worker finds a student's file: under its own name, which failures show."""
        place = self._folder / "submitted" / f"{number:02}" / path.name
        shutil.rmtree(place.parent, ignore_errors=True)
        place.parent.mkdir()
        place.write_bytes(path.read_bytes())
        return place


def write_beside(file: Path, texts: Mapping[str, str]) -> None:
    """Write the files that were submitted beside one."""
    for name, text in texts.items():
        file.with_name(name).write_text(text, encoding="utf-8", errors="surrogatepass", newline="")


def stage(lab: Lab, own: Collection[int], shelf: Path) -> Path:
    """Return the folder with ``course``, ``labkit`` and ``labs``, made unless it is there: its name is their hash.

    Args:
        own: the numbers of earlier labs that are the student's own files (``LAB_CHAIN=mine``).
        shelf: a folder that the worker's user may enter.
    """
    contents = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in _files(lab)}
    # Where there is no reference, the file itself is loaded as one.
    contents[f"{lab.path}/__init__.py"] = (lab.folder / "__init__.py").read_bytes()
    for earlier in (each for each in all_labs() if each < lab):
        name, package = f"{earlier.path}/solution.py", earlier.folder / "__init__.py"
        if earlier.number in own:  # the loader takes the student's, also where there is no reference
            contents |= {name: b"", f"{earlier.path}/__init__.py": package.read_bytes()}
        elif name in contents:
            contents[f"{earlier.path}/starter.py"] = _STARTER
    total = sha256()
    for name, content in sorted(contents.items()):
        total.update(f"{name}\0{len(content)}\0".encode() + content)
    place = shelf / f"stage-{total.hexdigest()[:24]}"
    if not place.is_dir():
        _publish(contents, place)
    return place


def _files(lab: Lab) -> Iterator[Path]:
    labs = [other for other in all_labs() if other <= lab]
    folders = [ROOT / "labkit", *(other.folder / "given" for other in labs)]
    trees = [path for folder in folders for path in _tree(folder)]
    # The types of the tests' arguments travel as data, so the worker needs them whatever the submission imports.
    passed = [path for path in imported(lab.folder / "test_lab.py") if path.parent.name in ("automata", "labkit")]
    starts = [_WORKER, *passed, *_tree(ROOT / "labkit" / "checking"), ROOT / "labs" / "__init__.py"]
    # Nobody is graded where the reference is missing: there it is the student's own computer.
    needed = closure([*starts, lab.solution]) if lab.solution.is_file() else {*trees, *closure(starts)}
    for earlier in filter(Path.is_file, [other.solution for other in labs]):
        brought = closure([earlier])
        if all(path in needed for path in brought if "given" in path.relative_to(ROOT).parts):
            needed |= brought
    yield from sorted({*needed, *(path for path in trees if path.suffix != ".py")} - {lab.solution})


def _tree(folder: Path) -> Iterator[Path]:
    """Yield all files in a folder, without pages, byte code, hidden files and links."""
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "__pycache__" and not name.startswith("."))
        paths = (Path(parent, name) for name in sorted(names) if not name.startswith("."))
        yield from (path for path in paths if path.suffix != ".md" and path.is_file() and not path.is_symlink())


def _publish(contents: dict[str, bytes], place: Path) -> None:
    """Make the copy under another name, then rename it: another grader may be making the same one."""
    building = Path(mkdtemp(prefix="building-", dir=place.parent))
    for name, content in contents.items():
        (building / name).parent.mkdir(parents=True, exist_ok=True)
        (building / name).write_bytes(content)
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    compileall.compile_dir(building, quiet=2, invalidation_mode=mode, stripdir=str(building), prependdir=str(place))
    open_to_all(building)
    with suppress(OSError):
        building.rename(place)
    shutil.rmtree(building, ignore_errors=True)


def open_to_all(folder: Path) -> None:
    """Let every user read a folder and all in it, and only its owner write."""
    folder.chmod(0o755)
    for parent, folders, names in os.walk(folder):
        for name in folders:
            Path(parent, name).chmod(0o755)
        for name in names:
            Path(parent, name).chmod(0o644)
