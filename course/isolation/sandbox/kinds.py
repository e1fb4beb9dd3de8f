"""The sandboxes, strongest first, and which of them this machine offers.

Bubblewrap gives the code namespaces and a file system of its own. Where namespaces are forbidden, Landlock remains.
Where the grader is root and may change its user, either one runs the code as a user who owns nothing.
"""

import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path

from course.isolation.confine import landlock
from course.isolation.confine.steps import Confinement
from course.isolation.sandbox import machine
from course.isolation.sandbox.backend import BEGIN, Backend, NoSandbox, no_filter
from course.isolation.sandbox.process import Limits, Process
from course.student.core.catalog import ROOT

ADVICE = """\
To get a sandbox:
  Debian, Ubuntu     apt install bubblewrap. Ubuntu 24.04 and later also block user namespaces for programs without
                     an AppArmor profile: install the package apparmor-profiles, then as root
                       ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/
                       apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict
  Windows            grade inside WSL2 (wsl --install), and there apt install bubblewrap.
  macOS, others      grade inside a Linux container, as its root: the kernel's Landlock is enough there.
Code that you trust can be graded without one: --unsafe."""

_INSIDE = Path("/confine")
"""Where the sandboxed process finds ``course.isolation.confine``, and nothing else of the course."""


class Bubblewrap(Backend):
    """Everything in namespaces; only what is readable is in the file system at all."""

    name = "bubblewrap"
    walls = "own namespaces and file system, a filter of system calls"

    def _missing(self) -> str:
        return no_filter() if shutil.which("bwrap") else "bwrap is not installed"

    def _start(self, plan: Confinement, limits: Limits) -> Process:
        info = os.pipe()
        options = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
        options += ["--die-with-parent", "--new-session", "--cap-drop", "ALL"]
        options += [] if self.as_root else ["--unshare-user"]
        # changing the user takes these, and uses them up
        wanted = ["SETUID", "SETGID", "SETPCAP"] if self.as_root else []
        options += [word for name in wanted for word in ("--cap-add", f"CAP_{name}")]
        options += ["--info-fd", str(info[1]), *_mounts(plan)]
        inside = replace(plan, landlock=landlock.version() > 0)
        begin = [*machine.python(), "-c", BEGIN, str(_INSIDE), inside.dumps()]
        command = [shutil.which("bwrap") or "bwrap", *options, "--", *begin]
        return Process(command, limits, Path(plan.scratch), info=info)


def _mounts(plan: Confinement) -> list[str]:
    """Return the file system, folders before what they hold; bubblewrap would make those above for root alone."""
    code = Path("course", "isolation", "confine")
    shown = {Path(path): path for path in plan.readable} | {_INSIDE / code: str(ROOT / code)}
    made = {folder for place in (*shown, Path("/dev/null"), Path(plan.scratch)) for folder in place.parents}
    words = ["--perms", "0755", "--tmpfs", "/"]
    for path in sorted({*made, *shown} - {Path("/")}):
        if path in shown:
            words += ["--ro-bind", shown[path], str(path)]
        elif not any(parent in shown for parent in path.parents):
            words += ["--perms", "0755", "--dir", str(path)]
    words += ["--bind", plan.scratch, plan.scratch]
    return [*words, "--dev-bind", "/dev/null", "/dev/null", "--remount-ro", "/"]


class Landlock(Backend):
    """Where namespaces are forbidden, as in hosted graders and most containers: rules that the kernel keeps."""

    name = "landlock"
    walls = "Landlock, a filter of system calls"

    def _missing(self) -> str:
        if reason := no_filter():
            return reason
        if not landlock.version():
            return "the kernel has no Landlock (Linux 5.13), or it is not switched on (lsm=landlock)"
        return machine.no_spare_users() or machine.closed(machine.needed())

    def _start(self, plan: Confinement, limits: Limits) -> Process:
        if reason := machine.closed([*map(Path, plan.readable), Path(plan.scratch).parent]):
            raise ValueError(reason)
        return Process([*machine.python(), "-c", BEGIN, str(ROOT), plan.dumps()], limits, Path(plan.scratch))


KINDS: tuple[type[Backend], ...] = (Bubblewrap, Landlock)
"""Strongest first."""

_TRIED: dict[type[Backend], Backend] = {}


def _tried(kind: type[Backend]) -> Backend:
    return _TRIED.get(kind) or _TRIED.setdefault(kind, kind())


def backends() -> list[Backend]:
    """Return every backend that the course knows, strongest first, each tried on this machine once; see ``why_not``."""
    return [_tried(kind) for kind in KINDS]


def available() -> list[Backend]:
    """Return the backends that work on this machine, strongest first: each has run a small program that was held."""
    return [backend for backend in backends() if not backend.why_not]


def choose(name: str | None = None) -> Backend:
    """Return the strongest backend, or the one of that name.

    Raises:
        NoSandbox: if there is none; the message gives each backend's reason and how to get one.
        ValueError: for a name that no backend has; the message lists them.
    """
    kinds = [kind for kind in KINDS if name in (None, kind.name)]
    if not kinds:
        raise ValueError(f"no sandbox is called {name!r}; there are {', '.join(kind.name for kind in KINDS)}")
    for kind in kinds:
        if not _tried(kind).why_not:
            return _tried(kind)
    reasons = "\n".join(f"  {kind.name}: {_tried(kind).why_not}" for kind in kinds)
    raise NoSandbox(f"No sandbox for untrusted code on this {sys.platform} machine:\n{reasons}\n{ADVICE}")
