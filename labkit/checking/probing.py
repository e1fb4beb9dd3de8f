"""Calls whose outcome, a value or an exception, is kept as plain data."""

from collections.abc import Callable
from typing import Any

Attempt = tuple[Any, ...]
"""``("value", x)``, or ``("error", name of its type, its position or None)``."""


def attempt(function: Callable[..., Any], *args: Any) -> Attempt:
    """Call the function and return its value or its error as data.

    ``SystemExit`` is data too. Anything else that is not an ``Exception`` passes through: Ctrl-C, a timeout.

    >>> attempt(int, "7"), attempt(int, "seven")
    (('value', 7), ('error', 'ValueError', None))
    """
    try:
        return ("value", function(*args))
    except (Exception, SystemExit) as error:
        position = getattr(error, "position", None)
        return ("error", type(error).__name__, position if type(position) is int else None)
