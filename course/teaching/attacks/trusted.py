"""Grading one submission: the trusted side, in a process of its own, as a grader has it."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

import hypothesis  # noqa: F401 (so that a child that is forked off has it already)
import numpy as np  # noqa: F401
import pytest

from course.student.core.catalog import ROOT, Lab
from course.student.run import plugin  # noqa: F401

SECRET = "COURSE_SELFTEST_SECRET"
"""A variable of the trusted side's environment, which no worker may see."""

_SHOWN = 300


@dataclass(frozen=True)
class Job:
    """One submission to be graded, by which tests, in what, and where the answer goes.

    Without a sandbox's name nothing confines it: so the house's tests see that the arena notices what is done to it.
    """

    lab: Lab
    file: Path
    sandbox: str
    slot: int
    shelf: Path
    seconds: float
    todo: int | None
    secret: str
    token: str
    answer: Path


@dataclass(frozen=True)
class Answer:
    """What the tests found.

    Attributes:
        passed: the names of the tests that passed.
        failed: what the others said, cut.
        told: what a submission says that it got at.
        todo_of: the TODO of every test.
        memory: the most memory that the trusted side had, in bytes.
    """

    passed: tuple[str, ...]
    failed: dict[str, str]
    told: tuple[str, ...]
    todo_of: dict[str, int]
    memory: int


class _Collector:
    def __init__(self, token: str) -> None:
        self._token = token
        self.passed: list[str] = []
        self.failed: dict[str, str] = {}
        self.told: set[str] = set()
        self.todo_of: dict[str, int] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what a test of the lab found; everything that it says is searched for the token."""
        found = getattr(report, "course", None)
        if found is None:
            return
        name = report.nodeid.partition("::")[2]
        self.todo_of[name] = found["todo"]
        if found["verdict"] == "pass":
            return self.passed.append(name)
        self.failed[name] = found["message"][:_SHOWN]
        for text in (found["message"], str(report.longrepr)):
            _, token, behind = text.partition(self._token)
            self.told |= {behind.strip().splitlines()[0][:_SHOWN]} if token else set()


def _options(job: Job) -> list[str]:
    words = [f"--impl={job.file}", f"--lab-timeout={job.seconds}", "-p", "no:cacheprovider", "-q", "--pipe"]
    if job.sandbox:
        words += [f"--sandbox={job.sandbox}", f"--sandbox-slot={job.slot}", f"--sandbox-shelf={job.shelf}"]
    return [*words, *([f"--todo={job.todo}"] if job.todo else []), str(job.lab.folder / "test_lab.py")]


def grade(job: Job) -> None:
    """Run the tests and write the answer; to be called in a process that does nothing else."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in range(3):
        os.dup2(nothing, fd)
    os.chdir(ROOT)
    os.environ |= {SECRET: job.secret, "LAB_CHAIN": "reference"}
    os.environ.pop("PYTEST_ADDOPTS", None)
    collector = _Collector(job.token)
    pytest.main(_options(job), plugins=[collector])
    import resource  # not on every system

    memory = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    answer = Answer(tuple(collector.passed), collector.failed, tuple(sorted(collector.told)), collector.todo_of, memory)
    job.answer.write_text(json.dumps(asdict(answer)))


def read_answer(path: Path) -> Answer | None:
    """What ``grade`` wrote; None if it did not come so far."""
    try:
        found = json.loads(path.read_text())
    except (OSError, ValueError):
        return None
    lists = {name: tuple(found[name]) for name in ("passed", "told")}
    return Answer(**(found | lists))
