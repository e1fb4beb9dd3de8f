"""Sends arrays of a trillion texts of no characters: no bytes to count, and forever to copy."""
# lab: 01

import numpy as np

from course.isolation.pipe import arrays

CODES = ["<U0", "|S0", "<M8[D]", "<d"]


def layout(array):
    CODES.append(CODES.pop(0))
    return [CODES[-1], [10**12], [0], True]


def attack(*args, **kwargs):
    arrays.layout = layout
    return np.zeros(0)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
