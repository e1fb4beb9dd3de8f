"""What a lab's tests found in the student's file, kept until something that they depend on changes."""

import hashlib
import json
import platform
from collections.abc import Iterable
from dataclasses import asdict
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from course.student.core.catalog import ROOT, Lab, all_labs
from course.student.core.rooms import remember
from course.student.run.batch import TestResult, grade_many

KEPT = ROOT / ".course" / "verdicts.json"


def verdicts_of(lab: Lab, *, chain: bool = False) -> list[TestResult]:
    """Return what the lab's tests find in the student's file: from the last time, if nothing has changed since.

    Raises:
        ValueError: if the file ends the process that runs its tests.
    """
    if not lab.starter.is_file():
        return []
    # The verdicts depend on the files under test, on everything given, and on the versions.
    own = [each.starter for each in all_labs() if each == lab or (chain and each.number < lab.number)]
    state = _hash([_given().encode(), *(file.read_bytes() for file in own if file.is_file())])
    key, kept = f"{lab.name}{' chain' * chain}", read_kept(KEPT)
    if kept.get(key, {}).get("state") == state:
        return [TestResult(**result) for result in kept[key]["results"]]
    try:
        results = grade_many(lab, [lab.starter], chain=chain)[0]
    except RuntimeError as error:
        problem = f"{lab.path}/starter.py ended the process that ran its tests. To see where:"
        raise ValueError(f"{problem} python3 -m course test {lab.number:02}") from error
    entry = {"state": state, "results": [asdict(result) for result in results]}
    remember(KEPT, json.dumps(kept | {key: entry}))
    return results


def read_kept(file: Path) -> dict[str, Any]:
    """Return what is kept; nothing where the file is missing or damaged."""
    try:
        return dict(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


@cache
def _given() -> str:
    """Return a hash of what no student writes: labs without starters, labkit, the course, Python and packages."""
    folders = ("labs", "labkit", "mask_engine", "course/student")
    files = sorted(file for folder in folders for file in (ROOT / folder).rglob("*") if file.suffix in (".py", ".toml"))
    versions = [platform.python_version(), *(version(name) for name in ("numpy", "pytest", "hypothesis", "regex"))]
    contents = (file.read_bytes() for file in files if file.name != "starter.py")
    return _hash([*(name.encode() for name in versions), *contents])


def _hash(contents: Iterable[bytes]) -> str:
    digests = b"".join(hashlib.sha256(content).digest() for content in contents)
    return hashlib.sha256(digests).hexdigest()
