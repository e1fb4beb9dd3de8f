"""Raises pytest's skip, xfail and exit outcomes from every function."""
# lab: 01, sample

from itertools import cycle

from _pytest.outcomes import Exit, Skipped, XFailed

KINDS = cycle([Skipped, XFailed])


def attack(*args, **kwargs):
    if args and isinstance(args[0], str):
        raise next(KINDS)("expected")
    raise Exit("done", returncode=0)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
