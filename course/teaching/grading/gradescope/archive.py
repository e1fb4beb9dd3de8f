"""The zip that an instructor uploads to Gradescope: two scripts, and the course up to one lab."""

import os
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

from course.student.core.catalog import ROOT, Lab, all_labs
from course.teaching.grading.store import write_bytes

_SCRIPTS = Path(__file__).parent / "scripts"
_ROOT_FILES = ("LICENSE", "conftest.py", "constraints.txt", "pyproject.toml", "requirements.txt", "labs/__init__.py")
_FOLDERS = ("course", "labkit")
_LEFT_OUT = (".ipynb", ".md", ".svg", ".png")
_TIME = (2020, 1, 1, 0, 0, 0)
"""Of every entry, so that the same course gives the same zip."""


def write_archive(console: Console, lab: Lab, out: Path) -> int:
    """Write the zip and say what to do with it; 0.

    Raises:
        ValueError: if it cannot be written, or the lab has no reference here.
    """
    if not lab.has_reference:
        raise ValueError(f"{lab.label}: this copy of the course does not hold its reference")
    try:
        write_bytes(out, archive(lab))
    except OSError as error:
        raise ValueError(f"{out} cannot be written: {error.strerror}") from error
    console.print(Text(f"wrote {out} ({out.stat().st_size:,} bytes): upload it under Configure Autograder"))
    return 0


def archive(lab: Lab) -> bytes:
    """The zip's bytes."""
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as files:
        for name, content in sorted(contents(lab).items()):
            entry = zipfile.ZipInfo(name, _TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if name in ("setup.sh", "run_autograder") else 0o100644) << 16
            files.writestr(entry, content)
    return made.getvalue()


def contents(lab: Lab) -> dict[str, bytes]:
    """The files by their names in the zip."""
    found = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in _files(lab)}
    scripts = {name: (_SCRIPTS / name).read_bytes() for name in ("setup.sh", "run_autograder")}
    return {**found, **scripts, "lab": f"{lab.number:02}\n".encode()}


def _files(lab: Lab) -> Iterator[Path]:
    yield from (ROOT / name for name in _ROOT_FILES if (ROOT / name).is_file())
    yield from sorted((ROOT / "requirements").glob("*.txt"))
    for folder in (*(ROOT / name for name in _FOLDERS), *(each.folder for each in all_labs() if each <= lab)):
        yield from _tree(folder)


def _tree(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        paths = (Path(parent, name) for name in sorted(names) if name != "starter.py" and not name.startswith("."))
        yield from (path for path in paths if path.suffix not in _LEFT_OUT and not path.is_symlink())
