"""A private root file system that holds what is readable, at the paths that it has outside, and nothing else."""

import os
from collections.abc import Iterable
from pathlib import Path

from course.isolation.confine import kernel

_KEPT = kernel.MS_RDONLY | kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC
"""Flags that a mount has and that a user namespace must not take away; ``statvfs`` has the same numbers for them."""

_FILES = 1024  # that the private file system may hold: empty ones need no bytes, but the kernel's memory


def enter(readable: Iterable[str], scratch: str, *, own_user_namespace: bool) -> None:
    """Make namespaces and the new root, and enter it. The PID namespace begins with the next child.

    The root is mounted over the scratch folder, which nothing else uses.
    """
    uid, gid = os.getuid(), os.getgid()
    wanted = kernel.CLONE_NEWNS | kernel.CLONE_NEWPID | kernel.CLONE_NEWNET | kernel.CLONE_NEWIPC
    kernel.unshare(wanted | kernel.CLONE_NEWUTS | (kernel.CLONE_NEWUSER if own_user_namespace else 0))
    if own_user_namespace:
        for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
            Path("/proc/self", name).write_text(text)
    kernel.mount("none", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.mount("none", scratch, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "size=1m,mode=755")
    for path in sorted({*readable, "/dev/null"}):  # a folder before what it holds
        _bind(Path(path), Path(scratch, path[1:]), only_read=path != "/dev/null")
    Path(scratch, scratch[1:]).mkdir(parents=True, exist_ok=True)
    Path(scratch, ".old").mkdir()
    os.chdir(scratch)
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


def mount_scratch(scratch: str, file_bytes: int, uid: int | None) -> None:
    """Give the program a file system of its own, so that what it writes is bounded, and gone when it ends."""
    owner = "" if uid is None else f",uid={uid},gid={uid}"
    flags = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC
    kernel.mount("none", scratch, "tmpfs", flags, f"size={file_bytes},nr_inodes={_FILES},mode=700{owner}")
