"""What one grading depends on, and the key under which its record is kept."""

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from course.isolation.sandbox import Limits
from course.student.core.catalog import ROOT, Lab, all_labs

UNSAFE = ""
"""The name of no sandbox at all."""

PROPERTIES = "properties"
"""The exercise in which students write tests."""

_GRADER = ("isolation", "isolation/pipe", "student/run", "isolation/sandbox", "isolation/confine")
_OWN = ("job.py", "attempt.py", "server.py")
_LOADING = (
    *("candidate.py", "catalog.py", "edition.py", "fingerprints.py", "hints.py", "implementation.py"),
    *("starters.py", "submission.py", "timeouts.py", "trace.py"),
)
_PACKAGES = ("numpy", "regex", "hypothesis", "pytest", "jsonschema", "interegular")


@dataclass(frozen=True)
class Rules:
    """Everything but the submission that decides on the verdicts.

    Attributes:
        lab: its number.
        sandbox: the name of what confines the submission, or ``UNSAFE``.
        test_s: seconds of one test, and of loading.
        total_s: seconds after which no further test of a submission is begun.
        limits: of the submission's process.
        seed: of the property tests' examples; None for those that students have.
        tests: a hash of the lab's tests, of the grader, and of what both stand on.
        exercise: what was handed in: ``PROPERTIES``, or, empty, the lab's starter.
    """

    lab: int
    sandbox: str
    test_s: float = 10.0
    total_s: float = 120.0
    limits: Limits = field(default_factory=Limits)
    seed: int | None = None
    tests: str = ""
    exercise: str = ""


@dataclass(frozen=True)
class Job:
    """One submission to be graded. Plain data, so that it travels to another process or machine."""

    rules: Rules
    text: str

    @property
    def key(self) -> str:
        """The same for the same submission under the same rules, whoever handed it in.

        >>> Job(Rules(2, ""), "x = 1").key == Job(Rules(2, ""), "x = 1").key != Job(Rules(2, ""), "x = 2").key
        True
        """
        return sha256(self.dumps().encode()).hexdigest()[:40]

    def dumps(self) -> str:
        """As one line of JSON."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def loads(cls, line: str) -> "Job":
        """The way back."""
        found: dict[str, Any] = json.loads(line)
        rules = found["rules"]
        return cls(Rules(**(rules | {"limits": Limits(**rules["limits"])})), found["text"])


def hash_of_tests(lab: Lab, exercise: str = "") -> str:
    """A hash of all files that a verdict depends on, and of the versions of Python and the packages.

    >>> len(hash_of_tests(all_labs()[0]))
    24
    """
    total = sha256(json.dumps([sys.version_info[:3], *map(_version, _PACKAGES)]).encode())
    more = _files_of_properties(lab) if exercise == PROPERTIES else ()
    for path in sorted({*_files(lab), *more}):
        content = path.read_bytes()
        total.update(f"{path.relative_to(ROOT).as_posix()}\0{len(content)}\0".encode() + content)
    return total.hexdigest()[:24]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _files(lab: Lab) -> Iterator[Path]:
    """The lab's tests and data, the references of earlier labs, what labs are given, and the grader."""
    yield ROOT / "conftest.py"
    yield from (ROOT / "course" / "teaching" / "grading" / name for name in _OWN)
    yield from (ROOT / "course" / "student" / "core" / name for name in _LOADING)
    for name in _GRADER:
        yield from (ROOT / "course" / name).glob("*.py")
    for folder in (ROOT / "labkit", *(each.folder for each in all_labs() if each.number <= lab.number)):
        yield from (path for path in _tree(folder) if path != lab.starter)


def _files_of_properties(lab: Lab) -> Iterator[Path]:
    """The bank of wrong answers, and what judges by it."""
    yield from (ROOT / "course" / "student" / name for name in ("commands/properties.py", "core/wrong_answers.py"))
    yield from (ROOT / "course" / "teaching" / "grading" / "properties").glob("*.py")
    yield from (ROOT / "solutions" / "wrong_answers" / lab.name).glob("*.py")


def _tree(folder: Path) -> Iterator[Path]:
    """Files that tests read: code and data, no pictures, pages, notebooks or starters."""
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith((".", "__"))]
        paths = (Path(parent, name) for name in names if name != "starter.py")
        yield from (path for path in paths if path.suffix in (".py", ".json", ".toml", ".npz"))
