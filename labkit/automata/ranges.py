"""Index arrays that concatenate many slices."""

import numpy as np
from numpy.typing import NDArray


def ranges(starts: NDArray[np.intp], counts: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the numbers ``starts[i]``, ``starts[i] + 1``, ..., ``counts[i]`` of them, for each i in order.

    >>> ranges(np.array([7, 0, 3]), np.array([2, 0, 3])).tolist()
    [7, 8, 3, 4, 5]
    """
    ends = counts.cumsum()
    numbers: NDArray[np.intp] = (starts - ends + counts).repeat(counts)
    numbers += np.arange(len(numbers))
    return numbers
