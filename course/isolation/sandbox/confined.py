"""What all backends have in common: the plan for ``course.isolation.confine``, and a trial run of it."""

import os
import sys
from abc import abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from subprocess import TimeoutExpired
from tempfile import TemporaryDirectory

from course.isolation.confine import seccomp, steps
from course.isolation.confine.plan import Plan
from course.isolation.sandbox import interpreter
from course.isolation.sandbox.backend import Backend, NoSandbox
from course.isolation.sandbox.limits import Limits
from course.isolation.sandbox.process import Process
from course.student.core.catalog import ROOT

BEGIN = (
    "import sys; sys.path.insert(0, sys.argv[1]); from course.isolation.confine.steps import main; main(sys.argv[2])"
)
"""The program that confines itself: its arguments are where ``course`` is, and the plan."""

_TRIAL = """\
import os, socket, sys
def refused(attempt, *args):
    try: attempt(*args)
    except OSError: return True
held = refused(open, sys.argv[1]), refused(os.fork), refused(socket.socket), refused(os.kill, os.getppid() or 1, 0)
print("held" if all(held) else held)
"""


class Confined(Backend):
    """A backend whose last steps are those of ``course.isolation.confine``: limits, user, Landlock, system calls."""

    has_inside = False
    """Whether a launcher stays outside and tells who is inside."""

    def __init__(self) -> None:
        self.why_not = self._missing() or self._try()

    @abstractmethod
    def _missing(self) -> str:
        """What this machine evidently lacks for it, or an empty string."""

    @abstractmethod
    def _arranged(self, plan: Plan, slot: int) -> Plan:
        """The plan with what this backend adds to it."""

    def _command(self, plan: Plan) -> list[str]:
        """The command that carries the plan out."""
        return [*interpreter.command(), "-c", BEGIN, str(ROOT), plan.dumps()]

    def start(
        self, argv: Sequence[str], *, readable: Sequence[Path], scratch: Path, limits: Limits, slot: int = 0
    ) -> Process:
        """See ``Backend``."""
        shown = [*interpreter.needed(), *(path.resolve() for path in readable)]
        check_hidden(shown, scratch.resolve())
        most = {name: value for name, value in asdict(limits).items() if name not in ("wall_s", "output_bytes")}
        home = str(scratch.resolve())
        paths = tuple(dict.fromkeys(map(str, shown)))
        plan = self._arranged(Plan(tuple(argv), environment(home), paths, home, **most), slot)
        if not self.has_inside:
            return Process(self._command(plan), limits)
        info = os.pipe()
        return Process(self._command(replace(plan, info_fd=info[1])), limits, info=info)

    def _try(self) -> str:
        """Run a small program that looks whether it is held; why it could not, or an empty string."""
        with TemporaryDirectory(prefix="course-sandbox-") as folder:
            Path(folder).chmod(0o755)
            scratch, secret = Path(folder, "scratch"), Path(folder, "secret")
            scratch.mkdir(0o755)
            secret.write_text("not to be read")
            argv = [*interpreter.command(), "-c", _TRIAL, str(secret)]
            try:
                with self.start(argv, readable=(), scratch=scratch, limits=Limits(wall_s=20)) as process:
                    return _judged(process)
            except (OSError, ValueError, NoSandbox) as error:
                return str(error)


def _judged(process: Process) -> str:
    process.stdin.close()
    answer = process.stdout.read().decode("ascii", "replace").strip()
    if answer == "held":
        return ""
    with suppress(TimeoutExpired):
        process.wait(2)
    process.close()
    said = process.said().removeprefix(steps.SAYS).strip()
    return said.splitlines()[-1] if said else f"a trial ended with status {process.poll()} {answer}".strip()


def environment(home: str) -> dict[str, str]:
    """The whole environment of a sandboxed process. Hashes are fixed, so that the same code does the same each time."""
    threads = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
    names = {"HOME": home, "TMPDIR": home, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0"}
    return names | threads


def check_hidden(readable: Sequence[Path], scratch: Path) -> None:
    """Refuse to show a folder that holds the repository, or where the scratch folder is.

    Raises:
        ValueError: naming the folder.
    """
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
    """Why system calls cannot be filtered here, or an empty string."""
    if sys.platform != "linux":
        return "it takes Linux"
    return "" if seccomp.known() else "the numbers of this processor's system calls are not known to the course"
