"""The zip that an instructor uploads to Gradescope: two scripts, the grader, and the labs up to one."""

import os
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

from course.student.core.catalog import ROOT, Lab, all_labs
from course.student.core.import_closure import closure
from course.teaching.grading.gradescope import autograder
from course.teaching.grading.job import write
from course.teaching.grading.trusted_base import PROCESSES

_SCRIPTS = Path(__file__).parent / "scripts"
_SETTINGS = ("*.txt", "*.toml", "LICENSE")
_LEFT_OUT = (".ipynb", ".md", ".svg", ".png")
_TIME = (2020, 1, 1, 0, 0, 0)
"""The time of every entry, so that the same course gives the same zip."""


def write_archive(console: Console, lab: Lab, out: Path) -> int:
    """Write the zip, print what to do with it, and return 0.

    Raises:
        ValueError: if it cannot be written, or the lab has no reference here.
    """
    if not lab.has_reference:
        raise ValueError(f"{lab.label}: this copy of the course does not hold its reference")
    try:
        write(out, archive(lab))
    except OSError as error:
        raise ValueError(f"{out} cannot be written: {error.strerror}") from error
    console.print(Text(f"wrote {out} ({out.stat().st_size:,} bytes): upload it under Configure Autograder"))
    return 0


def archive(lab: Lab) -> bytes:
    """Return the zip's bytes."""
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as files:
        for name, content in sorted(contents(lab).items()):
            entry = zipfile.ZipInfo(name, _TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if name in ("setup.sh", "run_autograder") else 0o100644) << 16
            files.writestr(entry, content)
    return made.getvalue()


def contents(lab: Lab) -> dict[str, bytes]:
    """Return the files by their names in the zip."""
    found = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in _files(lab)}
    scripts = {name: (_SCRIPTS / name).read_bytes() for name in ("setup.sh", "run_autograder")}
    return {**found, **scripts, "lab": f"{lab.number:02}\n".encode()}


def _files(lab: Lab) -> Iterator[Path]:
    """Yield what the autograder imports, the data of these packages, and what the labs consist of."""
    code = closure([Path(autograder.__file__), *PROCESSES])
    yield from code
    for package in {path.parent for path in code} - {ROOT}:
        yield from (path for folder in package.iterdir() if _holds_data(folder) for path in _tree(folder))
    for pattern in _SETTINGS:
        yield from (*ROOT.glob(pattern), *(ROOT / "requirements").glob(pattern))
    yield ROOT / "labs" / "__init__.py"
    for folder in (ROOT / "labkit", *(each.folder for each in all_labs() if each <= lab)):
        yield from _tree(folder)


def _holds_data(folder: Path) -> bool:
    return folder.is_dir() and not folder.name.startswith("_") and not (folder / "__init__.py").exists()


def _tree(folder: Path) -> Iterator[Path]:
    """Yield the files that are read, without starters, pages, notebooks, pictures, hidden files and links."""
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        paths = (Path(parent, name) for name in sorted(names) if name != "starter.py" and not name.startswith("."))
        yield from (path for path in paths if path.suffix not in _LEFT_OUT and not path.is_symlink())
