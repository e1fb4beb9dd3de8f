"""What every sandbox has in common: the plan for ``course.isolation.confine``, and a trial run of it."""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from subprocess import TimeoutExpired
from tempfile import TemporaryDirectory

from course.isolation.confine import calls, landlock, steps
from course.isolation.confine.steps import Plan
from course.isolation.sandbox import machine
from course.isolation.sandbox.process import Limits, Process
from course.student.core.catalog import ROOT

BEGIN = "import sys; sys.path[:0] = [sys.argv[1]]; from course.isolation.confine.steps import main; main(sys.argv[2])"
"""The program that confines itself: its arguments are where ``course`` is, and the plan."""

_ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
"""Besides its home, the whole environment of a sandboxed process. With fixed hashes code does the same each time."""

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


class Backend:
    """One method of confining a process, tried on this machine. This one is Landlock as the grader's own user.

    Attributes:
        name: what ``--sandbox`` calls it.
        walls: what confines the code, for a report.
        as_root: whether the grader is root and gives the code a spare user.
        writes: whether the code has a private file system that it can write to.
        has_inside: whether a launcher stays outside and reports who is inside.
        why_not: why this machine does not offer it; empty where it does.
    """

    name = "landlock"
    walls = "Landlock, a filter of system calls"
    as_root = writes = has_inside = False

    def __init__(self) -> None:
        self.why_not = self._missing() or self._try()

    def describe(self) -> str:
        """Return one sentence for a report: what confines the code, and as which user it runs."""
        who = "a spare user for each slot" if self.as_root else f"user {os.getuid()}"
        return f"{self.name}: {self.walls}, {who}{'' if self.writes else '; nothing can be written'}"

    def _missing(self) -> str:
        """Return what this machine evidently lacks for it, or an empty string."""
        return no_landlock()

    def _arranged(self, plan: Plan, slot: int) -> Plan:
        """Return the plan with what this backend adds to it."""
        return replace(plan, uid=machine.spare_uid(slot) if self.as_root else None, writes=self.writes)

    def _command(self, plan: Plan) -> list[str]:
        """Return the command that carries the plan out."""
        return [*machine.python(), "-c", BEGIN, str(ROOT), plan.dumps()]

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
            slot: a number from 0, one for each process at a time: where the grader is root, each slot has its own user.

        Raises:
            ValueError: if something readable holds the repository, or is not there.
        """
        shown = [*machine.needed(), *(path.resolve() for path in readable)]
        home = scratch.resolve()
        _check_hidden(shown, home)
        environment = _ENVIRONMENT | {"HOME": str(home), "TMPDIR": str(home)}
        plan = Plan(tuple(argv), environment, tuple(dict.fromkeys(map(str, shown))), str(home), asdict(limits))
        plan = self._arranged(plan, slot)
        if not self.has_inside:
            return Process(self._command(plan), limits)
        info = os.pipe()
        return Process(self._command(replace(plan, info_fd=info[1])), limits, info=info)

    def _try(self) -> str:
        """Run a small program that checks whether it is held; return why it is not, or an empty string."""
        with TemporaryDirectory(prefix="course-sandbox-") as folder:
            Path(folder).chmod(0o755)
            scratch, secret = Path(folder, "scratch"), Path(folder, "secret")
            scratch.mkdir(0o755)
            secret.write_text("not to be read")
            argv = [*machine.python(), "-c", _TRIAL, str(secret)]
            try:
                with self.start(argv, readable=(), scratch=scratch, limits=Limits(wall_s=20)) as process:
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


def _check_hidden(readable: Sequence[Path], scratch: Path) -> None:
    """Refuse to show a folder that holds the repository or the scratch folder."""
    for path in readable:
        if not path.exists():
            raise ValueError(f"{path}, which the sandbox is to show, is not there")
        if path.resolve() in (ROOT, *ROOT.parents):
            raise ValueError(
                f"the sandbox would have to show {path}, and with it the tests and solutions in {ROOT}: "
                "move the course to a folder outside of Python's and the system's libraries"
            )
        if scratch.is_relative_to(path.resolve()):
            raise ValueError(f"the scratch folder {scratch} lies in {path}, which the sandbox shows")


def no_filter() -> str:
    """Return why system calls cannot be filtered here, or an empty string."""
    if sys.platform != "linux":
        return "it takes Linux"
    known = os.uname().machine in calls.NUMBERS and sys.maxsize > 1 << 32
    return "" if known else "the numbers of this processor's system calls are not known to the course"


@cache
def no_landlock() -> str:
    """Return why system calls or files cannot be restricted here, or an empty string."""
    if (reason := no_filter()) or landlock.version():
        return reason
    return "the kernel has no Landlock (Linux 5.13), or it is not switched on (lsm=landlock)"
