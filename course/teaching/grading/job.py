"""What one grading depends on, and the folder that keeps its record: written in one step, and found by a key."""

import json
import os
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from course.isolation.rules import TEST_S, TOTAL_S
from course.isolation.sandbox import Limits
from course.student.core.catalog import Lab

UNSAFE = ""
"""The name of no sandbox at all."""

PROPERTIES = "properties"
"""The exercise in which students write tests."""

UNLOADED = f"the file does not load in Python {sys.version_info.major}.{sys.version_info.minor}"
"""A remark. It names the grader's Python, since a file may be written in a newer one's syntax or use its library."""

Record = dict[str, Any]
"""What one grading found: ``tests`` by name, ``misconceptions`` by TODO, and ``ended``, empty if all tests ran.

A test has ``todo``, ``verdict``, ``loaded``, ``reason``, ``call``, ``cause``, ``line``, ``message``; see ``attempt``.
"""


@dataclass(frozen=True)
class GradingRules:
    """Everything that decides on the verdicts, except the submission.

    Attributes:
        lab: its number.
        sandbox: the name of what confines the submission, or ``UNSAFE``.
        test_s: seconds of processor time of one test, and of loading.
        total_s: seconds of processor time after which no further test of a submission is begun.
        limits: of the submission's process.
        seed: of the property tests' examples; None for those that students have.
        tests: the hash of the trusted base.
        exercise: what is submitted: ``PROPERTIES``, or, empty, the lab's starter.
        todo: the only TODO whose tests run; None for all.
    """

    lab: int
    sandbox: str
    test_s: float = TEST_S
    total_s: float = TOTAL_S
    limits: Limits = field(default_factory=Limits)
    seed: int | None = None
    tests: str = ""
    exercise: str = ""
    todo: int | None = None


@dataclass(frozen=True)
class Job:
    """One submission to be graded. Plain data, so that it travels to another process or machine.

    ``beside`` holds names and texts of the files beside it.
    """

    rules: GradingRules
    text: str
    beside: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        """Return the name of the record: the same text under the same rules has the same one."""
        return sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:40]


class Store:
    """The results of one lab, or of another exercise in it.

    Raises:
        ValueError: if the folder cannot be written, holds other things, or another lab's results.
    """

    def __init__(self, folder: Path, lab: Lab, exercise: str = "") -> None:
        self._records, mark = folder / "records", folder / "grading.json"
        about = f"{lab.name}, {exercise}" if exercise else lab.name
        try:
            if mark.exists():
                other = _read(mark).get("lab")
                if other != about:
                    raise ValueError(f"{folder} holds results of {other or 'something else'}, not of {about}")
            elif folder.exists() and any(folder.iterdir()):
                raise ValueError(f"{folder} is neither empty nor a folder of results: name another one")
            self._records.mkdir(parents=True, exist_ok=True)
            write(mark, json.dumps({"lab": about}) + "\n")
        except OSError as error:
            raise ValueError(f"{folder} cannot be written: {error.strerror}") from error

    def get(self, job: Job) -> Record | None:
        """Return the record of a job; None where there is none, or a damaged one."""
        found = _read(self._records / f"{job.key}.json")
        return found if found.get("key") == job.key and "tests" in found else None

    def put(self, job: Job, record: Record) -> None:
        """Keep a record."""
        write(self._records / f"{job.key}.json", json.dumps({"key": job.key, **record}, indent=1) + "\n")

    def missing(self, jobs: Iterable[Job]) -> list[Job]:
        """Return the jobs without a record, each key once."""
        return list({job.key: job for job in jobs if self.get(job) is None}.values())


def write(path: Path, content: str | bytes) -> None:
    """Replace a file in one step: a reader sees the old content or the new. Characters that UTF-8 lacks are escaped."""
    if isinstance(content, str):
        content = content.encode("utf-8", "backslashreplace")
    path.parent.mkdir(parents=True, exist_ok=True)
    file, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(file, "wb") as opened:
            opened.write(content)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def _read(path: Path) -> Record:
    with suppress(OSError, ValueError):
        found = json.loads(path.read_text(encoding="utf-8"))
        return found if isinstance(found, dict) else {}
    return {}
