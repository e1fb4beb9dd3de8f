"""The two ways of confining a submission, and which of them works on this machine.

Bubblewrap gives it namespaces and a file system of its own. Where those are forbidden, as in most containers, the
container's root runs it as another user: files that are closed to others are closed to it, and the container is the
wall around the rest. In both, ``prlimit`` and ``setpriv`` set the same limits and the same user.
"""

import os
import shutil
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile, mkdtemp

from course.isolation.sandbox import machine
from course.isolation.sandbox.process import ConfinedProcess, Limits, remove
from course.student.core.catalog import ROOT, all_labs

ADVICE = """\
To get a sandbox:
  Debian, Ubuntu     apt install bubblewrap. Ubuntu 24.04 and later also block user namespaces for programs without
                     an AppArmor profile: install the package apparmor-profiles, then as root
                       ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/
                       apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict
  Windows            grade inside WSL2 (wsl --install), and there apt install bubblewrap.
  macOS, others      grade inside a Linux container, as its root.
Code that you trust can be graded without one: --trust."""

_TRIAL = """\
import sys
try: open(sys.argv[1])
except OSError: print("held")
"""


class NoSandbox(RuntimeError):
    """This machine offers no sandbox, or not the one that was asked for; the message says how to get one."""


def _found(name: str) -> str:
    return shutil.which(name) or name


class Backend(ABC):
    """One way of confining a process, tried on this machine.

    Attributes:
        name: what ``--sandbox`` calls it.
        walls: what confines the code, for a report.
        why_not: why this machine does not offer it; empty where it does.
    """

    name: str
    walls: str
    needs: tuple[str, ...] = ("prlimit", "setpriv")
    walled = False

    def __init__(self) -> None:
        self._as_root = hasattr(os, "getuid") and os.getuid() == 0
        lacks = [name for name in self.needs if not shutil.which(name)]
        self.why_not = f"{lacks[0]} is not installed" if lacks else self._missing() or self._try()

    def describe(self) -> str:
        """Return one sentence for a report: what confines the code, and as which user it runs."""
        return f"{self.name}: {self.walls}, {'a spare user' if self._as_root else f'user {os.getuid()}'}"

    def exposes(self, path: Path) -> str:
        """Return why a submission could read this, and what to do about it; empty if it couldn't."""
        return ""

    def _missing(self) -> str:
        """Return what this machine evidently lacks for it, or an empty string."""
        return ""

    @abstractmethod
    def _wrapped(self, command: list[str], shown: Sequence[Path], scratch: Path) -> list[str]:
        """Return what starts a command in the sandbox, where it sees these files and folders, and one of its own."""

    def start(
        self, argv: Sequence[str], *, readable: Sequence[Path], limits: Limits, within: Path | None = None
    ) -> ConfinedProcess:
        """Start a program that gets the system's libraries, this Python, and what is ``readable``.

        It can write to one folder of its own, which is its working directory, its home and the place of temporary
        files. Its environment is cleared. Where the grader is root, it runs as a user who has nothing else.

        Args:
            argv: the program and its arguments; the program must be this Python's or ``readable``.
            readable: files and folders that it may read, at the paths that they have outside.
            limits: how much it may use.
            within: where that folder is made, which is closed to everybody else; None for the system's place.

        Raises:
            ValueError: if something readable holds the repository, or is not there.
            OSError: if it can't be started.
        """
        with ExitStack() as ending:
            command, scratch, uid = ending.enter_context(self._prepared(argv, readable, limits, within))
            process = ConfinedProcess(command, limits, scratch, uid, walled=self.walled)
            process.ending = ending.pop_all()
        return process

    @contextmanager
    def _prepared(
        self, argv: Sequence[str], readable: Sequence[Path], limits: Limits, within: Path | None = None
    ) -> Iterator[tuple[list[str], Path, int | None]]:
        """Yield the command that does it, and the folder and the user that are its own until the block ends."""
        shown = list(dict.fromkeys([*machine.needed(), *(path.resolve() for path in readable)]))
        _check_hidden(shown)
        with machine.spare_user() if self._as_root else nullcontext() as uid:
            scratch = Path(mkdtemp(prefix="scratch-", dir=within)).resolve()
            if uid is not None:
                os.chown(scratch, uid, -1)
                scratch.chmod(0o710)  # bubblewrap enters it as root without root's rights
            if uid is not None and within:
                os.chown(within, -1, uid)
                within.chmod(0o750)
            who = [] if uid is None else [f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]
            keeps = [_found("setpriv"), *who, "--no-new-privs", "--pdeathsig=KILL", "--"]
            try:
                yield self._wrapped([_found("prlimit"), *limits.words(), *keeps, *argv], shown, scratch), scratch, uid
            finally:
                remove(scratch)

    def _try(self) -> str:
        """Run a small program that checks whether it is held; return why it is not, or an empty string."""
        with NamedTemporaryFile() as secret:
            argv = [*machine.python(), "-c", _TRIAL, secret.name]
            try:
                with self._prepared(argv, (), Limits()) as (command, scratch, _):
                    done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, timeout=20, check=False)
            except (OSError, ValueError, subprocess.TimeoutExpired) as error:
                return str(error)
        said = done.stderr.strip().splitlines() or [f"a trial ended with status {done.returncode}"]
        return "" if done.stdout.strip() == "held" else said[-1]


