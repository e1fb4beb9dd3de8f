"""Test doubles: a walk whose answers are a function."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray


class WalkOfFunction:
    """What ``number_nodes`` asks of a walk.

    Args:
        n_classes: the number of classes of bytes.
        after: the numbers after some steps, by their keys.

    >>> WalkOfFunction(2, lambda keys: keys // 2).after(np.array([5])).tolist()
    [2]
    """

    def __init__(self, n_classes: int, after: Callable[[NDArray[np.intp]], NDArray[np.intp]]) -> None:
        self.n_classes = n_classes
        self.after = after
