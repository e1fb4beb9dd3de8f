"""Starting the pipe's worker in a sandbox."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from course.isolation.sandbox import machine
from course.isolation.sandbox.backend import Backend
from course.isolation.sandbox.process import Limits, Process
from course.isolation.sandbox.stage import open_to_all, stage
from course.student.core.catalog import Lab

_BEGIN = "import sys; sys.path[:0] = sys.argv[1:]; from course.isolation.pipe.worker import main; main()"


@dataclass
class Sandbox:
    """How the workers of one grader are confined: pass it to ``PipedLab(..., sandbox=...)``.

    Attributes:
        backend: what confines them.
        limits: what one worker may use; a submission has one worker as long as nothing ends it.
        slot: a number from 0, one for each grader that runs at the same time.
        shelf: a folder that keeps copies of what workers read for the next grader, and this one's files until
            ``close``; None for a temporary folder.
    """

    backend: Backend
    limits: Limits = field(default_factory=Limits)
    slot: int = 0
    shelf: Path | None = None

    def start(self, lab: Lab, files: Mapping[int, Path], *, chain: bool) -> tuple[Process, dict[str, Any]]:
        """Return a worker, which sees no tests, hints or solution of the lab, and what to ask it to load.

        Raises:
            NoSandbox, ValueError, OSError: if it could not be started.
        """
        shelf = self._folder / "shelf" if self.shelf is None else self.shelf.resolve()
        copy = stage(lab, [number for number in files if number < lab.number] if chain else [], shelf)
        submitted = {number: str(self._copied(number, path)) for number, path in files.items()}
        paths = [str(copy), *map(str, machine.package_folders())]
        process = self.backend.start(
            [*machine.python(), "-c", _BEGIN, *paths],
            readable=[copy, self._folder / "submitted"],
            scratch=self._folder / "scratch",
            limits=self.limits,
            slot=self.slot,
        )
        return process, {"number": lab.number, "folder": str(copy / lab.path), "files": submitted, "chain": chain}

    def close(self) -> None:
        """Remove its files. A process that ends without ``atexit`` must call it; the sandbox may be used again."""
        if self.__dict__.pop("_folder", None) is not None:
            self._temporary.cleanup()

    @cached_property
    def _folder(self) -> Path:
        """Return a folder for this object's workers, one after another."""
        self._temporary = TemporaryDirectory(prefix="course-sandbox-", dir=self.shelf, ignore_cleanup_errors=True)
        folder = Path(self._temporary.name).resolve()
        for part in ("scratch", "submitted", "shelf"):
            (folder / part).mkdir()
        open_to_all(folder)
        return folder

    def _copied(self, number: int, path: Path) -> Path:
        """Return where the worker finds a student's file: under its own name, which failures show."""
        place = self._folder / "submitted" / f"{number:02}" / path.name
        place.parent.mkdir(exist_ok=True)
        for other in place.parent.iterdir():
            other.unlink()
        place.write_bytes(path.read_bytes())
        open_to_all(place.parents[1])
        return place
