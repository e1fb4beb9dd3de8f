"""A pytest plugin: ``--pipe`` runs the file under test in a worker process; the grader gives it a sandbox."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from course.student.core.candidate import Candidate
from course.student.core.catalog import Lab
from course.student.run.settings import SETTINGS

if TYPE_CHECKING:  # its modules do not load on every system, and most runs need none of them
    from course.isolation.sandbox import Sandbox

_GRACE_S = 3.0  # of processor time that a test has beyond its limit, which the pipe keeps


class Piped:
    """The plugin of one run: each file under test gets a worker process, confined by the sandbox if there is one.

    A caller in this process passes it in ``pytest.main(…, plugins=[Piped(sandbox)])``.
    """

    def __init__(self, sandbox: "Sandbox | None" = None) -> None:
        self._sandbox = sandbox

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Add to the settings, which the course's own plugin has read before."""
        settings = config.stash[SETTINGS]
        config.stash[SETTINGS] = replace(settings, note="through the pipe", grace=_GRACE_S, make=self._piped)

    def _piped(self, lab: Lab, files: Mapping[int, Path], chain: bool, seconds: float) -> Candidate:
        from course.isolation.pipe.proxy import PipedLab

        return PipedLab(lab, files, chain=chain, seconds=seconds, sandbox=self._sandbox)

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """Remove the sandbox's files, after the workers have ended."""
        if self._sandbox is not None:
            self._sandbox.close()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    group = parser.getgroup("mask the logits")
    group.addoption("--pipe", action="store_true", help="run the file under test in a process of its own")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Register the plugin of this run if the option asks for it."""
    if config.getoption("pipe"):
        config.pluginmanager.register(Piped())
