"""What the tests of a lab are, found out from its reference; and which of them a trivial submission passes.

A test that only expects an error passes for code that always raises one, and a test of an empty mask for code that
always returns an empty list. So trivial submissions are graded first: each does one thing in every TODO, made from the
signatures. A test that one of them passes is credited only together with another test of the same TODO that all of
them fail.

What the starter gives is in them too, since a test may call it. Where ``prepare`` is given, a generation that is
``[0]`` whatever is asked gets as far as being looked at.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from course.student.core.catalog import Lab
from course.student.core.hints import lab_data
from course.student.core.starters import generate_starter
from course.teaching.grading.attempt import TIMEOUT
from course.teaching.grading.job import UNSAFE, GradingRules, Job, Record
from course.teaching.grading.trivial import refusals


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


def bodies() -> list[tuple[str, int]]:
    """Return what the trivial submissions do: a kind, and which one of it.

    >>> sorted({kind for kind, _ in bodies()})
    ['argument', 'argument converted', 'argument of the type', 'constant', 'refusal', 'value']
    """
    counts = {"constant": range(5), "value": range(6), "argument": (0, 1, -1)}
    counts |= {"argument of the type": (0, -1), "argument converted": (0, 1), "refusal": range(len(refusals()))}
    return [(kind, number) for kind, numbers in counts.items() for number in numbers]


def trivial(lab: Lab) -> list[str]:
    """Return the lab's starter with all TODOs filled in alike, once for each body.

    >>> from course.student.core.catalog import find_lab
    >>> len(trivial(find_lab(2))) == len(bodies())
    True
    """
    names = [todo.function for todo in lab_data(lab).todos.values()]
    code = Path(__file__).with_name("trivial.py").read_text(encoding="utf-8")
    made = generate_starter(lab) + f"\n\nspace = {{'__name__': 'trivial'}}\nexec({code!r}, space)\n"
    return [made + f"space['fill_in'](globals(), {names}, {kind!r}, {number})\n" for kind, number in bodies()]


def make_plan(lab: Lab, rules: GradingRules, run: Callable[[Sequence[Job]], Mapping[str, Record]]) -> Plan:
    """Grade the reference and the trivial submissions; ``run`` grades jobs, and returns their records by key.

    Raises:
        ValueError: if the reference is not there or fails a test, or if trivial submissions pass all tests of a TODO.
    """
    if not lab.has_reference:
        raise ValueError(f"{lab.label} cannot be graded: this copy of the course does not hold its reference")
    reference = Job(rules, lab.solution.read_text(encoding="utf-8"))
    others = [Job(replace(rules, sandbox=UNSAFE), text) for text in trivial(lab)]  # it is the course's own code
    records = run([reference, *others])
    record = records[reference.key]
    failed = [(test, found) for test, found in record["tests"].items() if found["verdict"] != "pass"]
    if failed:
        test, found = failed[0]
        late = " (is the machine busy? there is --seconds)" if found["reason"] == TIMEOUT else ""
        more = f"{len(failed)} of {len(record['tests'])} tests" if len(failed) > 1 else "a test"
        why = f"{test}: {found['cause']}{late}"
        raise ValueError(f"{lab.label}: its own reference fails {more}, so nobody is graded. {why}")
    if record["ended"] or not record["tests"]:
        raise ValueError(f"{lab.label}: its own reference could not be graded: {record['ended'] or 'no test ran'}")
    plan = plan_of(lab, record, [records[job.key] for job in others])
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
