"""Files without an idea: each does one and the same thing in every function. What they pass takes no thought."""

BODIES = (
    "return None",
    "return True",
    "return False",
    "return 0",
    "return 1",
    "return ''",
    "return []",
    "return ()",
    "return {}",
    "return set()",
    "return args[0] if args else None",
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
"""What the files do in every function."""

_FILE = """\
from labkit.errors import *


def pattern_of(args):
    text = next((arg for arg in args if isinstance(arg, str)), "")
    return text, next((arg for arg in args if type(arg) is int), 0)


def same(*args, **kwargs):
    {body}


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return same
"""


def thoughtless() -> list[str]:
    """Files that do the same in every function.

    >>> len(thoughtless())
    21
    """
    return [_FILE.format(body=body) for body in BODIES]
