"""Returns arrays as large as a message may be, of which a list would take thirty times as much memory."""
# lab: 01

import numpy as np

ROWS = [np.zeros(240 << 20, np.bool_), np.arange(30 << 20, dtype=np.float64), np.full((1, 60 << 20), 3.5, np.float32)]


def attack(*args, **kwargs):
    ROWS.append(ROWS.pop(0))
    return ROWS[-1]


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
