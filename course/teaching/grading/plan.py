"""What the tests of a lab are, found out from its reference; and which of them a trivial submission passes.

A test that only expects an error passes for code that always raises one, and a test of an empty mask for code that
always returns an empty list. So trivial submissions are graded first: each does one constant thing in every TODO. A
test that one of them passes is credited only together with another test of the same TODO that all of them fail.

What the starter gives is in them too, since a test may call it. Where ``prepare`` is given, a generation that is
``[0]`` whatever is asked gets as far as being looked at.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from course.student.core.catalog import Lab
from course.student.core.hints import lab_data
from course.student.core.starters import generate_starter
from course.teaching.grading.attempt import TIMEOUT
from course.teaching.grading.job import Job, Record, Rules
from labkit import errors

CONSTANTS = (
    *("return None", "return True", "return False", "return 0", "return 1", "return ''"),
    *("return []", "return [0]", "return ()", "return {}", "return set()"),
    "return args[0] if args else None",
    "return args[1] if len(args) > 1 else None",
    "return np.zeros(len(args[0]), bool)",
    "raise ValueError('refused')",
)
"""What the submissions do in every TODO; they also raise each refusal of the course."""

_SAME = """

import numpy as np

from labkit.errors import *


def pattern_of(args):
    text = next((arg for arg in args if isinstance(arg, str)), "")
    return text, next((arg for arg in args if type(arg) is int), 0)


def same(*args, **kwargs):
    {body}


{names} = same
"""

_ARGUMENTS = {"problem": "'refused'", "pattern": "pattern_of(args)[0]", "position": "pattern_of(args)[1]"}
_ARGUMENTS |= {"limit": "1000", "needed": "2.0", "budget": "1"}
"""What a refusal is raised with, by the names of its parameters; other numbers are 0, other texts empty."""


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


def bodies() -> list[str]:
    """Return what the trivial submissions do, as lines of Python.

    >>> bodies()[-1]
    "raise UnsupportedSchema('refused', '')"
    """
    kinds = [kind for _, kind in inspect.getmembers(errors, inspect.isclass)]
    bases = {base for kind in kinds for base in kind.__bases__}
    refusals = []
    for kind in (kind for kind in kinds if kind not in bases):
        parameters = inspect.signature(kind).parameters.values()
        arguments = ", ".join(_ARGUMENTS.get(each.name, repr(each.annotation())) for each in parameters)
        refusals.append(f"raise {kind.__name__}({arguments})")
    return [*CONSTANTS, *refusals]


def trivial(lab: Lab) -> list[str]:
    """Return the lab's starter with all TODOs filled in alike, once for each body.

    >>> from course.student.core.catalog import find_lab
    >>> len(trivial(find_lab(2))) > 20
    True
    """
    names = " = ".join(todo.function for todo in lab_data(lab).todos.values())
    starter = generate_starter(lab)
    return [starter + _SAME.format(body=body, names=names) for body in bodies()]


def make_plan(lab: Lab, rules: Rules, run: Callable[[Sequence[Job]], Mapping[str, Record]]) -> Plan:
    """Grade the reference and the trivial submissions; ``run`` grades jobs, and returns their records by key.

    Raises:
        ValueError: if the reference is not there or fails a test, or if trivial submissions pass all tests of a TODO.
    """
    if not lab.has_reference:
        raise ValueError(f"{lab.label} cannot be graded: this copy of the course does not hold its reference")
    reference = Job(rules, lab.solution.read_text(encoding="utf-8"))
    others = [Job(rules, text) for text in trivial(lab)]
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
