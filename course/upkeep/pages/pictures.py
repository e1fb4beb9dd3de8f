"""The pictures in the labs' READMEs: drawn by each lab's ``pictures.py``, committed, and compared by a test."""

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

from course.student.core.catalog import ROOT, Lab, all_labs
from labkit.pictures import Svg


def pictures_of(lab: Lab) -> dict[str, Callable[[], Svg]]:
    """Return what draws each picture of a lab, by the file's path from the repository's root.

    A public function of the lab's ``pictures.py`` draws the picture of its name.
    """
    if not (lab.folder / "pictures.py").is_file():
        return {}
    module = import_module(f"labs.{lab.name}.pictures")
    drawn_here = inspect.getmembers(
        module, lambda each: inspect.isfunction(each) and each.__module__ == module.__name__
    )
    return {f"{lab.path}/pictures/{name}.svg": draw for name, draw in drawn_here if not name.startswith("_")}


def all_pictures() -> dict[str, Callable[[], Svg]]:
    """Return what draws each picture of every lab."""
    return {name: draw for lab in all_labs() for name, draw in pictures_of(lab).items()}


def generated() -> Iterator[tuple[Path, Callable[[], str]]]:
    """Yield every picture's file, and what makes its text."""
    for name, draw in all_pictures().items():
        yield ROOT / name, lambda draw=draw: str(draw())  # type: ignore[misc]
