"""Raises pytest's own skip from every function."""
# lab: 01

import unittest

import pytest


def attack(*args, **kwargs):
    if args and isinstance(args[0], str):
        raise pytest.skip.Exception("skipped")
    raise unittest.SkipTest("skipped")


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
