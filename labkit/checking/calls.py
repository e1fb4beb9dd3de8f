"""Calls of a lab's functions whose failures name the call."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from labkit.checking.checks import check_equal
from labkit.checking.showing import cut, shown


def check_call(lab: Any, name: str, args: tuple[Any, ...], expected: object) -> None:
    """Assert what a function of the lab returns for these arguments; a failure or an exception names the call.

    >>> import math
    >>> check_call(math, "gcd", (12, 18), 6)
    >>> check_call(math, "gcd", (12, 18), 4)
    Traceback (most recent call last):
    AssertionError: gcd(12, 18)
        expected 4
        yours    6
    """
    function, what = getattr(lab, name), f"{name}({', '.join(cut(shown(arg), 0) for arg in args)})"
    with reporting(what):
        got = function(*args)
    check_equal(got, expected, what)


@contextmanager
def reporting(call: str) -> Iterator[None]:
    """Add the call as a note to any exception raised inside, which does not name the arguments by itself.

    >>> try:
    ...     with reporting("f('a')"):
    ...         raise KeyError("a")
    ... except KeyError as error:
    ...     error.__notes__
    ["the call: f('a')"]
    """
    try:
        yield
    except Exception as error:
        error.add_note(f"the call: {call}")
        raise
