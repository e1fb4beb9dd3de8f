"""Points, from a record and the plan alone."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from course.teaching.grading.local import Record
from course.teaching.grading.plan import Plan

STATES = {
    "passed": "passed",
    "wrong": "wrong",
    "todo": "not written yet",
    "alone": "earns nothing alone",
    "missing": "did not run",
}
"""What a test's outcome may be, and how people say it."""

_NOT_RUN, _STOPPED = "not run:", "stopped after"
"""How the stories of tests begin that were not begun, and of those that ran out of time."""

_REMARK = 200
"""Characters of a remark that a submission has a say in."""


@dataclass(frozen=True)
class Outcome:
    """What one test found about one submission, and what it said."""

    test: str
    todo: int
    state: str
    story: str = ""

    @property
    def brief(self) -> str:
        """The story; its first line alone where it says of many tests one and the same thing.

        >>> Outcome("a", 1, "wrong", "not run: no time is left\\n\\nThis test is about: x").brief
        'not run: no time is left'
        """
        same = self.state == "todo" or self.story.startswith(_NOT_RUN)
        return self.story.partition("\n")[0] if same else self.story


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
    def ran(self) -> bool:
        """Whether any test ran: the file was there, and it loads."""
        return any(outcome.state != "missing" for outcome in self.outcomes)

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
    return Grade(tuple(found.values()), points, _most(plan), mistakes, _remark(record))


def _outcome(test: str, todo: int, record: Record) -> Outcome:
    result = record["tests"].get(test)
    if result is None or result["todo"] != todo:
        return Outcome(test, todo, "missing", "This test did not run.")
    ran = result.get("loaded", True) and not result["story"].startswith(_NOT_RUN)
    state = {"pass": "passed", "todo": "todo"}.get(result["verdict"], "wrong")
    return Outcome(test, todo, state if ran else "missing", result["story"])


def _remark(record: Record) -> str:
    """What kept tests from running: how the grading ended, a file that does not load, want of time, no code at all."""
    stories = [found["story"] for found in record["tests"].values() if not found.get("loaded", True)]
    late = sum(found["story"].startswith((_NOT_RUN, _STOPPED)) for found in record["tests"].values())
    said = [record["ended"]]
    said += [f"the file does not load: {_cause(stories[0])}"] if stories else []
    said += [f"{late} of its tests ran out of time or were not begun"] if late and not stories else []
    verdicts = {found["verdict"] for found in record["tests"].values()}
    said += ["no TODO is written"] if verdicts == {"todo"} else []
    first = next((found["story"] for found in record["tests"].values() if found["verdict"] != "pass"), "")
    said += [f"no test passes: {_cause(first)}"] if "pass" not in verdicts and not any(said) and first else []
    return "; ".join(filter(None, said))


def _cause(story: str) -> str:
    r"""One line of the story of a file that does not load.

    >>> _cause("starter.py raised ModuleNotFoundError: No module named 'x'\n    starter.py:3 in <module>: import x")
    "ModuleNotFoundError: No module named 'x', line 3"
    >>> _cause('  File "starter.py", line 62\n    if True\n           ^\nSyntaxError: expected \':\'\n\nNo test')
    "SyntaxError: expected ':', line 62"
    """
    lines = story[:3000].partition("\n\n")[0].splitlines() or [""]
    first = lines[-1] if lines[0].startswith("  File ") else lines[0].removeprefix("starter.py raised ")
    found = re.search(r"^(?:  File \"starter\.py\", line |    starter\.py:)(\d{1,7})\b", "\n".join(lines), re.M)
    return first[:_REMARK] + (f", line {found[1]}" if found else "")


def _most(plan: Plan) -> dict[int, int]:
    return {todo: 100 * points for todo, points in plan.points.items()}
