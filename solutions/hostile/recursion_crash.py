"""Lifts the recursion limit and recurses until the stack is full."""
# lab: 01, todo: 2

import sys

sys.setrecursionlimit(1 << 30)


class Deep:
    def __getattr__(self, name):
        return getattr(self, name + "x")


def attack(*args, **kwargs):
    return max(Deep().x, attack(*args))


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
