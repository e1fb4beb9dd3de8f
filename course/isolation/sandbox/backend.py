"""What a way of confining a process must offer."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

from course.isolation.sandbox.limits import Limits
from course.isolation.sandbox.process import Process


class NoSandbox(RuntimeError):
    """This machine offers no sandbox, or not the one that was asked for; the message says how to get one."""


class Backend(ABC):
    """One way of confining a process, tried on this machine.

    Attributes:
        name: what ``--sandbox`` calls it.
        strength: its place in the list, 1 being the strongest.
        why_not: why this machine does not offer it; empty where it does.
    """

    name: str
    strength: int
    why_not: str = ""

    @abstractmethod
    def describe(self) -> str:
        """One sentence for a report: what confines the code, and as which user it runs."""

    @abstractmethod
    def start(
        self, argv: Sequence[str], *, readable: Sequence[Path], scratch: Path, limits: Limits, slot: int = 0
    ) -> Process:
        """Start a program that sees the system's libraries, this Python, and what is ``readable``; nothing else.

        Its environment is cleared. Its working and home directory is ``scratch``, which it finds empty, and which it
        can write to only where the backend has a private file system.

        Args:
            argv: the program and its arguments; the program must be this Python's or ``readable``.
            readable: files and folders that it may read, at the paths that they have outside.
            scratch: an empty folder of the caller's, one for each process at a time.
            limits: how much it may use.
            slot: a number from 0, one for each process at a time; processes of two slots share no user where the
                grader is root.

        Raises:
            ValueError: if something readable holds the repository, or is not there.
            NoSandbox: if the process could not be started.
        """
