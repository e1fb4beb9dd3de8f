"""What the tests of a lab are, found out from its reference; and which of them a trivial submission passes.

A test that only expects an error passes for code that always raises one, and a test of an empty mask for code that
always returns an empty list. So trivial submissions are graded first. A test that one of them passes is credited only
together with another test of the same TODO that all of them fail.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from course.student.core.catalog import Lab
from course.student.core.hints import lab_data
from course.teaching.grading.attempt import TIMEOUT
from course.teaching.grading.job import Job, Record, Rules
from course.teaching.grading.trivial import trivial

Run = Callable[[Sequence[Job]], Mapping[str, Record]]
"""Grades jobs, and returns their records by key."""


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
        """Return the tests of one TODO."""
        return [test for test, number in self.todo_of.items() if number == todo]


def make_plan(lab: Lab, rules: Rules, run: Run) -> Plan:
    """Grade the reference and the trivial submissions.

    Raises:
        ValueError: if the reference is not there or fails a test, or if trivial submissions pass all tests of a TODO.
    """
    if not lab.has_reference:
        raise ValueError(f"{lab.label} cannot be graded: this copy of the course does not hold its reference")
    reference = Job(rules, lab.solution.read_text(encoding="utf-8"))
    others = [Job(rules, text) for text in trivial(lab)]
    records = run([reference, *others])
    _check_reference(lab, records[reference.key])
    plan = plan_of(lab, records[reference.key], [records[job.key] for job in others])
    for todo in plan.points:
        if not set(plan.tests_of(todo)) - plan.free:
            raise ValueError(f"{lab.label}, TODO {todo}: trivial submissions pass all of its tests")
    if unknown := set(plan.todo_of.values()) - set(plan.points):
        raise ValueError(f"{lab.label}: tests of TODO {min(unknown)}, which has no points in hints.toml")
    return plan


def plan_of(lab: Lab, reference: Record, others: Sequence[Record]) -> Plan:
    """Return the plan that the records of the reference and of the trivial submissions make."""
    todo_of = {test: found["todo"] for test, found in reference["tests"].items()}
    free = frozenset(test for record in others for test in passed(record) if test in todo_of)
    return Plan(todo_of, free, {number: todo.points for number, todo in lab_data(lab).todos.items()})


def passed(record: Record) -> list[str]:
    """Return the tests that passed."""
    return [test for test, found in record["tests"].items() if found["verdict"] == "pass"]


def _check_reference(lab: Lab, record: Record) -> None:
    failed = {test: found for test, found in record["tests"].items() if found["verdict"] != "pass"}
    for test, found in failed.items():
        late = " (is the machine busy? there is --seconds)" if found["reason"] == TIMEOUT else ""
        more = f"{len(failed)} of {len(record['tests'])} tests" if len(failed) > 1 else "a test"
        raise ValueError(
            f"{lab.label}: its own reference fails {more}, so nobody is graded. {test}: {found['cause']}{late}"
        )
    if record["ended"] or not record["tests"]:
        raise ValueError(f"{lab.label}: its own reference could not be graded: {record['ended'] or 'no test ran'}")
