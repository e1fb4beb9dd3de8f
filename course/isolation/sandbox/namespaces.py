"""Namespaces with Landlock: what bubblewrap does, done by the course itself."""

import os
from dataclasses import replace
from functools import cache

from course.isolation.confine import landlock
from course.isolation.confine.plan import Plan
from course.isolation.sandbox import users
from course.isolation.sandbox.confined import Confined, no_filter


class InNamespaces(Confined):
    """Root makes namespaces as root where it may, and with a user namespace where it may not, as anybody else."""

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


class Namespaces(InNamespaces):
    """Everything in namespaces; only what is readable is in the file system at all, and Landlock says so again."""

    name = "namespaces"
    strength = 2

    def describe(self) -> str:
        """One sentence for a report."""
        return f"namespaces: own namespaces and file system, Landlock, a filter of system calls, {self._who()}"

    def _missing(self) -> str:
        return no_filter() or no_landlock()

    def _arranged(self, plan: Plan, slot: int) -> Plan:
        return replace(plan, own_root=True, own_user_namespace=not self._as_root, writes=True, uid=self._uid(slot))


@cache
def no_landlock() -> str:
    """Why there is no Landlock, or an empty string."""
    return (
        "" if landlock.version() else "the kernel has no Landlock (Linux 5.13), or it is not switched on (lsm=landlock)"
    )
