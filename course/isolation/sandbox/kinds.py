"""The sandboxes, strongest first.

Two have namespaces and a root file system of their own, made by bubblewrap or by the course itself, which then adds
Landlock. Where namespaces are forbidden, Landlock remains: with a spare user for root, else alone.
"""

import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from course.isolation.confine import landlock
from course.isolation.confine.plan import Plan
from course.isolation.sandbox import interpreter, users
from course.isolation.sandbox.backend import BEGIN, Backend, no_filter, no_landlock
from course.student.core.catalog import ROOT

_INSIDE = Path("/confine")
"""Where the sandboxed process finds ``course.isolation.confine``, and nothing else of the course."""

_OF_ROOT = ("SETUID", "SETGID", "SETPCAP")
_TO_MOUNT = "SYS_ADMIN"
"""Capabilities that the last steps use up: as root to change the user, and to mount the scratch folder."""


class InNamespaces(Backend):
    """Root makes namespaces as root where it may; otherwise with a user namespace, like any other user."""

    has_inside = True

    def __init__(self) -> None:
        self._as_root = not users.why_not()
        super().__init__()
        if self.why_not and self._as_root:
            self._as_root = False
            super().__init__()

    def _uid(self, slot: int) -> int | None:
        return users.spare_uid(slot) if self._as_root else None

    def _who(self) -> str:
        return "a spare user for each slot" if self._as_root else f"user {os.getuid()}"


class Bubblewrap(InNamespaces):
    """Everything in namespaces; only what is readable is in the file system at all."""

    name = "bubblewrap"
    strength = 1

    def __init__(self) -> None:
        self._writes = True
        super().__init__()
        reason = self.why_not
        if reason and not self._missing():
            self._writes = False  # AppArmor's profile lets bubblewrap make namespaces, and nobody mount in them
            super().__init__()
            self.why_not = self.why_not and reason

    def describe(self) -> str:
        """Return one sentence for a report."""
        writes = "" if self._writes else "; nothing can be written"
        return f"bubblewrap: own namespaces and file system, a filter of system calls, {self._who()}{writes}"

    def _missing(self) -> str:
        return no_filter() if shutil.which("bwrap") else "bwrap is not installed"

    def _arranged(self, plan: Plan, slot: int) -> Plan:
        return replace(plan, uid=self._uid(slot), writes=self._writes, landlock=landlock.version() > 0)

    def _command(self, plan: Plan) -> list[str]:
        options = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
        options += ["--die-with-parent", "--new-session", "--cap-drop", "ALL"]
        options += [] if self._as_root else ["--unshare-user"]
        wanted = [*(_OF_ROOT if self._as_root else ()), *([_TO_MOUNT] if self._writes else [])]
        options += [word for name in wanted for word in ("--cap-add", f"CAP_{name}")]
        options += ["--info-fd", str(plan.info_fd)]
        begin = [*interpreter.command(), "-c", BEGIN, str(_INSIDE), replace(plan, info_fd=0).dumps()]
        return [shutil.which("bwrap") or "bwrap", *options, *_mounts(plan), "--", *begin]


def _mounts(plan: Plan) -> list[str]:
    """Return the file system, folders before what they hold; bubblewrap would make those above for root alone."""
    code = _INSIDE / "course" / "isolation" / "confine"
    shown = {Path(path): path for path in plan.readable} | {code: str(ROOT / "course" / "isolation" / "confine")}
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
    strength = 2

    def describe(self) -> str:
        """Return one sentence for a report."""
        return f"namespaces: own namespaces and file system, Landlock, a filter of system calls, {self._who()}"

    def _missing(self) -> str:
        return no_landlock()

    def _arranged(self, plan: Plan, slot: int) -> Plan:
        return replace(plan, own_root=True, own_user_namespace=not self._as_root, writes=True, uid=self._uid(slot))


class SpareUser(Backend):
    """For root where namespaces are forbidden, as in hosted graders: another user, and Landlock."""

    name = "uid"
    strength = 3

    def describe(self) -> str:
        """Return one sentence for a report."""
        return "uid: a spare user for each slot, Landlock, a filter of system calls; nothing can be written"

    def _missing(self) -> str:
        return no_landlock() or users.why_not() or closed(interpreter.needed())

    def _arranged(self, plan: Plan, slot: int) -> Plan:
        if reason := closed([Path(path) for path in plan.readable]):
            raise ValueError(reason)
        return replace(plan, uid=users.spare_uid(slot))


class LandlockAlone(Backend):
    """For any other user where namespaces are forbidden."""

    name = "landlock"
    strength = 4

    def describe(self) -> str:
        """Return one sentence for a report."""
        return "landlock: Landlock and a filter of system calls, the grader's own user; nothing can be written"

    def _missing(self) -> str:
        return no_landlock()

    def _arranged(self, plan: Plan, slot: int) -> Plan:
        return plan


def closed(paths: Sequence[Path]) -> str:
    """Return why a spare user could not read all of this, or an empty string."""
    folder = interpreter.closed_folder(paths, users.FIRST)
    if folder is None:
        return ""
    return (
        f"{folder} is closed to other users, and on the way to what the sandbox must read: use a Python outside of it, "
        f"or chmod o+x {folder}, or another sandbox, which can show what lies there"
    )
