"""Copies of the course in which a test may edit files."""

import shutil
from pathlib import Path

from course.student.core.catalog import ROOT


def copy_course(target: Path, *more: str) -> Path:
    """Copy what a run needs, and more folders or files of the root; return the copy's root."""
    for name in ("labs", "labkit", "mask_engine", "course", "conftest.py", "pyproject.toml", *more):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__", "*.ipynb"))
        else:
            shutil.copy(ROOT / name, target / name)
    return target


def begin(course: Path, *labs: int) -> Path:
    """Write the starters of these labs in a copy, as the references have them; return the copy's root."""
    for number in labs:
        (lab,) = course.glob(f"labs/lab_{number:02}_*")
        (lab / "starter.py").write_bytes((lab / "solution.py").read_bytes())
    return course
