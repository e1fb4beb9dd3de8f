"""One submission in one sandbox: what it gained, and what it harmed."""

import os
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from course.isolation.sandbox import Limits
from course.teaching.attacks.arena import Arena
from course.teaching.attacks.bank import Submission
from course.teaching.grading.attempt import TIMEOUT, Say
from course.teaching.grading.job import Job, Rules
from course.teaching.grading.local import grade

SECONDS = 2.0
"""The limit of one test. A loop costs a self-test this much, so it is short."""

SECRET = "COURSE_SELFTEST_SECRET"
"""A variable of the trusted side's environment, which no worker may see."""

_LONGER = 5
"""How many times as much a file gets that did not load in that time, for it may not have had the time to attack."""

_TOTAL_S = 240.0

MEMORY = 2 << 30
"""Bytes that the trusted side may need. The worst message takes about half of it."""

_LINGER_S = 2.0
"""Seconds that a killed process may take to be gone."""

_SHOWN = 300


class Searcher:
    """A pytest plugin: searches all that tests report for the token, and measures the trusted side."""

    def __init__(self, token: str, secret: str, say: Say) -> None:
        self._token, self._say = token, say
        os.environ[SECRET] = secret

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Report what a submission says that it got at."""
        for text in (getattr(report, "course", {}).get("message", ""), str(report.longrepr)):
            _, token, rest = text.partition(self._token)
            if token:
                self._say(harm=rest.strip().splitlines()[0][:_SHOWN])

    def pytest_unconfigure(self) -> None:
        """Report too much memory."""
        import resource  # Windows has none, and no grader

        memory = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        if memory > MEMORY:
            self._say(harm=f"grader took {memory >> 20} MiB")


@dataclass(frozen=True)
class Finding:
    """What came of one submission.

    Attributes:
        tests: what the grader recorded of each test.
        harm: what came to harm: the grader, neighbours, files, secrets.
        survivors: processes that outlived it.
        seconds: how long it took.
    """

    backend: str
    submission: Submission
    tests: Mapping[str, Any]
    harm: tuple[str, ...]
    survivors: tuple[str, ...]
    seconds: float

    @property
    def passed(self) -> frozenset[str]:
        """The tests that passed."""
        return frozenset(test for test, found in self.tests.items() if found["verdict"] == "pass")


def attempt(submission: Submission, backend: str, shelf: Path, *, seconds: float = SECONDS) -> Finding:
    """Grade a submission in the sandbox of that name, and see what it has done."""
    found = _attempt(submission, backend, shelf, seconds)
    if any(not test["loaded"] and test.get("reason") == TIMEOUT for test in found.tests.values()):
        return _attempt(submission, backend, shelf, seconds * _LONGER)
    return found


def _attempt(submission: Submission, backend: str, shelf: Path, seconds: float) -> Finding:
    begun = time.monotonic()
    with Arena() as arena:
        own = arena.folder / "shelf"  # of its own: what a submission does to it harms no other
        shutil.copytree(shelf, own)
        rules = Rules(submission.lab.number, backend, seconds, _TOTAL_S, Limits(), todo=submission.todo)
        job = Job(rules, submission.filled(arena.values))
        record = grade(job, own, partial(Searcher, arena.token, arena.secret))
        survivors = _survivors(arena)
        observed = sorted({each["harm"] for each in record.get("observed", [])})
        harm = [*filter(None, [record["ended"]]), *observed, *arena.harm()]
    took = time.monotonic() - begun
    return Finding(backend, submission, record["tests"], tuple(harm), tuple(survivors), took)


def _survivors(arena: Arena) -> list[str]:
    """Return the processes that are left after those being killed have had their time to go."""
    until = time.monotonic() + _LINGER_S
    while (found := arena.survivors(str(arena.folder))) and time.monotonic() < until:
        time.sleep(0.05)
    return found
