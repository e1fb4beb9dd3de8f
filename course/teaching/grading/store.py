"""The folder of results: records by key, written in one step each, and reports."""

import json
import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from course.student.core.catalog import Lab
from course.teaching.grading.job import Job
from course.teaching.grading.local import Record

_MARK = "grading.json"


class Store:
    """The results of one lab, or of another exercise in it.

    Raises:
        ValueError: if the folder cannot be written, holds other things, or another lab's results.
    """

    def __init__(self, folder: Path, lab: Lab, exercise: str = "") -> None:
        self.folder = folder
        self._records = folder / "records"
        try:
            self._open(f"{lab.name}, {exercise}" if exercise else lab.name)
        except OSError as error:
            raise ValueError(f"{folder} cannot be written: {error.strerror}") from error

    def _open(self, about: str) -> None:
        mark = self.folder / _MARK
        if mark.exists():
            other = _read(mark).get("lab")
            if other != about:
                raise ValueError(f"{self.folder} holds results of {other or 'something else'}, not of {about}")
        elif self.folder.exists() and any(self.folder.iterdir()):
            raise ValueError(f"{self.folder} is neither empty nor a folder of results: name another one")
        self._records.mkdir(parents=True, exist_ok=True)
        write(mark, json.dumps({"lab": about}) + "\n")

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
