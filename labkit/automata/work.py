"""A budget for work: what may grow large is counted before it is done, and stops at a limit.

A count is the same on every computer, and a clock is not. Whoever compiles something that a stranger wrote opens a
budget; whatever makes states, sets of states or cases charges it. Without a budget nothing is counted.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from labkit.errors import LimitExceeded


class Budget:
    """The work that may be done, in units of very roughly a microsecond, and how much is spent.

    Attributes:
        spent: the units so far.
        place: what is worked at, for the error: a JSON pointer or a name.
    """

    def __init__(self, most: int, what: str) -> None:
        self.most = most
        self.spent = 0
        self.place = ""
        self._what = what

    def charge(self, units: int) -> None:
        """Count work that is about to be done.

        Raises:
            LimitExceeded: if it is more than is left.
        """
        self.spent += units
        if self.spent > self.most:
            place = self.place if len(self.place) <= 80 else f"{self.place[:80]}..."
            raise LimitExceeded(f"{self._what} takes too much work, at {place or 'the root'}", self.most)


_open: ContextVar[Budget | None] = ContextVar("budget", default=None)


@contextmanager
def budget(most: int, what: str = "this") -> Iterator[Budget]:
    """Open a budget for the work within; an outer one rests meanwhile.

    >>> with budget(100, "the schema") as work:
    ...     charge(60)
    ...     work.place = "/items"
    ...     charge(50)
    Traceback (most recent call last):
    labkit.errors.LimitExceeded: the schema takes too much work, at /items; the limit is 100
    """
    opened = Budget(most, what)
    token = _open.set(opened)
    try:
        yield opened
    finally:
        _open.reset(token)


def charge(units: int) -> None:
    """Count work that is about to be done, if a budget is open.

    Raises:
        LimitExceeded: if it is more than is left.

    >>> charge(1_000_000_000)
    """
    if (opened := _open.get()) is not None:
        opened.charge(units)


def working_at(place: str) -> None:
    """Note what is worked at, for the error.

    >>> working_at("/items")
    """
    if (opened := _open.get()) is not None:
        opened.place = place
