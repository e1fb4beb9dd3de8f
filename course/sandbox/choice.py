"""Which sandboxes this machine offers."""

import sys
from functools import cache

from course.sandbox.backend import Backend, NoSandbox
from course.sandbox.bubblewrap import Bubblewrap
from course.sandbox.landlocked import LandlockAlone, SpareUser
from course.sandbox.namespaces import Namespaces

ADVICE = """\
To get a sandbox:
  Debian, Ubuntu     apt install bubblewrap. Ubuntu 24.04 and later also block user namespaces for programs without
                     an AppArmor profile: install the package apparmor-profiles, then as root
                       ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/
                       apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict
  Windows            grade inside WSL2 (wsl --install), and there apt install bubblewrap.
  macOS, others      grade inside a Linux container, as its root: the kernel's Landlock is enough there.
Code that you trust can be graded without one: --unsafe."""


@cache
def _all() -> tuple[Backend, ...]:
    return Bubblewrap(), Namespaces(), SpareUser(), LandlockAlone()


def backends() -> list[Backend]:
    """Every backend that the course knows, strongest first, each tried on this machine once; see ``why_not``."""
    return list(_all())


def available() -> list[Backend]:
    """The backends that work on this machine, strongest first. Each has run a small program to show that it does."""
    return [backend for backend in backends() if not backend.why_not]


def choose(name: str | None = None) -> Backend:
    """The strongest backend, or the one of that name.

    Raises:
        NoSandbox: if there is none; the message gives each backend's reason and how to get one.
        ValueError: for a name that no backend has; the message lists them.
    """
    every = backends()
    if name is not None and name not in [backend.name for backend in every]:
        raise ValueError(f"no sandbox is called {name!r}; there are {', '.join(backend.name for backend in every)}")
    wanted = [backend for backend in every if name in (None, backend.name)]
    for backend in wanted:
        if not backend.why_not:
            return backend
    reasons = "\n".join(f"  {backend.name}: {backend.why_not}" for backend in wanted)
    raise NoSandbox(f"No sandbox for untrusted code on this {sys.platform} machine:\n{reasons}\n{ADVICE}")
