"""The sandboxes, strongest first, and which of them this machine offers.

Two have namespaces and a root file system of their own, made by bubblewrap or by the course itself, which then adds
Landlock. Where namespaces are forbidden, Landlock remains: with a spare user for root, else alone.
"""

import shutil
import sys
from dataclasses import replace
from pathlib import Path

from course.isolation.confine import landlock
from course.isolation.confine.steps import Plan
from course.isolation.sandbox import machine
from course.isolation.sandbox.backend import BEGIN, Backend, NoSandbox, no_filter, no_landlock
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


class InNamespaces(Backend):
    """Root makes namespaces as root where it may; otherwise with a user namespace, like any other user."""

    writes = has_inside = True

    def __init__(self) -> None:
        self.as_root = not machine.no_spare_users()
        super().__init__()
        if self.why_not and self.as_root:
            self.as_root = False
            super().__init__()


class Bubblewrap(InNamespaces):
    """Everything in namespaces; only what is readable is in the file system at all."""

    name = "bubblewrap"
    walls = "own namespaces and file system, a filter of system calls"

    def __init__(self) -> None:
        super().__init__()
        reason = self.why_not
        if reason and not self._missing():
            self.writes = False  # AppArmor's profile lets bubblewrap make namespaces, and nobody mount in them
            super().__init__()
            self.why_not = self.why_not and reason

    def _missing(self) -> str:
        return no_filter() if shutil.which("bwrap") else "bwrap is not installed"

    def _arranged(self, plan: Plan, slot: int) -> Plan:
        return replace(super()._arranged(plan, slot), landlock=landlock.version() > 0)

    def _command(self, plan: Plan) -> list[str]:
        options = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
        options += ["--die-with-parent", "--new-session", "--cap-drop", "ALL"]
        options += [] if self.as_root else ["--unshare-user"]
        # the last steps use these capabilities up: as root to change the user, and to mount the scratch folder
        wanted = ["SETUID", "SETGID", "SETPCAP"] * self.as_root + ["SYS_ADMIN"] * self.writes
        options += [word for name in wanted for word in ("--cap-add", f"CAP_{name}")]
        options += ["--info-fd", str(plan.info_fd)]
        begin = [*machine.python(), "-c", BEGIN, str(_INSIDE), replace(plan, info_fd=0).dumps()]
        return [shutil.which("bwrap") or "bwrap", *options, *_mounts(plan), "--", *begin]


def _mounts(plan: Plan) -> list[str]:
    """Return the file system, folders before what they hold; bubblewrap would make those above for root alone."""
    code = Path("course", "isolation", "confine")
    shown = {Path(path): path for path in plan.readable} | {_INSIDE / code: str(ROOT / code)}
    places = [*shown, Path(plan.scratch), Path("/dev/null")]
    made = {folder for place in places for folder in place.parents} | {Path(plan.scratch)}
    words = ["--perms", "0755", "--tmpfs", "/"]
    for path in sorted({*made, *shown} - {Path("/")}):
        if path in shown:
            words += ["--ro-bind", shown[path], str(path)]
        elif not any(parent in shown for parent in path.parents):
            words += ["--perms", "0755", "--dir", str(path)]
    return [*words, "--dev-bind", "/dev/null", "/dev/null", "--remount-ro", "/"]


class Namespaces(InNamespaces):
    """The same without bubblewrap, and Landlock as a second wall."""

    name = "namespaces"
    walls = "own namespaces and file system, Landlock, a filter of system calls"

    def _arranged(self, plan: Plan, slot: int) -> Plan:
        return replace(super()._arranged(plan, slot), own_root=True, own_user_namespace=not self.as_root)


class SpareUser(Backend):
    """For root where namespaces are forbidden, as in hosted graders: another user, and Landlock."""

    name = "uid"
    as_root = True

    def _missing(self) -> str:
        return no_landlock() or machine.no_spare_users() or machine.closed(machine.needed())

    def _arranged(self, plan: Plan, slot: int) -> Plan:
        if reason := machine.closed(map(Path, plan.readable)):
            raise ValueError(reason)
        return super()._arranged(plan, slot)


KINDS: tuple[type[Backend], ...] = (Bubblewrap, Namespaces, SpareUser, Backend)
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
