"""Work is counted where states, cases and nodes are made, so that one call can be given a limit.

Code that compiles or walks what a stranger wrote opens a limit, and code whose work may grow large counts it first.
Seconds would depend on what else the computer does. Units don't, so the same call meets the same limit everywhere.
"""

from contextvars import ContextVar, Token
from math import inf

from labkit.errors import TooMuchWork


class Limit:
    """A limit on the work in a block, and what is left of it; made by ``at_most``.

    It can be used again: each block begins with all of it. (A server needs two for each token, so it keeps them.)

    Attributes:
        most: the limit; infinity for none.
        what: what is limited, for the error.
        left: the units that are left.
        place: what is worked at, for the error: a JSON pointer.

    >>> with at_most(9) as limit:
    ...     spend(5)
    >>> limit.left
    4
    >>> with limit:
    ...     spend(5)
    """

    __slots__ = ("_outer", "left", "most", "place", "what")

    place: str | None

    def __init__(self, most: float, what: str) -> None:
        self.most = self.left = most
        self.what, self.place = what, None

    def __enter__(self) -> "Limit":
        self.left = self.most
        self._outer: Token[Limit | None] = _limit.set(self)
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        _limit.reset(self._outer)


_limit: ContextVar[Limit | None] = ContextVar("limit", default=None)


def spend(units: int) -> None:
    """Count work that is about to be done; a unit is about a microsecond, or less.

    Raises:
        TooMuchWork: if it is more than is left of the limit.

    >>> spend(10**12)  # nobody has set a limit
    """
    limit = _limit.get()
    if limit is not None:
        limit.left -= units
        if limit.left < 0:
            place = "" if limit.place is None else f", at {limit.place[:80] or 'the root'}"
            raise TooMuchWork(f"{limit.what} takes too much work{place}", int(limit.most))


def working_at(place: str) -> None:
    """Note what is worked at, for the error.

    >>> working_at("/items")  # so that an error can say "at /items", as in ``at_most``
    """
    if (limit := _limit.get()) is not None:
        limit.place = place


def affordable(units: int) -> bool:
    """Return whether so much work is left, for what can be done in a cheaper way.

    >>> with at_most(9):
    ...     affordable(9), affordable(10)
    (True, False)
    """
    limit = _limit.get()
    return limit is None or units <= limit.left


def at_most(units: int | None, what: str = "a step of this grammar") -> Limit:
    """Limit the work that this thread does in a block; None for no limit. Meanwhile an outer limit doesn't count.

    Returns:
        The limit, for a ``with``; what is left is counted in it.

    >>> with at_most(9, "the schema"):
    ...     working_at("/items")
    ...     spend(10)
    Traceback (most recent call last):
    labkit.errors.TooMuchWork: the schema takes too much work, at /items; the limit is 9
    """
    return Limit(inf if units is None else units, what)
