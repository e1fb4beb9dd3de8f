"""Landlock without namespaces: with a spare user for root, else alone."""

from dataclasses import replace
from pathlib import Path

from course.isolation.confine.plan import Plan
from course.isolation.sandbox import interpreter, users
from course.isolation.sandbox.confined import Confined, no_filter
from course.isolation.sandbox.namespaces import no_landlock


class SpareUser(Confined):
    """For root where namespaces are forbidden, as in hosted graders: another user, and Landlock."""

    name = "uid"
    strength = 3

    def describe(self) -> str:
        """One sentence for a report."""
        return "uid: a spare user for each slot, Landlock, a filter of system calls; nothing can be written"

    def _missing(self) -> str:
        return no_filter() or no_landlock() or users.why_not() or closed(interpreter.needed())

    def _arranged(self, plan: Plan, slot: int) -> Plan:
        if reason := closed([Path(path) for path in plan.readable]):
            raise ValueError(reason)
        return replace(plan, uid=users.spare_uid(slot))


class LandlockAlone(Confined):
    """For anybody else where namespaces are forbidden."""

    name = "landlock"
    strength = 4

    def describe(self) -> str:
        """One sentence for a report."""
        return "landlock: Landlock and a filter of system calls, the grader's own user; nothing can be written"

    def _missing(self) -> str:
        return no_filter() or no_landlock()

    def _arranged(self, plan: Plan, slot: int) -> Plan:
        return plan


def closed(paths: "tuple[Path, ...] | list[Path]") -> str:
    """Why a spare user could not read all of this, or an empty string."""
    folder = interpreter.closed_folder(paths, users.FIRST)
    if folder is None:
        return ""
    return (
        f"{folder} is closed to other users, and on the way to what the sandbox must read: use a Python outside of it, "
        f"or chmod o+x {folder}, or another sandbox, which can show what lies there"
    )
