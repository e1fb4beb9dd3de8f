"""Whole numbers in a row, many times over: the index arrays of slices that lie apart."""

import numpy as np
from numpy.typing import NDArray


def ranges(starts: NDArray[np.intp], counts: NDArray[np.intp]) -> NDArray[np.intp]:
    """The numbers ``starts[i]`` to before ``starts[i] + counts[i]``, for one i after another.

    >>> ranges(np.array([7, 0, 3]), np.array([2, 0, 3])).tolist()
    [7, 8, 3, 4, 5]
    """
    ends = counts.cumsum()
    numbers: NDArray[np.intp] = (starts - ends + counts).repeat(counts)
    numbers += np.arange(len(numbers))
    return numbers
