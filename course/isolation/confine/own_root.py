"""A private root file system that holds what is readable, at the paths that it has outside, and nothing else."""

import os
from pathlib import Path

from course.isolation.confine import kernel
from course.isolation.confine.plan import Plan

_KEPT = kernel.MS_RDONLY | kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC
"""Flags that a mount has and that a user namespace must not take away; ``statvfs`` has the same numbers for them."""

_FILES = 1024
"""How many files the private file system may hold: empty ones need no bytes, but the kernel's memory."""


def enter(plan: Plan) -> None:
    """Make namespaces and the new root, and enter it. The PID namespace begins with the next child.

    Raises:
        OSError: if the kernel does not let this user do it.
    """
    uid, gid = os.getuid(), os.getgid()
    wanted = kernel.CLONE_NEWNS | kernel.CLONE_NEWPID | kernel.CLONE_NEWNET | kernel.CLONE_NEWIPC
    kernel.unshare(wanted | kernel.CLONE_NEWUTS | (kernel.CLONE_NEWUSER if plan.own_user_namespace else 0))
    if plan.own_user_namespace:
        _map(uid, gid)
    kernel.mount("none", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
    _build(plan, Path(plan.scratch))


def _map(uid: int, gid: int) -> None:
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        Path("/proc/self", name).write_text(text)


def _build(plan: Plan, root: Path) -> None:
    """Mount the root over the scratch folder, which nothing else uses."""
    kernel.mount("none", str(root), "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "size=1m,mode=755")
    for path in sorted({*plan.readable, "/dev/null"}):  # a folder before what it holds
        _bind(Path(path), root / path[1:], only_read=path != "/dev/null")
    (root / plan.scratch[1:]).mkdir(parents=True, exist_ok=True)
    (root / ".old").mkdir()
    os.chdir(root)
    kernel.pivot_root(".", ".old")
    kernel.umount("/.old")
    Path("/.old").rmdir()
    os.chdir("/")
    kernel.mount("none", "/", "", kernel.MS_REMOUNT | kernel.MS_BIND | kernel.MS_RDONLY | kernel.MS_NOSUID)


def _bind(source: Path, target: Path, *, only_read: bool) -> None:
    if source.is_dir():
        target.mkdir(parents=True, exist_ok=True)
    elif not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
    kernel.mount(str(source), str(target), "", kernel.MS_BIND | kernel.MS_REC)
    if only_read:
        kept = os.statvfs(target).f_flag & _KEPT
        kernel.mount("none", str(target), "", kernel.MS_REMOUNT | kernel.MS_BIND | kernel.MS_RDONLY | kept)


def mount_scratch(plan: Plan) -> None:
    """Give the program a file system of its own, so that what it writes is bounded, and gone when it ends."""
    options = f"size={plan.file_bytes},nr_inodes={_FILES},mode=700"
    owner = "" if plan.uid is None else f",uid={plan.uid},gid={plan.uid}"
    flags = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC
    kernel.mount("none", plan.scratch, "tmpfs", flags, options + owner)
