"""What a sandbox takes from this machine: an interpreter with the files that it needs, and spare users."""

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

FIRST = 60_600  # the number of slot 0's user; distributions use lower ones, and systemd higher ones
SLOTS = 400


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


def closed(paths: Iterable[Path], uid: int = FIRST) -> str:
    """Return why a user with no group in common could not read all of this, or an empty string."""
    for path in (path.resolve() for path in paths):
        for part in (*reversed(path.parents), path):
            status = part.stat()
            needs = stat.S_IROTH if part == path else 0
            needs |= stat.S_IXOTH if stat.S_ISDIR(status.st_mode) else 0
            if status.st_uid != uid and status.st_mode & needs != needs:
                return (
                    f"{part} is closed to other users, and on the way to what the sandbox must read: use a Python "
                    f"outside of it, or chmod o+x {part}, or another sandbox, which can show what lies there"
                )
    return ""


def spare_uid(slot: int) -> int:
    """Return the user of a slot, who owns nothing; raise ``ValueError`` if there is no such slot."""
    if not 0 <= slot < SLOTS:
        raise ValueError(f"slot {slot}: there are slots 0 to {SLOTS - 1}")
    return FIRST + slot


@cache
def no_spare_users() -> str:
    """Return why this process cannot give code a spare user, or an empty string."""
    if os.getuid() != 0:
        return "only root can change the user"
    import pwd  # not on every system

    child = os.fork()
    if not child:
        try:
            os.setgroups([])
            os.setresgid(FIRST, FIRST, FIRST)
            os.setresuid(FIRST, FIRST, FIRST)
        except OSError:
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        return "this root may not change its user (a container without CAP_SETUID, or with one user alone)"
    taken = [entry.pw_name for entry in pwd.getpwall() if FIRST <= entry.pw_uid < FIRST + SLOTS]
    return f"the user numbers from {FIRST} are taken, by {taken[0]}" if taken else ""
