"""Bubblewrap: namespaces and a root file system made by a program of its own, from the system's packages."""

import shutil
from dataclasses import replace
from pathlib import Path

from course.isolation.confine import landlock
from course.isolation.confine.plan import Plan
from course.isolation.sandbox import interpreter
from course.isolation.sandbox.confined import BEGIN, no_filter
from course.isolation.sandbox.namespaces import InNamespaces
from course.student.core.catalog import ROOT

_INSIDE = Path("/confine")
"""Where the sandboxed process finds ``course.isolation.confine``, and nothing else of the course."""

_OF_ROOT = ("SETUID", "SETGID", "SETPCAP")
_TO_MOUNT = "SYS_ADMIN"
"""Capabilities that the last steps use up: as root to change the user, and to mount the scratch folder."""


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
        """One sentence for a report."""
        writes = "" if self._writes else "; nothing can be written"
        return f"bubblewrap: own namespaces and file system, a filter of system calls, {self._who()}{writes}"

    def _missing(self) -> str:
        if shutil.which("bwrap") is None:
            return "bwrap is not installed"
        return no_filter()

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
    """The file system, folders before what they hold. Bubblewrap would make the folders on the way for root alone."""
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
