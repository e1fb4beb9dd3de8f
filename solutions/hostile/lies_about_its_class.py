"""Returns objects that claim to be of another class, which isinstance believes."""
# lab: 01

import numpy as np


def lie(kind):
    class Lie:
        __class__ = kind

        def __eq__(self, other):
            return True

        __hash__ = None

    return Lie()


KINDS = [bool, int, str, list, tuple, np.ndarray, type(None)]


def attack(*args, **kwargs):
    KINDS.append(KINDS.pop(0))
    return lie(KINDS[-1])


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
