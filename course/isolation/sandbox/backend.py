"""What every sandbox has in common: the plan for ``course.isolation.confine``, and a trial run of it."""

import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from subprocess import TimeoutExpired
from tempfile import TemporaryDirectory, mkdtemp

from course.isolation.confine import calls, steps
from course.isolation.confine.steps import Confinement
from course.isolation.sandbox import machine
from course.isolation.sandbox.process import Limits, Process, remove
from course.student.core.catalog import ROOT

BEGIN = "import sys; sys.path[:0] = [sys.argv[1]]; from course.isolation.confine.steps import main; main(sys.argv[2])"
"""The program that confines itself: its arguments are where ``course`` is, and the plan."""

_ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "MALLOC_ARENA_MAX": "2",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
"""The environment of a sandboxed process, with its folder. With fixed hashes code does the same each time. A thread
would take 64 MiB of address space for an arena of its own."""

_TRIAL = """\
import os, socket, sys
def refused(attempt, *args):
    try: attempt(*args)
    except OSError: return True
held = refused(open, sys.argv[1]), refused(os.fork), refused(socket.socket), refused(os.kill, os.getppid() or 1, 0)
print("held" if all(held) else held)
"""


class NoSandbox(RuntimeError):
    """This machine offers no sandbox, or not the one that was asked for; the message says how to get one."""


class Backend(ABC):
    """One method of confining a process, tried on this machine: with a spare user if root can give one, else without.

    Attributes:
        name: what ``--sandbox`` calls it.
        walls: what confines the code, for a report.
        as_root: whether the grader is root and gives the code a spare user.
        why_not: why this machine does not offer it; empty where it does.
    """

    name: str
    walls: str

    def __init__(self) -> None:
        self.as_root = not machine.no_spare_users()
        self.why_not = self._missing() or self._try()
        if self.why_not and self.as_root:
            self.as_root = False
            self.why_not = self._missing() or self._try()

    def describe(self) -> str:
        """Return one sentence for a report: what confines the code, and as which user it runs."""
        who = "a spare user for each slot" if self.as_root else f"user {os.getuid()}"
        return f"{self.name}: {self.walls}, {who}"

    @abstractmethod
    def _missing(self) -> str:
        """Return what this machine evidently lacks for it, or an empty string."""

    @abstractmethod
    def _start(self, plan: Confinement, limits: Limits) -> Process:
        """Start the process that carries the plan out."""

    def start(
        self,
        argv: Sequence[str],
        *,
        readable: Sequence[Path],
        limits: Limits,
        slot: int = 0,
        within: Path | None = None,
    ) -> Process:
        """Start a program that sees the system's libraries, this Python, and what is ``readable``; nothing else.

        It can write to one folder alone, which is its own, its working directory, its home and the place of temporary
        files. Its environment is cleared.

        Args:
            argv: the program and its arguments; the program must be this Python's or ``readable``.
            readable: files and folders that it may read, at the paths that they have outside.
            limits: how much it may use.
            slot: a number from 0, one for each process at a time: where the grader is root, each slot has its own user.
            within: where that folder is made; None for the system's place.

        Raises:
            ValueError: if something readable holds the repository, or is not there.
        """
        shown = [*machine.needed(), *(path.resolve() for path in readable)]
        _check_hidden(shown)
        uid = machine.spare_uid(slot) if self.as_root else None
        scratch = Path(mkdtemp(prefix="scratch-", dir=within)).resolve()
        if uid is not None:
            os.chown(scratch, uid, uid)
        environment = _ENVIRONMENT | dict.fromkeys(("HOME", "TMPDIR"), str(scratch))
        paths = tuple(dict.fromkeys(map(str, shown)))
        plan = Confinement(tuple(argv), environment, paths, asdict(limits), str(scratch), uid=uid)
        try:
            return self._start(plan, limits)
        except BaseException:
            remove(scratch)
            raise

    def _try(self) -> str:
        """Run a small program that checks whether it is held; return why it is not, or an empty string."""
        with TemporaryDirectory(prefix="course-sandbox-") as folder:
            Path(folder).chmod(0o755)
            secret = Path(folder, "secret")
            secret.write_text("not to be read")
            argv = [*machine.python(), "-c", _TRIAL, str(secret)]
            try:
                with self.start(argv, readable=(), limits=Limits(wall_s=20)) as process:
                    process.stdin.close()
                    answer = process.stdout.read().decode("ascii", "replace").strip()
                    if answer == "held":
                        return ""
                    with suppress(TimeoutExpired):
                        process.wait(2)
            except (OSError, ValueError, NoSandbox) as error:
                return str(error)
        said = process.said().removeprefix(steps.SAYS).strip()
        return said.splitlines()[-1] if said else f"a trial ended with status {process.poll()} {answer}".strip()


def _check_hidden(readable: Sequence[Path]) -> None:
    """Refuse to show a folder that holds the repository."""
    for path in readable:
        if not path.exists():
            raise ValueError(f"{path}, which the sandbox is to show, is not there")
        if path.resolve() in (ROOT, *ROOT.parents):
            raise ValueError(
                f"the sandbox would have to show {path}, and with it the tests and solutions in {ROOT}: "
                "move the course to a folder outside of Python's and the system's libraries"
            )


def no_filter() -> str:
    """Return why system calls cannot be filtered here, or an empty string."""
    if sys.platform != "linux":
        return "it takes Linux"
    known = os.uname().machine in calls.NUMBERS and sys.maxsize > 1 << 32
    return "" if known else "the numbers of this processor's system calls are not known to the course"
