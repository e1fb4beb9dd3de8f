"""Starting the pipe's worker in a sandbox."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from course.catalog import Lab
from course.sandbox.backend import Backend
from course.sandbox.limits import Limits
from course.sandbox.process import Process


@dataclass
class Sandbox:
    """How the workers of one grader are confined: hand it to ``PipedLab(..., sandbox=...)``.

    Attributes:
        backend: what confines them.
        limits: what one worker may use; a submission has one worker as long as nothing ends it.
        slot: a number from 0, one for each grader that runs at the same time.
        shelf: where copies of what workers read are kept for the next grader; None for a folder of its own, removed
            with this object.
    """

    backend: Backend
    limits: Limits = field(default_factory=Limits)
    slot: int = 0
    shelf: Path | None = None

    def start(self, lab: Lab, files: Mapping[int, Path], *, chain: bool) -> tuple[Process, dict[str, Any]]:
        """A worker, and what to ask it to load; it sees the submission, and no tests, hints or solution of the lab."""
        raise NotImplementedError
