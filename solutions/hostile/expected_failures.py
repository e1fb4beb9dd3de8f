"""Raises pytest's xfail and exit outcomes from every function."""
# lab: 01

import pytest


def attack(*args, **kwargs):
    if args and isinstance(args[0], str):
        raise pytest.xfail.Exception("expected")
    raise pytest.exit.Exception("done", returncode=0)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
