"""Files without an idea: each does one and the same thing in every TODO. What they pass takes no thought.

What the starter gives is there, for a test may call it too: where ``prepare`` is given, and only then, a generation
that is ``[0]`` whatever is asked comes to be looked at.
"""

from course.student.core.catalog import Lab
from course.student.core.hints import lab_data
from course.student.core.starters import generate_starter

BODIES = (
    "return None",
    "return True",
    "return False",
    "return 0",
    "return 1",
    "return ''",
    "return []",
    "return [0]",
    "return ()",
    "return {}",
    "return set()",
    "return args[0] if args else None",
    "return args[1] if len(args) > 1 else None",
    "return np.zeros(len(args[0]), bool)",
    "raise ValueError('refused')",
    "raise InvalidPattern('refused', *pattern_of(args))",
    "raise UnsupportedPattern('refused', *pattern_of(args))",
    "raise InvalidSchema('refused', '')",
    "raise UnsupportedSchema('refused', '')",
    "raise LimitExceeded('refused', 1000)",
    "raise TokenNotAllowed(0, '')",
    "raise NoLegalToken(0, '')",
    "raise EmptyRow(0)",
    "raise BudgetTooSmall(1, 2.0)",
)
"""What the files do in every TODO."""

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


def thoughtless(lab: Lab) -> list[str]:
    """The lab's starter with all TODOs filled in alike, once for each body.

    >>> from course.student.core.catalog import find_lab
    >>> len(thoughtless(find_lab(2)))
    24
    """
    names = " = ".join(todo.function for todo in lab_data(lab).todos.values())
    starter = generate_starter(lab)
    return [starter + _SAME.format(body=body, names=names) for body in BODIES]