def _check_hidden(readable: Sequence[Path]) -> None:
    """Refuse to show a folder that holds the repository."""
    for path in readable:
        if not path.exists():
            raise ValueError(f"{path}, which the sandbox is to show, is not there")
        if path in (ROOT, *ROOT.parents):
            raise ValueError(
                f"the sandbox would have to show {path}, and with it the tests and solutions in {ROOT}: "
                "move the course to a folder outside of Python's and the system's libraries"
            )


class Bubblewrap(Backend):
    """Everything in namespaces; only what is readable is in the file system at all."""

    name = "bubblewrap"
    walls = "own namespaces and file system"
    needs = ("bwrap", *Backend.needs)
    walled = True

    def _wrapped(self, command: list[str], shown: Sequence[Path], scratch: Path) -> list[str]:
        options = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
        options += ["--die-with-parent", "--cap-drop", "ALL", "--chdir", str(scratch)]
        # changing the user takes these, and uses them up
        options += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"] if self._as_root else ["--unshare-user"]
        return [
            _found("bwrap"),
            *options,
            *_mounts({*shown, *map(Path, map(_found, Backend.needs))}, scratch),
            *command,
        ]


def _mounts(shown: Collection[Path], scratch: Path) -> list[str]:
    """Return the file system, folders before what they hold; bubblewrap would make those above for root alone."""
    made = {folder for place in (*shown, Path("/dev/null"), scratch) for folder in place.parents}
    words = ["--perms", "0755", "--tmpfs", "/"]
    for path in sorted({*made, *shown} - {Path("/")}):
        if path in shown:
            words += ["--ro-bind", str(path), str(path)]
        elif not any(parent in shown for parent in path.parents):
            words += ["--perms", "0755", "--dir", str(path)]
    words += ["--bind", str(scratch), str(scratch)]
    return [*words, "--dev-bind", "/dev/null", "/dev/null", "--remount-ro", "/", "--"]


class OtherUser(Backend):
    """Another user with limits, for a container's root: the container is the wall to the network and to what is open.

    A submission reads what every user of the machine may read, so the answers must be closed to others.
    """

    name = "other-user"
    walls = "limits, and the container that it is in"

    def _missing(self) -> str:
        if sys.platform != "linux" or not self._as_root:
            return "only Linux's root can run a program as another user"
        if part := machine.closed(machine.needed()):
            return f"{part} is closed to other users, and Python needs what's in it: chmod o+x {part}, or move Python"
        answers = [ROOT / ".git", ROOT / "solutions", *(lab.solution for lab in all_labs())]
        return next(filter(None, map(self.exposes, filter(Path.exists, answers))), "")

    def exposes(self, path: Path) -> str:
        """Return why, where no folder on the way to it is closed to others."""
        path = next(each for each in (path.resolve(), *path.resolve().parents) if each.exists())
        if machine.closed([path]):
            return ""
        return f"every user of this machine can read {path}, and so could a submission: chmod -R o-rwx {path}"

    def _wrapped(self, command: list[str], shown: Sequence[Path], scratch: Path) -> list[str]:
        return command


@cache
def backends() -> list[Backend]:
    """Return both, the stronger one first, each tried on this machine once; see ``why_not``."""
    return [Bubblewrap(), OtherUser()]


def available() -> list[Backend]:
    """Return those that work on this machine, the stronger one first: each has run a small program that was held."""
    return [backend for backend in backends() if not backend.why_not]


def choose(name: str | None = None) -> Backend:
    """Return the stronger one that works, or the one of that name.

    Raises:
        NoSandbox: if there is none; the message gives each one's reason and how to get one.
        ValueError: for a name that neither has; the message lists them.
    """
    asked = [backend for backend in backends() if name in (None, backend.name)]
    if not asked:
        raise ValueError(f"no sandbox is called {name!r}; there are {', '.join(each.name for each in backends())}")
    for backend in asked:
        if not backend.why_not:
            return backend
    reasons = "\n".join(f"  {backend.name}: {backend.why_not}" for backend in asked)
    raise NoSandbox(f"No sandbox for untrusted code on this {sys.platform} machine:\n{reasons}\n{ADVICE}")
