"""The files that a verdict depends on, derived from what the grading processes import and from folders."""

import json
import sys
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from course.student.core.catalog import ROOT, Lab, all_labs
from course.student.core.import_closure import closure
from course.student.core.wrong_answers import bank_file
from course.teaching.grading.job import PROPERTIES
from course.teaching.grading.local import WARM, grade

_STARTED = (
    WARM,
    grade.__module__,
    *(f"course.isolation.{name}" for name in ("plugin", "pipe.worker")),
)
PROCESSES = (ROOT / "conftest.py", *(ROOT.joinpath(*name.split(".")).with_suffix(".py") for name in _STARTED))
"""Where the code of a grading starts: the tests, the fork server, the grader, and the worker in a sandbox."""

_PACKAGES = ("numpy", "regex", "hypothesis", "pytest", "jsonschema", "interegular")


def hash_of_tests(lab: Lab, exercise: str = "") -> str:
    """Return a hash of the trusted base, and of the versions of Python and the packages."""
    total = sha256(json.dumps([sys.version_info[:3], *map(version, _PACKAGES)]).encode())
    for path in sorted(trusted_base(lab, exercise)):
        content = path.read_bytes()
        total.update(f"{path.relative_to(ROOT).as_posix()}\0{len(content)}\0".encode() + content)
    return total.hexdigest()[:24]


def trusted_base(lab: Lab, exercise: str = "") -> set[Path]:
    """Return the grader's modules, what labs are given, the tests and data of this lab and the ones before it.

    For the exercise ``PROPERTIES`` the lab's bank of wrong answers belongs to it. Pictures, pages and notebooks do not.
    """
    found = closure([*PROCESSES, lab.folder / "test_lab.py"])
    if exercise == PROPERTIES:
        found.add(bank_file(lab))
    for folder in [ROOT / "labkit", *(each.folder for each in all_labs() if each <= lab)]:
        for path in folder.rglob("*.*"):
            hidden = any(part.startswith((".", "__")) for part in path.relative_to(folder).parts[:-1])
            if path.suffix in (".py", ".json", ".toml", ".npz") and path.name != "starter.py" and not hidden:
                found.add(path)
    return found
