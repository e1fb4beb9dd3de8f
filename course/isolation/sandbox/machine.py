"""What a sandbox takes from this machine: an interpreter with the files that it needs, and users who own nothing."""

import site
import socket
import stat
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

_LIBRARIES = ("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache")
_STORES = ("/nix/store", "/gnu/store")

USERS = range(61_000, 61_180)
"""The numbers of spare users: distributions use lower ones, and systemd gives out those from 61,184 on."""


def python() -> list[str]:
    """Return the command that starts the interpreter itself, past all links and environments, without packages."""
    file = Path(getattr(sys, "_base_executable", None) or sys.executable).resolve()
    return [str(file), "-P", "-S", "-s", "-B", "-X", "utf8"]


def package_folders() -> list[Path]:
    """Return the folders of installed packages, as this process finds them."""
    known = {sysconfig.get_path(name) for name in ("purelib", "platlib")} | set(site.getsitepackages())
    known |= {site.getusersitepackages()} if site.ENABLE_USER_SITE else set()
    return [Path(path).resolve() for path in sys.path if path in known and Path(path).is_dir()]


@cache
def needed() -> tuple[Path, ...]:
    """Return the files and folders that any sandboxed Python must be able to read, as far as they exist."""
    own = [Path(base) / name for base in {sys.base_prefix, sys.base_exec_prefix} for name in ("lib", "lib64")]
    found = [Path(python()[0]), *own, *package_folders(), *map(Path, (*_LIBRARIES, *_STORES))]
    return tuple(dict.fromkeys(path for path in found if path.exists()))


def closed(paths: Iterable[Path]) -> Path | None:
    """Return the first file or folder on the way to these paths that other users can't read or enter; None if none."""
    for path in (path.resolve() for path in paths):
        for part in (*reversed(path.parents), path):
            mode = part.stat().st_mode
            needs = stat.S_IROTH if part == path else 0
            needs |= stat.S_IXOTH if stat.S_ISDIR(mode) else 0
            if mode & needs != needs:
                return part
    return None


@contextmanager
def spare_user() -> Iterator[int]:
    """Yield the number of a user who owns nothing here, whom no other sandbox has, and who has no process yet.

    Raises:
        OSError: if all are taken.
    """
    for uid in filter(_is_nobody, USERS):
        with socket.socket(socket.AF_UNIX) as lock:
            try:
                lock.bind(f"\0course-user-{uid}")  # a name that the kernel frees when this process ends
            except OSError:
                continue
            if end_processes_of(uid):  # some may be left of a grader that was killed
                yield uid
                return
    raise OSError(f"all {len(USERS)} spare users are at work on this machine already")


def _is_nobody(uid: int) -> bool:
    import pwd  # not on every system

    try:
        return not pwd.getpwuid(uid)
    except KeyError:
        return True


def end_processes_of(uid: int) -> bool:
    """Kill all that a spare user runs, at one stroke: no process can start another meanwhile.

    Return whether they are gone: the dead count as the user's until the system's first process has seen to them.
    """
    if processes_of(uid):
        words = ["/bin/sh", "-c", "kill -KILL -1"]
        subprocess.run(words, user=uid, group=uid, extra_groups=[], cwd="/", check=False, capture_output=True)
    return not processes_of(uid)


def processes_of(uid: int) -> list[int]:
    """Return the numbers of a user's processes."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if folder.stat().st_uid == uid:
                found.append(int(folder.name))
    return found


def processes_below(pid: int) -> list[int]:
    """Return the numbers of a process's children, each before its own."""
    found = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, path.read_text(encoding="ascii").split()):
                found += [child, *processes_below(child)]
    return found
