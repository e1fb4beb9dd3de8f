"""What formats are compiled from: literal texts, and JSON values of a limited depth for *any JSON value*.

An automaton cannot count brackets without end, so until lab 12 has a stack, what is nested ``DEPTH`` deep is accepted,
and nothing deeper.
"""

from collections.abc import Mapping
from typing import Any

Schema = dict[str, Any] | bool

DEPTH = 3
"""How many arrays and objects, one inside another, stand where a schema allows any JSON value."""

_SCALARS = {"type": ["string", "number", "boolean", "null"]}

_ONE = ("items", "additionalProperties")
_MANY = ("anyOf", "allOf", "oneOf", "prefixItems")
_NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_SAYS_NOTHING = {"title", "description", "default", "examples", "$comment", "deprecated", "readOnly", "writeOnly"}


def literally(text: str) -> str:
    """Return a pattern that matches this text alone.

    >>> literally("1.5 (a|b)")
    '1\\\\.5 \\\\(a\\\\|b\\\\)'
    """
    return "".join(f"\\{char}" if char in r".^$*+?{}[]\|()" else char for char in text)


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


def bounded(schema: Schema, depth: int = DEPTH) -> Schema:
    """Return a schema in which values nested at most this deep stand where any JSON value may.

    Such places are the schemas ``true`` and ``{}``, the members of an object that names none, and the items of an
    array that says nothing about them.

    >>> bounded({"type": "array"}, depth=1)
    {'type': 'array', 'items': {'type': ['string', 'number', 'boolean', 'null']}}
    """
    if schema is True or (isinstance(schema, dict) and not schema.keys() - _SAYS_NOTHING):
        return any_value(depth)
    if not isinstance(schema, dict):
        return schema
    found = {key: _inside(key, value, depth) for key, value in schema.items()}
    if schema.get("type") == "array" and not found.keys() & {"items", "prefixItems"}:
        found["items"] = any_value(depth - 1)
    if schema.get("type") == "object" and not found.keys() & {"properties", "patternProperties"}:
        found.setdefault("additionalProperties", any_value(depth - 1))
    return found


def _inside(key: str, value: Any, depth: int) -> Any:
    """Return what a keyword holds, with the schemas in it bounded."""
    if key in _NAMED and isinstance(value, Mapping):
        return {name: bounded(each, depth) for name, each in value.items()}
    if key in _MANY and isinstance(value, list):
        return [bounded(each, depth) for each in value]
    if key in _ONE and isinstance(value, (dict, bool)):
        return bounded(value, depth)
    return value  # the others say what is forbidden or conditional: any value stays any value there
