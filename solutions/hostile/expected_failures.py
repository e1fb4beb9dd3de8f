"""Raises pytest's xfail and exit outcomes from every function."""
# lab: 01, sample

from _pytest.outcomes import Exit, XFailed


def attack(*args, **kwargs):
    if args and isinstance(args[0], str):
        raise XFailed("expected")
    raise Exit("done", returncode=0)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
