"""Grading honest submissions and the bank in one sandbox after another, on all cores."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from course.isolation.sandbox import Backend
from course.isolation.sandbox.stage import stage
from course.student.core.catalog import Lab
from course.student.core.hints import lab_data
from course.student.core.starters import generate_starter
from course.teaching.attacks.bank import Submission, without
from course.teaching.attacks.trial import SECONDS, Finding, attempt
from course.teaching.grading.job import Record
from course.teaching.grading.local import cores, forks
from course.teaching.grading.plan import Plan, plan_of, trivial
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
        """Whether nothing was gained, harmed, left running or withheld."""
        return not (self.unearned or self.points or self.harm or self.survivors or self.lacks)


def honest(lab: Lab) -> list[Submission]:
    """Return submissions that must get what they earn and no less: the reference, the starter, one without a TODO."""
    last = max(lab_data(lab).todos)
    reference = lab.solution.read_text(encoding="utf-8")
    return [
        Submission("the reference", "Solves every TODO.", reference, lab),
        Submission("the pristine starter", "Solves no TODO.", generate_starter(lab), lab),
        Submission("all but the last TODO", f"Solves every TODO but {last}.", without(lab, [last]), lab),
    ]


class Runs:
    """The runs of a bank. A lab's plan, what its tests are and which of them are free, is found out once.

    Args:
        bank: the hostile submissions.
        folder: an empty folder for copies of what workers read.
    """

    def __init__(self, bank: Sequence[Submission], folder: Path) -> None:
        self._bank = bank
        self._shelves = {lab: folder / f"{lab.number:02}" for lab in sorted({each.lab for each in bank})}
        self._plans: dict[Lab, Plan] = {}
        forks()
        for lab, shelf in self._shelves.items():
            shelf.mkdir()
            stage(lab, [], shelf)

    def of(self, backend: Backend) -> Iterator[Line]:
        """Yield lines as they are done: the honest submissions first, then the bank."""
        for lab in self._shelves:
            findings = list(self._attempts(backend, honest(lab), _HONEST_SECONDS))
            if lab not in self._plans:
                same = [Submission("trivial", "Does the same in every TODO.", text, lab) for text in trivial(lab)]
                others = [_record(finding) for finding in self._attempts(backend, same)]
                self._plans[lab] = plan_of(lab, _record(findings[0]), others)
            yield from map(_honest_line, findings, _earned(self._plans[lab]))
        for finding in self._attempts(backend, self._bank):
            yield self._line(finding)

    def _line(self, finding: Finding) -> Line:
        """Return a hostile submission's line: it earns what it says it solves, and what trivial submissions pass."""
        submission, plan = finding.submission, self._plans[finding.submission.lab]
        gained = {name for name in finding.passed - plan.free if plan.todo_of.get(name) != submission.earns}
        wanted = {name for name, todo in plan.todo_of.items() if submission.todo in (None, todo)}
        points = score(plan, _record(finding, finding.passed & set(plan.todo_of))).points
        unearned = sum(some for todo, some in points.items() if todo != submission.earns)
        if lost := len(wanted - set(finding.tests)):
            finding = replace(finding, harm=(*finding.harm, f"{lost} tests without an outcome"))
        return _line(finding, gained, unearned)

    def _attempts(self, backend: Backend, wanted: Sequence[Submission], seconds: float = SECONDS) -> Iterator[Finding]:
        def one(submission: Submission) -> Finding:
            return attempt(submission, backend.name, self._shelves[submission.lab], seconds=seconds)

        with ThreadPoolExecutor(cores()) as pool:
            yield from pool.map(one, wanted)


def _record(finding: Finding, tests: Iterable[str] | None = None) -> Record:
    """Return a record of these tests of a finding, by default of all."""
    kept = finding.tests if tests is None else {test: finding.tests[test] for test in tests}
    return {"tests": kept, "misconceptions": {}, "ended": ""}


def _earned(plan: Plan) -> list[set[str]]:
    """Return the tests that each of the honest submissions passes."""
    last = max(plan.todo_of.values(), default=0)
    return [set(plan.todo_of), set(), {name for name, todo in plan.todo_of.items() if todo < last}]


def _honest_line(finding: Finding, earned: set[str]) -> Line:
    lost = len(earned - finding.passed)
    lacks = f"{lost} of {len(earned)} earned tests failed" if lost else ""
    return replace(_line(finding, finding.passed - earned, 0), honest=True, lacks=lacks)


def _line(finding: Finding, unearned: Iterable[str], points: int) -> Line:
    about = (tuple(sorted(unearned)), points, finding.harm, finding.survivors, finding.seconds)
    return Line(finding.backend, finding.submission.name, finding.submission.tries, *about)
