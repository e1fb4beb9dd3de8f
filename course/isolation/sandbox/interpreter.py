"""The files that a sandboxed Python needs: itself, the installed packages, the system's libraries."""

import os
import site
import stat
import sys
import sysconfig
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_LIBRARIES = ("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache")
_STORES = ("/nix/store", "/gnu/store")


def python() -> str:
    """Return the interpreter itself, past all links and virtual environments."""
    return str(Path(getattr(sys, "_base_executable", None) or sys.executable).resolve())


def command() -> list[str]:
    """Return the command that starts it, without looking for packages of its own accord."""
    return [python(), "-P", "-S", "-s", "-B", "-X", "utf8"]


def package_folders() -> list[Path]:
    """Return the folders of installed packages, as this process finds them."""
    known = {sysconfig.get_path(name) for name in ("purelib", "platlib")} | set(site.getsitepackages())
    known |= {site.getusersitepackages()} if site.ENABLE_USER_SITE else set()
    return [Path(path).resolve() for path in sys.path if path in known and Path(path).is_dir()]


@cache
def needed() -> tuple[Path, ...]:
    """Return the files and folders that any sandboxed Python must be able to read, as far as they exist."""
    own = [Path(base) / name for base in {sys.base_prefix, sys.base_exec_prefix} for name in ("lib", "lib64")]
    found = [Path(python()), *own, *package_folders(), *map(Path, (*_LIBRARIES, *_STORES))]
    return tuple(dict.fromkeys(path for path in found if path.exists()))


def closed_folder(paths: Iterable[Path], uid: int) -> Path | None:
    """Return the first folder or file on one of the paths that this user may not enter or read, or None.

    >>> closed_folder([Path("/")], 12345) is None
    True
    """
    for path in paths:
        for part in (*reversed(path.resolve().parents), path.resolve()):
            if not _is_open(part.stat(), uid, final=part == path.resolve()):
                return part
    return None


def _is_open(status: os.stat_result, uid: int, *, final: bool) -> bool:
    """Return whether a user with no group in common may pass, or, at the end of a path, read."""
    needs = stat.S_IROTH if final else 0
    needs |= stat.S_IXOTH if stat.S_ISDIR(status.st_mode) else 0
    return status.st_uid == uid or status.st_mode & needs == needs
