"""Returns NaN wherever a number is wanted, with which no comparison is false for long."""
# lab: 01

import numpy as np


def attack(*args, **kwargs):
    for arg in args:
        if isinstance(arg, np.ndarray):
            return np.full(arg.shape, np.nan, arg.dtype if arg.dtype.kind == "f" else float)
    return float("nan")


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
