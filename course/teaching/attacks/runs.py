"""Grading honest submissions and the bank in one sandbox after another, on all cores: what they gain and harm."""

import os
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from course.isolation.sandbox import Backend, Limits
from course.isolation.sandbox.worker import stage
from course.student.core.catalog import Lab
from course.teaching.attacks.arena import Arena
from course.teaching.attacks.bank import Trial, honest
from course.teaching.grading.attempt import TIMEOUT, Say
from course.teaching.grading.job import GradingRules, Job, Record
from course.teaching.grading.local import at_work, cores, grade
from course.teaching.grading.plan import Plan, passed, plan_of, trivial
from course.teaching.grading.scoring import money, score

SECONDS = 2.0
"""The limit of one test. A loop costs a self-test this much, so it is short."""

_LONGER = 5
"""How many times as much a file gets that did not load in that time, for it may not have had the time to attack."""

SECRET = "COURSE_SELFTEST_SECRET"
"""A variable of the trusted side's environment, which no worker may see."""

MEMORY = 2 << 30
"""Bytes that the trusted side may need. The worst message takes about half of it."""


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
                self._say(harm=rest.strip().splitlines()[0][:300])

    def pytest_unconfigure(self) -> None:
        """Report too much memory."""
        import resource  # Windows has none, and no grader

        memory = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        if memory > MEMORY:
            self._say(harm=f"grader took {memory >> 20} MiB")


@dataclass(frozen=True)
class AttackFinding:
    """What came of one submission in one sandbox.

    Attributes:
        record: what the grader recorded.
        harm: what came to harm: the grader, neighbours, files, secrets.
        survivors: processes that outlived it.
        seconds: how long it took.
        unearned: the tests that it passed and did not earn.
        points: what a grade would give for them, in hundredths of a point.
        lacks: what it earned and did not get.
    """

    backend: str
    submission: Trial
    record: Record
    harm: tuple[str, ...]
    survivors: tuple[str, ...]
    seconds: float
    unearned: tuple[str, ...] = ()
    points: int = 0
    lacks: str = ""

    @property
    def wrong(self) -> str:
        """What was gained, harmed, left running or withheld, in words; empty if nothing was."""
        gained = f"{money(self.points)} points and {len(self.unearned)} tests unearned: {', '.join(self.unearned[:2])}"
        found = [
            gained if self.unearned or self.points else "",
            f"harm: {', '.join(self.harm)}" if self.harm else "",
            f"survivors: {', '.join(self.survivors)}" if self.survivors else "",
        ]
        return "; ".join(filter(None, [*found, self.lacks]))


def attempt(
    submission: Trial,
    backend: str,
    shelf: Path,
    *,
    seconds: float = SECONDS,
    children: set[BaseProcess] | None = None,
) -> AttackFinding:
    """Grade a submission in the sandbox of that name, and see what it has done."""
    begun = time.monotonic()
    with Arena() as arena:
        own = arena.folder / "shelf"  # of its own: what a submission does to it harms no other
        shutil.copytree(shelf, own)
        rules = GradingRules(submission.lab.number, backend, seconds, 240.0, Limits(), todo=submission.todo)
        job = Job(rules, submission.filled(arena.values))
        record = grade(job, own, partial(Searcher, arena.token, arena.secret), children)
        survivors = tuple(arena.survivors())
        observed = sorted({each["harm"] for each in record.get("observed", [])})
        harm = (*filter(None, [record["ended"]]), *observed, *arena.harm())
    return AttackFinding(backend, submission, record, harm, survivors, time.monotonic() - begun)


def runs(bank: Sequence[Trial], backends: Sequence[Backend]) -> Iterator[AttackFinding]:
    """Yield findings as they are done: in each sandbox the honest submissions first, then the bank."""
    plans: dict[Lab, Plan] = {}  # what a lab's tests are, and which of them are free, is found out once
    with TemporaryDirectory(prefix="course-selftest-") as folder, at_work(cores()) as (pool, children):
        shelves = {lab: Path(folder) / f"{lab.number:02}" for lab in sorted({each.lab for each in bank})}
        for lab, shelf in shelves.items():
            shelf.mkdir()
            stage(lab, [], shelf)

        def tried(backend: Backend, wanted: Sequence[Trial], seconds: float = SECONDS) -> Iterator[AttackFinding]:
            def one(submission: Trial) -> AttackFinding:
                run = partial(attempt, submission, backend.name, shelves[submission.lab], children=children)
                found = run(seconds=seconds)
                if any(not each["loaded"] and each.get("reason") == TIMEOUT for each in found.record["tests"].values()):
                    return run(seconds=seconds * _LONGER)
                return found

            return pool.map(one, wanted)

        for backend in backends:
            for lab in shelves:
                findings = list(tried(backend, honest(lab), seconds=20.0))
                if lab not in plans:
                    same = [Trial("trivial", "Does the same in every TODO.", text, lab) for text in trivial(lab)]
                    plans[lab] = plan_of(lab, findings[0].record, [each.record for each in tried(backend, same)])
                yield from (_judged(finding, plans[lab]) for finding in findings)
            for finding in tried(backend, bank):
                yield _judged(finding, plans[finding.submission.lab])


def _judged(finding: AttackFinding, plan: Plan) -> AttackFinding:
    """Return a finding with what it gained: it earns the TODOs that it solves, and what trivial submissions pass."""
    submission, tests, got = finding.submission, finding.record["tests"], set(passed(finding.record))
    earned = {name for name, todo in plan.todo_of.items() if todo in submission.earns}
    wanted = {name for name, todo in plan.todo_of.items() if submission.todo in (None, todo)}
    kept = {name: tests[name] for name in got & set(plan.todo_of)}
    points = score(plan, {"tests": kept, "misconceptions": {}, "ended": ""}).points
    silent, lost = len(wanted - set(tests)), len(earned - got)
    return replace(
        finding,
        unearned=tuple(sorted(got - plan.free - earned)),
        points=sum(some for todo, some in points.items() if todo not in submission.earns),
        harm=(*finding.harm, f"{silent} tests without an outcome") if silent else finding.harm,
        lacks=f"{lost} of {len(earned)} earned tests failed" if lost else "",
    )
