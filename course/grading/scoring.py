"""Points, from a record and the plan alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from course.grading.local import Record
from course.grading.plan import Plan

STATES = {
    "passed": "passed",
    "wrong": "wrong",
    "todo": "not written yet",
    "alone": "earns nothing alone",
    "missing": "did not run",
}
"""What a test's outcome may be, and how people say it."""


@dataclass(frozen=True)
class Outcome:
    """What one test found about one submission, and what it said."""

    test: str
    todo: int
    state: str
    story: str = ""


@dataclass(frozen=True)
class Grade:
    """The points of one submission.

    Attributes:
        outcomes: of each test that must run, in the plan's order.
        points: of each TODO, in hundredths.
        most: the same of the reference.
        misconceptions: TODO to the story of the known mistake that the submission answers like.
        remark: what kept it from being graded as others are; empty for most.
    """

    outcomes: tuple[Outcome, ...]
    points: Mapping[int, int]
    most: Mapping[int, int]
    misconceptions: Mapping[int, str]
    remark: str = ""

    @property
    def score(self) -> int:
        """All points, in hundredths."""
        return sum(self.points.values())

    @property
    def max_score(self) -> int:
        """The reference's, in hundredths."""
        return sum(self.most.values())


def money(hundredths: int) -> str:
    """Hundredths of a point as people write them.

    >>> money(350), money(1200)
    ('3.50', '12.00')
    """
    return f"{hundredths // 100}.{hundredths % 100:02}"


def ungraded(plan: Plan, remark: str) -> Grade:
    """The grade of what could not be read: no points."""
    outcomes = tuple(Outcome(test, todo, "missing") for test, todo in plan.todo_of.items())
    return Grade(outcomes, dict.fromkeys(plan.points, 0), _most(plan), {}, remark)


def score(plan: Plan, record: Record) -> Grade:
    """The grade of a record. What is missing, skipped or unexpected earns nothing."""
    found = {test: _outcome(test, todo, record) for test, todo in plan.todo_of.items()}
    points = {}
    for todo in plan.points:
        tests = plan.tests_of(todo)
        passed = [test for test in tests if found[test].state == "passed"]
        if not set(passed) - plan.free:
            found |= {test: Outcome(test, todo, "alone") for test in passed}
            passed = []
        points[todo] = round(Fraction(100 * plan.points[todo] * len(passed), len(tests)))
    mistakes = {int(todo): story for todo, story in record["misconceptions"].items()}
    return Grade(tuple(found.values()), points, _most(plan), mistakes, record["ended"])


def _outcome(test: str, todo: int, record: Record) -> Outcome:
    result = record["tests"].get(test)
    if result is None or result["todo"] != todo:
        return Outcome(test, todo, "missing", "This test did not run.")
    state = {"pass": "passed", "todo": "todo"}.get(result["verdict"], "wrong")
    return Outcome(test, todo, state, result["story"])


def _most(plan: Plan) -> dict[int, int]:
    return {todo: 100 * points for todo, points in plan.points.items()}
