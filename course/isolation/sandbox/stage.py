"""A copy of what a worker reads, and of nothing else of the repository: no tests, hints, bank, nor that lab's solution.

It is a copy because the worker's user may not enter the repository's folder, and because a file that is not there
needs no rule against reading it.
"""

import compileall
import os
import py_compile
import shutil
from collections.abc import Collection, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp

from course.student.core.catalog import ROOT, Lab, all_labs
from course.student.core.import_closure import closure

_WORKER = ROOT / "course" / "isolation" / "pipe" / "worker.py"


def stage(lab: Lab, own: Collection[int], shelf: Path) -> Path:
    """Return the folder with the copy, made in ``shelf`` unless it is there already; its name is a hash of the content.

    Args:
        lab: the lab under test.
        own: the numbers of earlier labs that are the student's own files (``LAB_CHAIN=mine``).
        shelf: a folder that the worker's user may enter.

    Returns:
        The copy's root, in which ``course``, ``labkit`` and ``labs`` are.
    """
    contents = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in _files(lab, own)}
    for earlier in all_labs():
        if earlier.number < lab.number and earlier.number in own:  # the loader takes the student's file
            contents[f"{earlier.path}/solution.py"] = b""
    total = sha256()
    for name, content in sorted(contents.items()):
        total.update(f"{name}\0{len(content)}\0".encode() + content)
    place = shelf / f"stage-{total.hexdigest()[:24]}"
    if not place.is_dir():
        _publish(contents, place)
    return place


def _files(lab: Lab, own: Collection[int]) -> Iterator[Path]:
    yield from sorted(closure([_WORKER]))
    yield from _tree(ROOT / "labkit")
    yield ROOT / "labs" / "__init__.py"
    for other in all_labs():
        if other.number <= lab.number:
            yield other.folder / "__init__.py"
            yield from _tree(other.folder / "given")
        if other.number < lab.number and other.number not in own and other.solution.is_file():
            yield other.solution


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
