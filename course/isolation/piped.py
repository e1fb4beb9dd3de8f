"""A pytest plugin that runs the files under test in worker processes, in a sandbox if it is given one."""

from collections.abc import Generator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from course.student.core.candidate import Candidate
from course.student.core.catalog import Lab, edition
from course.student.core.timeouts import Stopwatch
from course.student.run.marks import lab_of
from course.student.run.outcomes import NotRun
from course.student.run.settings import SETTINGS

if TYPE_CHECKING:  # its modules do not load on every system, and most runs need none of them
    from course.isolation.sandbox import Sandbox

_GRACE_S = 3.0  # of processor time that a test has beyond its limit, which the pipe keeps


class Piped:
    """The plugin of one run: each file under test gets a worker process, confined by the sandbox if there is one.

    A caller in this process passes it in ``pytest.main(…, plugins=[Piped(sandbox)])``. No test begins when the time of
    ``watch`` is used up.
    """

    def __init__(self, sandbox: "Sandbox | None" = None, watch: Stopwatch | None = None) -> None:
        self._sandbox, self._watch = sandbox, watch

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Add to the settings, which the course's own plugin has read before."""
        self.configure(config, "through the pipe")

    def configure(self, config: pytest.Config, note: str) -> None:
        """Have the files under test made here; ``note`` says so in the first and last line."""
        if config.stash[SETTINGS].chain and edition() != "closed":
            raise pytest.UsageError(f"{note} a file runs alone, on the references: leave LAB_CHAIN=mine out")
        config.stash[SETTINGS] = replace(config.stash[SETTINGS], note=note, grace=_GRACE_S, make=self._piped)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        """Begin no test when the submission's time is used up."""
        if self._watch is not None and lab_of(item.path) is not None and not self._watch.left():
            raise NotRun(f"not run: all time for this file is used up, {self._watch.stopped()}")
        return (yield)

    def _piped(self, lab: Lab, files: Mapping[int, Path], chain: bool, seconds: float) -> Candidate:
        from course.isolation.pipe.proxy import PipedLab

        return PipedLab(lab, files, seconds=seconds, sandbox=self._sandbox)

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """Remove the sandbox's files, after the workers have ended."""
        if self._sandbox is not None:
            self._sandbox.close()
