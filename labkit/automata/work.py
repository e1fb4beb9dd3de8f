"""Work is counted where states are made and nodes are walked, so that one call can be given a limit.

A step of an engine serves many requests, and a mask of one of them may ask for a great many states. Seconds would
depend on what else the computer does; units do not, so the same call meets the same limit everywhere.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from labkit.errors import TooMuchWork

_left: ContextVar[list[int] | None] = ContextVar("left", default=None)
"""What is left of the limit, and the limit; None where there is none."""


def spend(units: int) -> None:
    """Count work that is about to be done; a unit is about a microsecond.

    Raises:
        TooMuchWork: if it is more than is left of the limit.

    >>> spend(10**12)  # nobody has set a limit
    """
    left = _left.get()
    if left is not None:
        left[0] -= units
        if left[0] < 0:
            raise TooMuchWork("a step of this grammar takes too much work", left[1])


def affordable(units: int) -> bool:
    """Return whether so much work is left, for what can be done in a cheaper way.

    >>> affordable(10**12)
    True
    """
    left = _left.get()
    return left is None or units <= left[0]


@contextmanager
def at_most(units: int | None) -> Iterator[None]:
    """Limit the work that is done within a block, by this thread; None for no limit.

    >>> with at_most(9):
    ...     spend(10)
    Traceback (most recent call last):
    labkit.errors.TooMuchWork: a step of this grammar takes too much work; the limit is 9
    """
    token = _left.set(None if units is None else [units, units])
    try:
        yield
    finally:
        _left.reset(token)
