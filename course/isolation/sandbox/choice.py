"""Which sandboxes this machine offers."""

import sys
from functools import cache

from course.isolation.sandbox.backend import Backend, NoSandbox
from course.isolation.sandbox.kinds import Bubblewrap, LandlockAlone, Namespaces, SpareUser

ADVICE = """\
To get a sandbox:
  Debian, Ubuntu     apt install bubblewrap. Ubuntu 24.04 and later also block user namespaces for programs without
                     an AppArmor profile: install the package apparmor-profiles, then as root
                       ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/
                       apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict
  Windows            grade inside WSL2 (wsl --install), and there apt install bubblewrap.
  macOS, others      grade inside a Linux container, as its root: the kernel's Landlock is enough there.
Code that you trust can be graded without one: --unsafe."""


_KINDS: tuple[type[Backend], ...] = (Bubblewrap, Namespaces, SpareUser, LandlockAlone)
"""Strongest first."""


@cache
def _tried(kind: type[Backend]) -> Backend:
    return kind()


def backends() -> list[Backend]:
    """Return every backend that the course knows, strongest first, each tried on this machine once; see ``why_not``."""
    return [_tried(kind) for kind in _KINDS]


def available() -> list[Backend]:
    """Return the backends that work on this machine, strongest first: each has run a small program that was held."""
    return [backend for backend in backends() if not backend.why_not]


def choose(name: str | None = None) -> Backend:
    """Return the strongest backend, or the one of that name.

    Raises:
        NoSandbox: if there is none; the message gives each backend's reason and how to get one.
        ValueError: for a name that no backend has; the message lists them.
    """
    kinds = [kind for kind in _KINDS if name in (None, kind.name)]
    if not kinds:
        raise ValueError(f"no sandbox is called {name!r}; there are {', '.join(kind.name for kind in _KINDS)}")
    for kind in kinds:
        if not _tried(kind).why_not:
            return _tried(kind)
    reasons = "\n".join(f"  {kind.name}: {_tried(kind).why_not}" for kind in kinds)
    raise NoSandbox(f"No sandbox for untrusted code on this {sys.platform} machine:\n{reasons}\n{ADVICE}")
