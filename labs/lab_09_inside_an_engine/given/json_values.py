"""JSON values of a limited depth, where a format allows *any JSON value*.

An automaton cannot count brackets without end, so until lab 12 has a stack, what is nested ``DEPTH`` deep is accepted,
and nothing deeper.
"""

from collections.abc import Sequence
from typing import Any

Schema = dict[str, Any] | bool

DEPTH = 3
"""How many arrays and objects, one inside another, stand where a format allows any JSON value."""

MANY = 5
"""The most places that a warning names."""

_SCALARS = {"type": ["string", "number", "boolean", "null"]}


def any_value(depth: int = DEPTH) -> Schema:
    """Return a schema of the JSON values that are nested at most this deep.

    >>> any_value(0)
    {'type': ['string', 'number', 'boolean', 'null']}
    """
    if depth == 0:
        return _SCALARS
    return {"anyOf": [_SCALARS, any_object(depth), {"type": "array", "items": any_value(depth - 1)}]}


def any_object(depth: int = DEPTH) -> Schema:
    """Return a schema of the JSON objects that are nested at most this deep, themselves included.

    >>> any_object(1)
    {'type': 'object', 'additionalProperties': {'type': ['string', 'number', 'boolean', 'null']}}
    """
    return {"type": "object", "additionalProperties": any_value(depth - 1)}


def to_depth(place: str, pointer: str) -> Schema:
    """Return the schema of a place where any JSON value may stand, as lab 08's ``compile_schema`` asks for it.

    >>> to_depth("value", "") == any_value(), to_depth("items", "") == any_value(DEPTH - 1)
    (True, True)
    """
    return any_value(DEPTH if place == "value" else DEPTH - 1)


def depth_warning(places: Sequence[str]) -> str:
    """Return what a client is told about the places of its format where any JSON value may stand.

    Args:
        places: JSON pointers into the schema, ``""`` for its root.

    >>> print(depth_warning(["", "/properties/more"]))
    where any JSON value may stand, arrays and objects are nested at most 3 deep until lab 12: at the root of the \
schema, at /properties/more
    """
    named = [f"at {place}" if place else "at the root of the schema" for place in dict.fromkeys(places)]
    more = [f"and in {len(named) - MANY} more places"] if len(named) > MANY else []
    limit = f"where any JSON value may stand, arrays and objects are nested at most {DEPTH} deep until lab 12"
    return f"{limit}: {', '.join(named[:MANY] + more)}"
