"""JSON of any shape, to a depth: without lab 12's stack an automaton has to count the brackets that are open."""

from typing import Any

JSON_DEPTH = 3
"""How deeply JSON without a schema may be nested: it covers 98% of the instances that real schemas come with."""

_ANNOTATIONS = {"title", "description", "default", "examples", "$comment", "deprecated", "readOnly", "writeOnly"}

_LISTS, _NAMED, _ONE = (
    ("anyOf", "prefixItems"),
    ("properties", "$defs", "definitions"),
    ("items", "additionalProperties"),
)

_TURNED = {"not", "oneOf", "if", "contains"}
"""Where fewer values below can mean more values above."""


def any_value(depth: int) -> dict[str, Any]:
    """Return a schema of JSON values with at most this many brackets open at a time.

    >>> any_value(0)
    {'type': ['string', 'number', 'boolean', 'null']}
    """
    scalar = {"type": ["string", "number", "boolean", "null"]}
    if depth == 0:
        return scalar
    inner = any_value(depth - 1)
    return {"anyOf": [scalar, {"type": "object", "additionalProperties": inner}, {"type": "array", "items": inner}]}


def bounded(schema: Any) -> Any:
    """Return a schema in which values of any shape are nested to ``JSON_DEPTH``, counted from the outermost bracket.

    Every value that the result allows is allowed by the schema. One that says what is *not* allowed stays as it is.

    >>> bounded({"type": "array", "items": {"type": "array"}})["items"]["items"] == any_value(JSON_DEPTH - 2)
    True
    >>> bounded({"not": {}})
    {'not': {}}
    """
    return schema if _TURNED & _keys(schema) else _bounded(schema, JSON_DEPTH)


def _bounded(schema: Any, depth: int) -> Any:
    if schema is True or (isinstance(schema, dict) and schema.keys() <= _ANNOTATIONS):
        return any_value(max(depth, 0))
    if not isinstance(schema, dict):
        return schema
    opened = {"items": depth - 1, "additionalProperties": depth - 1, "prefixItems": depth - 1, "properties": depth - 1}
    found = dict(schema)
    for key in found.keys() & {*_LISTS}:
        if isinstance(found[key], list):
            found[key] = [_bounded(part, opened.get(key, depth)) for part in found[key]]
    for key in found.keys() & {*_NAMED}:
        if isinstance(found[key], dict):
            found[key] = {name: _bounded(part, opened.get(key, depth)) for name, part in found[key].items()}
    for key in found.keys() & {*_ONE}:
        found[key] = _bounded(found[key], depth - 1)
    if found.get("type") == "object" and not found.keys() & {"properties", "additionalProperties", "patternProperties"}:
        found["additionalProperties"] = any_value(max(depth - 1, 0))
    if found.get("type") == "array" and not found.keys() & {"items", "prefixItems"}:
        found["items"] = any_value(max(depth - 1, 0))
    return found


def _keys(schema: Any) -> set[str]:
    """Return every key in a schema, also those that are names of members: too many is on the safe side."""
    if isinstance(schema, dict):
        return set(schema).union(*map(_keys, schema.values()))
    return set().union(*map(_keys, schema)) if isinstance(schema, list) else set()
