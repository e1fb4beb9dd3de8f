"""Points, from a record and the plan alone."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from course.teaching.grading.attempt import NOT_RUN, TIMEOUT
from course.teaching.grading.job import UNLOADED, Record
from course.teaching.grading.plan import Plan, passed

STATES = {
    "passed": "passed",
    "wrong": "wrong",
    "todo": "not written yet",
    "alone": "earns nothing alone",
    "missing": "did not run",
}
"""The states of a test's outcome, and how a page says them."""

_VARIES = re.compile(r"""(?<!\w)b?(['"])(?:\\.|(?!\1).)*(?:\1|$)|\d+""")
"""Quoted text, which may be cut off, and numbers: what differs between one line's errors, as in ``KeyError: 'x'``."""


@dataclass(frozen=True)
class ScoredTest:
    """What one test found about one submission, and its failure message.

    ``alike`` is the same for failures of one cause: errors of one line that differ in values alone, or wrong answers
    to one test's calls.
    """

    test: str
    todo: int
    state: str
    message: str = ""
    reason: str = ""
    alike: str = ""

    @property
    def brief(self) -> str:
        """The message; its first line alone where many tests have one and the same."""
        return self.message.partition("\n")[0] if self.state == "todo" or self.reason == NOT_RUN else self.message


@dataclass(frozen=True)
class Grade:
    """The points of one submission.

    Attributes:
        outcomes: of each test that must run, in the plan's order.
        points: of each TODO, in hundredths.
        misconceptions: TODO to the known mistake that the submission answers like.
        remark: what kept it from being graded as others are; empty for most.
    """

    outcomes: tuple[ScoredTest, ...]
    points: Mapping[int, int]
    misconceptions: Mapping[int, str]
    remark: str = ""

    @property
    def score(self) -> int:
        """All points, in hundredths."""
        return sum(self.points.values())

    @property
    def ran(self) -> bool:
        """Whether any test ran: the file was there, and it loads."""
        return any(outcome.state != "missing" for outcome in self.outcomes)

    def of(self, todo: int) -> list[ScoredTest]:
        """Return the outcomes of one TODO."""
        return [outcome for outcome in self.outcomes if outcome.todo == todo]


def money(hundredths: int) -> str:
    """Write hundredths of a point with a decimal point.

    >>> money(350), money(1200)
    ('3.50', '12.00')
    """
    return f"{hundredths // 100}.{hundredths % 100:02}"


def ungraded(plan: Plan, remark: str) -> Grade:
    """Return the grade of a submission that could not be read: no points."""
    outcomes = tuple(ScoredTest(test, todo, "missing") for test, todo in plan.todo_of.items())
    return Grade(outcomes, dict.fromkeys(plan.points, 0), {}, remark)


def score(plan: Plan, record: Record, note: str = "") -> Grade:
    """Return the grade of a record, with a note before its remark. What is missing or unexpected earns nothing."""
    found = {test: _outcome(test, todo, record) for test, todo in plan.todo_of.items()}
    points = {}
    for todo in plan.points:
        tests = plan.tests_of(todo)
        good = [test for test in tests if found[test].state == "passed"]
        if not set(good) - plan.free:
            found |= {test: ScoredTest(test, todo, "alone") for test in good}
            good = []
        points[todo] = round(Fraction(100 * plan.points[todo] * len(good), len(tests)))
    mistakes = {int(todo): mistake for todo, mistake in record["misconceptions"].items()}
    return Grade(tuple(found.values()), points, mistakes, "; ".join(filter(None, (note, _remark(record)))))


def _outcome(test: str, todo: int, record: Record) -> ScoredTest:
    found = record["tests"].get(test)
    if found is None or found["todo"] != todo:
        return ScoredTest(test, todo, "missing", "This test did not run.")
    if found["verdict"] == "pass":
        return ScoredTest(test, todo, "passed")
    state = "missing" if not found["loaded"] or found["reason"] == NOT_RUN else found["verdict"]
    if found.get("call"):
        alike = test.partition("[")[0]
    else:
        alike = _cause(found | {"cause": _VARIES.sub("…", found["cause"])} if found["line"] else found)
    return ScoredTest(test, todo, state, found["message"], found["reason"], alike)


def _remark(record: Record) -> str:
    """Say what kept tests from running: how the grading ended, a file that does not load, time, no code at all."""
    failed = [found for found in record["tests"].values() if found["verdict"] != "pass"]
    unloaded = [found for found in failed if not found["loaded"]]
    late = sum(found["reason"] in (NOT_RUN, TIMEOUT) for found in failed)
    said = [record["ended"]] if record["ended"] else []
    if unloaded:
        said.append(f"{UNLOADED}: {_cause(unloaded[0])}")
    elif late:
        said.append(f"{late} of its tests ran out of time or were not begun")
    if failed and all(found["verdict"] == "todo" for found in failed) and not passed(record):
        said.append("no TODO is written")
    if failed and not passed(record) and not said:
        said.append(f"no test passes: {_cause(failed[0])}")
    return "; ".join(said)


def _cause(found: Record) -> str:
    says = ": ".join(filter(None, (found.get("call"), found["cause"])))
    return f"{says}, line {found['line']}" if found["line"] else says
