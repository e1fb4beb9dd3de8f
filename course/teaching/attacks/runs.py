"""Grading the controls and the bank in one sandbox after another, on all cores."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue

from course.isolation.sandbox import Backend
from course.isolation.sandbox.stage import stage
from course.student.core.catalog import Lab
from course.student.core.hints import lab_data
from course.teaching.attacks import controls
from course.teaching.attacks.bank import Submission
from course.teaching.attacks.trial import SECONDS, Finding, attempt
from course.teaching.grading.plan import Plan
from course.teaching.grading.scoring import score

_HONEST_SECONDS = 20.0


@dataclass(frozen=True)
class Line:
    """One line of the table.

    Attributes:
        unearned: the tests that it passed and did not earn.
        points: what a grade would give for them, in hundredths of a point.
        harm, survivors: see ``Finding``.
        lacks: of an honest submission, what it earned and did not get.
    """

    backend: str
    name: str
    tries: str
    unearned: tuple[str, ...]
    points: int
    harm: tuple[str, ...]
    survivors: tuple[str, ...]
    seconds: float
    honest: bool = False
    lacks: str = ""

    @property
    def fine(self) -> bool:
        """Whether nothing was gained, harmed, left behind or withheld."""
        return not (self.unearned or self.points or self.harm or self.survivors or self.lacks)


class Runs:
    """The runs of a bank. What a lab's tests are, and which of them a constant passes, is found out once.

    Args:
        bank: the hostile submissions.
        folder: an empty folder for copies of what workers read.
    """

    def __init__(self, bank: Sequence[Submission], folder: Path) -> None:
        self._bank = bank
        self._labs = sorted({submission.lab for submission in bank})
        self._shelves = {lab: folder / f"{lab.number:02}" for lab in self._labs}
        self._todo_of: dict[Lab, dict[str, int]] = {}
        self._free: dict[Lab, frozenset[str]] = {}
        for lab, shelf in self._shelves.items():
            shelf.mkdir()
            stage(lab, [], shelf)

    def of(self, backend: Backend) -> Iterator[Line]:
        """Lines as they are done: the honest submissions first, then the bank."""
        for lab in self._labs:
            yield from self._honest(backend, lab)
        jobs = [(lab, control) for lab in self._labs if lab not in self._free for control in controls.constants(lab)]
        found = list(self._attempts(backend, [control for _, control in jobs]))
        for lab in {lab for lab, _ in jobs}:
            passed = [finding.passed for (other, _), finding in zip(jobs, found, strict=True) if other == lab]
            self._free[lab] = frozenset().union(*passed)
        for finding in self._attempts(backend, self._bank):
            yield self._line(finding)

    def _honest(self, backend: Backend, lab: Lab) -> Iterator[Line]:
        wanted = [controls.reference(lab), controls.pristine(lab), controls.partial(lab)]
        found = list(self._attempts(backend, wanted, _HONEST_SECONDS))
        self._todo_of[lab] = todo_of = found[0].todo_of
        last = max(todo_of.values(), default=0)
        earned = [set(todo_of), set(), {name for name, todo in todo_of.items() if todo < last}]
        for finding, names in zip(found, earned, strict=True):
            lacking = f"{len(names - finding.passed)} of {len(names)} earned tests failed"
            yield _line(finding, finding.passed - names, 0, lacking if names - finding.passed else "", honest=True)

    def _line(self, finding: Finding) -> Line:
        """A hostile submission's: it earns nothing but what it says it solves, and what any constant passes."""
        submission = finding.submission
        todo_of, free = self._todo_of[submission.lab], self._free[submission.lab]
        gained = {name for name in finding.passed - free if todo_of.get(name) != submission.earns}
        wanted = {name for name, todo in todo_of.items() if submission.todo in (None, todo)}
        lost = len(wanted - set(finding.todo_of))
        harm = (*finding.harm, f"{lost} tests without an outcome") if lost else finding.harm
        return _line(replace(finding, harm=harm), gained, self._points(finding), "")

    def _points(self, finding: Finding) -> int:
        """What a grade would give, in hundredths, but for what the submission says that it solves."""
        lab, todo_of = finding.submission.lab, self._todo_of[finding.submission.lab]
        plan = Plan(todo_of, self._free[lab], {number: todo.points for number, todo in lab_data(lab).todos.items()})
        tests = {
            name: {"todo": todo_of[name], "verdict": "pass", "story": ""} for name in finding.passed & set(todo_of)
        }
        points = score(plan, {"tests": tests, "misconceptions": {}, "ended": ""}).points
        return sum(some for todo, some in points.items() if todo != finding.submission.earns)

    def _attempts(self, backend: Backend, wanted: Sequence[Submission], seconds: float = SECONDS) -> Iterator[Finding]:
        slots: SimpleQueue[int] = SimpleQueue()
        for slot in range(_cores()):
            slots.put(slot)

        def one(submission: Submission) -> Finding:
            slot = slots.get()
            try:
                return attempt(submission, backend.name, slot, self._shelves[submission.lab], seconds=seconds)
            finally:
                slots.put(slot)

        return _parallel(one, wanted)


def _parallel(one: Callable[[Submission], Finding], wanted: Iterable[Submission]) -> Iterator[Finding]:
    with ThreadPoolExecutor(_cores()) as pool:
        yield from pool.map(one, wanted)


def _cores() -> int:
    return len(os.sched_getaffinity(0))


def _line(finding: Finding, unearned: Iterable[str], points: int, lacks: str, *, honest: bool = False) -> Line:
    name, tries = finding.submission.name, finding.submission.tries
    about = (tuple(sorted(unearned)), points, finding.harm, finding.survivors, finding.seconds)
    return Line(finding.backend, name, tries, *about, honest, lacks)
