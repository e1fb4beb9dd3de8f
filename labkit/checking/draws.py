"""Random numbers that a test chooses: a sampler is run with every draw that there is, and nothing is left to chance."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

_Outcome = TypeVar("_Outcome", bound=Hashable)

MOST_DRAWS = 12


class Scripted:
    """A draw that gives some numbers in turn, and fails the test if it's asked for more; ``left`` has the rest.

    >>> draw = Scripted([0.5, 0.25])
    >>> draw(), draw.left
    (0.5, [0.25])
    """

    def __init__(self, numbers: Sequence[float]) -> None:
        self.numbers, self.left = list(numbers), list(numbers)

    def __call__(self) -> float:
        """Return the next number."""
        assert self.left, f"more draws than the {len(self.numbers)} that are needed: {self.numbers}"
        return self.left.pop(0)


def every_draw(run: Callable[[Callable[[], float]], _Outcome], parts: int) -> dict[_Outcome, float]:
    """Return each outcome of ``run(draw)`` with its probability, over all draws from the middles of equal parts.

    >>> every_draw(lambda draw: "heads" if draw() < 0.75 else "tails", parts=4)
    {'heads': 0.75, 'tails': 0.25}
    """
    shares, script = defaultdict[_Outcome, float](float), list[int]()
    while True:
        used = list[int]()

        def draw(used: list[int] = used, script: list[int] = script) -> float:
            assert len(used) < MOST_DRAWS, f"more than {MOST_DRAWS} draws, where a few are enough"
            used.append(script[len(used)] if len(used) < len(script) else 0)
            return (used[-1] + 0.5) / parts

        shares[run(draw)] += parts ** -len(used)
        while used and used[-1] == parts - 1:
            used.pop()
        if not used:
            return dict(shares)
        used[-1] += 1
        script = used


def logs(probabilities: Any) -> NDArray[np.float64]:
    """Return the logarithms of probabilities; minus infinity for 0.

    >>> logs([1, 0]).tolist()
    [0.0, -inf]
    """
    with np.errstate(divide="ignore"):
        return np.log(np.array(probabilities, np.float64))
