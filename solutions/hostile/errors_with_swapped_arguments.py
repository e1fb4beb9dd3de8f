"""Raises the course's own errors with swapped, missing and odd arguments, which no text can be made of."""
# lab: 02, earns: 1

import itertools

from labkit.errors import BudgetTooSmall, InvalidPattern, LimitExceeded, NoLegalToken

TURNS = itertools.count()


def advance(fsm, state, text):
    for char in text:
        if state is not None:
            state = fsm.transitions[state].get(char)
    return state


def attack(*args, **kwargs):
    raise (
        InvalidPattern("no such escape", 3, "a\\q"),
        InvalidPattern("no such escape", "a\\q", None),
        LimitExceeded("too many", "1000"),
        BudgetTooSmall(1, None),
        NoLegalToken(b"70", None),
        SyntaxError(5),
        SyntaxError(None, (None, "1", [], 0)),
        UnicodeDecodeError("utf-8", b"", -5, 1 << 30, ""),
    )[next(TURNS) % 8]


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
