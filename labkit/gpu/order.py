"""The order of a launch's programs, on which no kernel may rely."""

import random
from itertools import product

from labkit.gpu.counts import Place


def in_some_order(grid: Place) -> list[tuple[int, Place]]:
    """Return every program of a grid with its number, shuffled; the same order each time.

    >>> in_some_order((2, 2))
    [(2, (1, 0)), (0, (0, 0)), (3, (1, 1)), (1, (0, 1))]
    """
    programs = list(enumerate(product(*map(range, grid))))
    random.Random(len(programs)).shuffle(programs)
    return programs
