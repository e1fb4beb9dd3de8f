"""The rooms of this copy of the course, found by looking, and what their command lines share."""

import pkgutil
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from types import ModuleType
from typing import Annotated

import typer
from rich.console import Console

from course.student.core.catalog import ROOT

LabName = Annotated[str, typer.Argument(metavar="LAB", help="a lab: 02")]
AnyLab = Annotated[str, typer.Argument(metavar="[LAB]", help="a lab: 02; without one, all of them")]


@cache
def command_lines() -> tuple[ModuleType, ...]:
    """Import the ``cli`` module of every room that is here: a handout lacks some rooms.

    >>> [module.__name__ for module in command_lines() if "student" in module.__name__]
    ['course.student.cli']
    """
    rooms = [found.name for found in pkgutil.iter_modules([str(ROOT / "course")]) if found.ispkg]
    return tuple(import_module(f"course.{room}.cli") for room in rooms)


def console() -> Console:
    """Return where the commands print; NO_COLOR and consoles without Unicode are respected."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    return Console(highlight=False, soft_wrap=True)


def require_writable(path: Path, *, folder: bool = False, ending: str = "") -> None:
    """Raise a ValueError, before the work, if a file or folder cannot be written there. Nothing is made.

    The folder that it's to be in has to be there, unless that's ``out``: a typo in a path should not become a folder.

    Args:
        ending: what the name has to end in, where what is written is of one kind.

    >>> require_writable(Path(__file__) / "x.json")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: cannot write ...x.json: Not a directory: ...rooms.py
    """
    if path.suffix.lower() != ending and ending:
        raise ValueError(f"a picture is written as {ending[1:].upper()}: name {path.with_suffix(ending)}, not {path}")
    place = next(each for each in (path, *path.absolute().parents) if each.exists())
    if place.is_dir() and place not in (path, path.absolute().parent) and not path.is_relative_to("out"):
        raise ValueError(
            f"cannot write {path}: there is no folder {path.parent}. Make it first, or name one that's there"
        )
    try:
        if place == path and not folder:
            path.open("ab").close()
        else:
            with TemporaryFile(dir=place):
                pass
    except OSError as error:
        at = f": {place}" if place != path else ""
        raise ValueError(f"cannot write {path}: {error.strerror}{at}") from None


def remember(file: Path, text: str) -> None:
    """Write what a command notes for its next run. Where nothing can be written, say so and go on without."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_suffix(".new")  # so that nobody reads half a file
        draft.write_text(text, encoding="utf-8")
        draft.replace(file)
    except OSError as error:
        print(f"(The next run won't know about this one: cannot write {file}: {error.strerror}.)", file=sys.stderr)
