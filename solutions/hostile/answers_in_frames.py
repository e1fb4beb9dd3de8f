"""Walks up the stack to find the expected value in its caller's variables."""
# lab: 01

import sys


def attack(*args, **kwargs):
    frame = sys._getframe(1)
    while frame is not None:
        for name in ("expected", "want", "answer", "correct", "reference", "right"):
            if name in frame.f_locals:
                return frame.f_locals[name]
        frame = frame.f_back
    raise LookupError("no expected value in sight")
