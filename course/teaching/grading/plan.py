"""What the tests of a lab are, found out from its reference; and which of them need no idea at all.

A test that only expects an error passes for code that always raises one, and a test of an empty mask for code that
always gives an empty list. Such tests are found by grading files that do the same in every function. They earn only
together with another test of the same TODO.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from course.student.core.catalog import Lab
from course.student.core.hints import lab_data
from course.teaching.grading.job import Job, Rules
from course.teaching.grading.local import Record
from course.teaching.grading.thoughtless import thoughtless

Run = Callable[[Sequence[Job]], Mapping[str, Record]]
"""Grades jobs, and gives their records by key."""


@dataclass(frozen=True)
class Plan:
    """What must run, and what it is worth.

    Attributes:
        todo_of: the TODO of each test that must run, in their order.
        free: the tests that earn nothing alone.
        points: of each TODO.
    """

    todo_of: Mapping[str, int]
    free: frozenset[str]
    points: Mapping[int, int]

    def tests_of(self, todo: int) -> list[str]:
        """The tests of one TODO."""
        return [test for test, number in self.todo_of.items() if number == todo]


def make_plan(lab: Lab, rules: Rules, run: Run) -> Plan:
    """Grade the reference and the thoughtless files.

    Raises:
        ValueError: if the reference is not there or fails a test, or if a TODO has no test that takes an idea.
    """
    if not lab.has_reference:
        raise ValueError(f"{lab.label} cannot be graded: this copy of the course does not hold its reference")
    reference = Job(rules, lab.solution.read_text(encoding="utf-8"))
    others = [Job(rules, text) for text in thoughtless(lab)]
    records = run([reference, *others])
    todo_of = _passed_by_the_reference(lab, records[reference.key])
    free = frozenset(test for job in others for test in passed(records[job.key]) if test in todo_of)
    points = {number: todo.points for number, todo in lab_data(lab).todos.items()}
    plan = Plan(todo_of, free, points)
    _check(lab, plan)
    return plan


def passed(record: Record) -> list[str]:
    """The tests that passed."""
    return [test for test, found in record["tests"].items() if found["verdict"] == "pass"]


def _passed_by_the_reference(lab: Lab, record: Record) -> dict[str, int]:
    tests = record["tests"]
    failed = [test for test, found in tests.items() if found["verdict"] != "pass"]
    if failed:
        story = tests[failed[0]]["story"].strip().splitlines() or [""]
        late = " (is the machine busy? there is --seconds)" if story[0].startswith("stopped after") else ""
        more = f"{len(failed)} of {len(tests)} tests" if len(failed) > 1 else "a test"
        raise ValueError(
            f"{lab.label}: its own reference fails {more}, so nobody is graded. {failed[0]}: {story[0]}{late}"
        )
    if record["ended"] or not tests:
        raise ValueError(f"{lab.label}: its own reference could not be graded: {record['ended'] or 'no test ran'}")
    return {test: found["todo"] for test, found in tests.items()}


def _check(lab: Lab, plan: Plan) -> None:
    for todo in plan.points:
        if not set(plan.tests_of(todo)) - plan.free:
            raise ValueError(f"{lab.label}, TODO {todo}: code without any idea passes all of its tests")
    if unknown := set(plan.todo_of.values()) - set(plan.points):
        raise ValueError(f"{lab.label}: tests of TODO {min(unknown)}, which has no points in hints.toml")
