"""Trivial submissions: each does one constant thing in every TODO. A test that one of them passes proves little.

What the starter gives is there too, since a test may call it. Where ``prepare`` is given, a generation that is ``[0]``
whatever is asked gets as far as being looked at.
"""

import inspect

from course.student.core.catalog import Lab
from course.student.core.hints import lab_data
from course.student.core.starters import generate_starter
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

_ARGUMENTS = {
    "problem": "'refused'",
    "pattern": "pattern_of(args)[0]",
    "position": "pattern_of(args)[1]",
    "limit": "1000",
    "needed": "2.0",
    "budget": "1",
}
"""What a refusal is raised with, by the names of its parameters; other numbers are 0, other texts empty."""


def bodies() -> list[str]:
    """Return what the trivial submissions do, as lines of Python.

    >>> bodies()[-1]
    "raise UnsupportedSchema('refused', '')"
    """
    kinds = [kind for _, kind in inspect.getmembers(errors, inspect.isclass)]
    bases = {base for kind in kinds for base in kind.__bases__}
    return [*CONSTANTS, *(_refusal(kind) for kind in kinds if kind not in bases)]


def _refusal(kind: type) -> str:
    parameters = inspect.signature(kind).parameters.values()
    arguments = [_ARGUMENTS.get(each.name, repr(each.annotation())) for each in parameters]
    return f"raise {kind.__name__}({', '.join(arguments)})"


def trivial(lab: Lab) -> list[str]:
    """Return the lab's starter with all TODOs filled in alike, once for each body.

    >>> from course.student.core.catalog import find_lab
    >>> len(trivial(find_lab(2)))
    24
    """
    names = " = ".join(todo.function for todo in lab_data(lab).todos.values())
    starter = generate_starter(lab)
    return [starter + _SAME.format(body=body, names=names) for body in bodies()]
