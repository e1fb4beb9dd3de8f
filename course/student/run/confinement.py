"""Whether a run's untrusted file is confined, and by what: ``--sandbox``, or a caller in this process."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # what it imports is not to be had on every system, and seldom needed
    from course.isolation.sandbox import Sandbox

SANDBOX = pytest.StashKey["Sandbox | None"]()
"""What confines the worker of this run. A caller's plugin may set it in ``pytest_configure``, besides ``--pipe``."""

STRONGEST = "strongest"


def add_options(parser: pytest.Parser) -> None:
    """The options, which imply ``--pipe``."""
    group = parser.getgroup("mask the logits")
    group.addoption("--sandbox", metavar="NAME", help=f"confine the file: '{STRONGEST}', or a sandbox's name")
    group.addoption("--sandbox-slot", type=int, default=0, metavar="N", help="another number for each run at one time")
    group.addoption("--sandbox-shelf", metavar="FOLDER", help="where copies for the sandbox are kept between runs")


def is_piped(config: pytest.Config) -> bool:
    """Whether the file under test runs in a process of its own."""
    return bool(config.getoption("pipe")) or config.getoption("sandbox") is not None


def sandbox_of(config: pytest.Config) -> "Sandbox | None":
    """The sandbox of this run, made once; None where nobody asked for one.

    Raises:
        pytest.UsageError: if this machine does not offer it.
    """
    if SANDBOX not in config.stash:
        config.stash[SANDBOX] = _chosen(config)
    return config.stash[SANDBOX]


def _chosen(config: pytest.Config) -> "Sandbox | None":
    name, shelf = config.getoption("sandbox"), config.getoption("sandbox_shelf")
    if name is None:
        return None
    from course.isolation.sandbox import NoSandbox, Sandbox, choose

    try:
        backend = choose(None if name == STRONGEST else name)
    except (NoSandbox, ValueError) as error:
        raise pytest.UsageError(str(error)) from error
    return Sandbox(backend, slot=config.getoption("sandbox_slot"), shelf=Path(shelf) if shelf else None)


def close(config: pytest.Config) -> None:
    """Remove the sandbox's files, when its workers have ended."""
    sandbox = config.stash.get(SANDBOX, None)
    if sandbox is not None:
        sandbox.close()
