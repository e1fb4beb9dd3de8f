"""Schemas at places: what a value must satisfy, all together, as plain JSON.

Cases that ``not`` brings forth are schemas too, so a conjunction of any of them has a key: its texts.
"""

import json
from typing import Any

from labkit.automata.work import spend
from labs.lab_08_json_schema.given.reading.flat_schema import Child
from labs.lab_08_json_schema.given.reading.keywords import ANNOTATIONS

ANY: Child = ()
"""No schema at all: any value satisfies it."""

NEVER: Child = ((False, ""),)
"""A schema that no value satisfies."""


class Made(dict[str, Any]):
    """A schema that is in no document; the pointer with it is that of the schema inside."""


def negated(child: Child) -> Child:
    """Return a schema of the values that do not satisfy all schemas of ``child``.

    >>> negated((({"type": "null"}, "/items"),))
    (({'not': {'type': 'null'}}, '/items'),)
    >>> negated(ANY), negated((({"not": {"type": "null"}}, ""),))
    (((False, ''),), (({'type': 'null'}, ''),))
    """
    child = plain(child)
    if not child:
        return NEVER
    parts = [_negated(schema) for schema, _ in child]
    return plain(((parts[0] if len(parts) == 1 else Made(anyOf=parts), child[0][1]),))


def _negated(schema: Any) -> Any:
    if isinstance(schema, bool):
        return not schema
    if isinstance(schema, dict) and schema.keys() == {"not"}:
        return schema["not"]
    return Made({"not": schema})


def of_any_type(child: Child) -> Child:
    """Return a child that holds for the same values, and has nothing to say about which types are written.

    >>> of_any_type((({"minLength": 2}, ""),))
    (({'not': {'not': {'minLength': 2}}}, ''),)
    """
    return tuple((Made({"not": Made({"not": schema})}), pointer) for schema, pointer in plain(child))


def plain(child: Child) -> Child:
    """Return a child without schemas that say nothing, without annotations, and each schema once.

    >>> plain((({"title": "t"}, ""), (True, ""), ({"type": "null"}, "/a"), ({"type": "null", "default": 1}, "/b")))
    (({'type': 'null'}, '/a'),)
    """
    found: dict[str, tuple[Any, str]] = {}
    for schema, pointer in child:
        if isinstance(schema, dict):
            dropped = ANNOTATIONS
            if not schema.keys().isdisjoint(dropped):
                schema = {keyword: value for keyword, value in schema.items() if keyword not in dropped}
            schema = schema or True
        if schema is False:
            return ((False, pointer),)
        if schema is not True:
            found.setdefault(_text(schema), (schema, pointer))
    return tuple(found.values())


def _text(schema: Any) -> str:
    text = json.dumps(schema)
    spend(1 + len(text) // 50)
    return text


def key_of(child: Child) -> frozenset[str]:
    """Return what is equal for children that mean the same: the texts of their schemas."""
    return frozenset(_text(schema) for schema, _ in plain(child))


def contradicts(child: Child) -> bool:
    """Return whether a child asks for a schema and for its negation.

    >>> contradicts((({"type": "null"}, ""), ({"not": {"type": "null"}}, "")))
    True
    """
    child = plain(child)
    keys = {_text(schema) for schema, _ in child}
    return any(schema is False or _text(_negated(schema)) in keys for schema, _ in child)
