"""The types and the equality of JSON values, which differ from Python's; and the short escapes of a string.

In Python ``True == 1`` and ``isinstance(True, int)``; in JSON Schema neither holds. ``1.0`` is an integer in value.
"""

from typing import Any

TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
"""The types of JSON Schema; ``integer`` lies within ``number``."""

SHORT = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
"""The short escapes: the letter after the backslash, and the character that it means."""

_NAMES = {type(None): "null", bool: "boolean", int: "number", float: "number", str: "string"}
_NAMES |= {list: "array", tuple: "array", dict: "object"}


def has_type(value: Any, kind: str) -> bool:
    """Return whether a value is of a type of JSON Schema.

    >>> has_type(True, "integer"), has_type(2.0, "integer"), has_type(2, "number")
    (False, True, True)
    """
    if kind == "integer":
        return type(value) is int or (isinstance(value, float) and value.is_integer())
    return type_of(value) == kind


def type_of(value: Any) -> str:
    """Return the type of a value; ``number`` for every number.

    Raises:
        TypeError: if it is not a JSON value.

    >>> type_of([]), type_of(None), type_of(False), type_of(1)
    ('array', 'null', 'boolean', 'number')
    """
    name = _NAMES.get(dict if isinstance(value, dict) else type(value))
    if name is None:
        raise TypeError(f"{value!r:.80} is no JSON value")
    return name


def equal(left: Any, right: Any) -> bool:
    """Return whether two values are equal to JSON Schema.

    >>> equal(1, True), equal(1, 1.0), equal([1, {"a": None}], [1, {"a": None}])
    (False, True, True)
    """
    if type_of(left) != type_of(right):
        return False
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(equal(value, right[key]) for key, value in left.items())
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(map(equal, left, right))
    return bool(left == right)
