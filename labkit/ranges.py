"""Whole numbers in a row, many times over: the index arrays of slices that lie apart."""

import numpy as np
from numpy.typing import NDArray


def ranges(starts: NDArray[np.intp], counts: NDArray[np.intp]) -> NDArray[np.intp]:
    """The numbers ``starts[i]`` to before ``starts[i] + counts[i]``, for one i after another.

    >>> ranges(np.array([7, 0, 3]), np.array([2, 0, 3])).tolist()
    [7, 8, 3, 4, 5]
    """
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    numbers: NDArray[np.intp] = np.repeat(starts - ends + counts, counts) + np.arange(total)
    return numbers
