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
    with reporting(what, expected):
        got = function(*args)
    check_equal(got, expected, what)


_UNKNOWN = object()


@contextmanager
def reporting(call: str, expected: object = _UNKNOWN) -> Iterator[None]:
    """Add the call, and what it should give, as notes to any exception raised inside, which does not name them itself.

    >>> try:
    ...     with reporting("f('a')", 7):
    ...         raise KeyError("a")
    ... except KeyError as error:
    ...     error.__notes__
    ["the call: f('a')", 'expected 7']
    """
    try:
        yield
    except Exception as error:
        error.add_note(f"the call: {call}")
        if expected is not _UNKNOWN:
            error.add_note(f"expected {cut(shown(expected), 0)}")
        raise
