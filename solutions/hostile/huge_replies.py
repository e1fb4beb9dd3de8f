"""Returns what would fill the grader's memory, or keep it busy for hours: texts, lists, arrays, sets, and no end."""
# lab: 01, todo: 2

import itertools
import zlib

import numpy as np

PAIR = ()
for _ in range(100):
    PAIR = (PAIR, PAIR)

MAKERS = [
    lambda: "x" * (500 << 20),
    lambda: [0] * 10_000_000,
    lambda: itertools.repeat("x" * 100_000),
    lambda: PAIR,
    lambda: np.zeros(240 << 20, np.bool_),
    lambda: {k * (2**61 - 1) for k in range(20_000)},  # they all have the same hash
    lambda: [k * (2**61 - 1) for k in range(300_000)],
]


def attack(*args, **kwargs):
    # A worker that sends too much is ended, and the next one starts anew: so the call says which reply it is.
    return MAKERS[zlib.crc32(repr(args[:2]).encode()) % len(MAKERS)]()
