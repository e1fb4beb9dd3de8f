"""What probes of functions over probabilities share: rounded answers, and draws that are fixed numbers."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from labkit.checking.probing import Attempt, attempt


def answered(function: Callable[..., Any], *args: Any) -> Attempt:
    """Return what ``attempt`` returns, with its numbers rounded.

    >>> answered(lambda: [1 / 3, np.array([2 / 3])])
    ('value', [0.333333, ['float64', [1], [0.666667]]])
    """
    kind, *rest = attempt(function, *args)
    return (kind, *map(rounded, rest))


def rounded(value: Any) -> Any:
    """Return a value with its numbers rounded to six digits, an array as its dtype, its shape and a list.

    >>> rounded({"a": (-1e-9, math.inf)})
    [['a', [0.0, inf]]]
    """
    if isinstance(value, np.ndarray):
        return [str(value.dtype), list(value.shape), rounded(value.tolist())]
    if isinstance(value, float):
        return value if math.isinf(value) else "nan" if math.isnan(value) else round(float(value), 6) + 0.0
    if isinstance(value, dict):
        return [[key, rounded(part)] for key, part in value.items()]
    if isinstance(value, (list, tuple)):
        return [rounded(part) for part in value]
    return value


def scripted(numbers: Sequence[float]) -> tuple[Callable[[], float], list[float]]:
    """Return a draw that gives these numbers, and raises ``OverflowError`` after them; and the list of those taken.

    >>> draw, taken = scripted([0.5, 0.25])
    >>> draw(), taken
    (0.5, [0.5])
    """
    taken: list[float] = []

    def draw() -> float:
        if len(taken) >= len(numbers):
            raise OverflowError
        taken.append(numbers[len(taken)])
        return taken[-1]

    return draw, taken
