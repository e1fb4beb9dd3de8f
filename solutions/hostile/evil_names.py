"""Raises errors of classes whose names are formulas and markup."""
# lab: 01

NAMES = ["=1+1", "<b>passed</b>", "AssertionError\npassed", "\x1b[2J", "x" * 1_000_000]


def attack(*args, **kwargs):
    NAMES.append(NAMES.pop(0))
    raise type(NAMES[-1], (ValueError,), {"__str__": lambda self: NAMES[-1]})


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
