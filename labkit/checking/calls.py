"""Calls of a lab's functions whose failures name the call."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from labkit.checking.checks import check_alike, check_equal
from labkit.checking.showing import cut, shown


def check_call(
    lab: Any, name: str, args: tuple[Any, ...], expected: object, about: str = "", most: float | None = None
) -> Any:
    """Assert what a function of the lab returns for these arguments, and return it; a failure names the call.

    Args:
        about: names the arguments in messages, where they are too long or say too little.
        most: how far floats may be off, as in ``check_alike``; without it the answer must be exact.

    >>> import math
    >>> check_call(math, "gcd", (12, 18), 6)
    6
    >>> check_call(math, "hypot", (1.0, 1.0), 2**0.5, "of a square's sides", 1e-12) > 1.4
    True
    >>> check_call(math, "gcd", (12, 18), 4)
    Traceback (most recent call last):
    AssertionError: gcd(12, 18)
        expected 4
        yours    6
    """
    function = getattr(lab, name)
    what = f"{name} {about}" if about else f"{name}({', '.join(cut(shown(arg), 0) for arg in args)})"
    with reporting(what, expected):
        got = function(*args)
    if most is None:
        check_equal(got, expected, what)
    else:
        check_alike(got, expected, what, most)
    return got


_Error = TypeVar("_Error", bound=Exception)


def check_raises(call: Callable[[], object], kind: type[_Error], what: str, text: str = "") -> _Error:
    """Assert that a call, described by ``what``, raises this kind of error; return the error.

    Args:
        text: a regular expression that must be found in the error's text.

    >>> check_raises(lambda: int("x"), ValueError, "int('x')", "invalid").args
    ("invalid literal for int() with base 10: 'x'",)
    >>> check_raises(lambda: int("7"), ValueError, "int('7')")
    Traceback (most recent call last):
    AssertionError: int('7') must raise ValueError; yours gave 7
    """
    try:
        with reporting(what, kind):
            got = call()
    except kind as error:
        said = f"{what}: the text of {kind.__name__} should say {text!r}; yours says {str(error)!r}"
        assert re.search(text, str(error)), said
        return error
    raise AssertionError(f"{what} must raise {kind.__name__}; yours gave {cut(shown(got), 0)}")


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
