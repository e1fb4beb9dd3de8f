"""From a finding to the smallest schema and value that still show it: parts are left out for as long as it holds."""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

from course.showcase.audit.policies import NAMED, ONE

Pair = tuple[Any, Any]
"""A schema, or a pattern, with a value."""

DEFINITIONS = ("$defs", "definitions")

LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
SINGLE = (*ONE, "not", "if", "then", "else")
MAPS = (*NAMED, "dependentSchemas")

PLAIN = ("type", "properties", "items", "$defs", "definitions", "$ref", "$schema", "required")
"""Keywords that most schemas have, and that are named as a cause only where no other is left."""


def shrunk(pair: Pair, holds: Callable[[Pair], bool], tries: int, seconds: float = 1e9) -> Pair:
    """Return the smallest pair that is found with so many tries, and after so many seconds no more.

    >>> schema = {"type": "array", "minItems": 1, "items": {"type": "object", "properties": {"a": {"minimum": 3}}}}
    >>> shrunk((schema, [{"b": 0}, {"a": 1}]), lambda pair: "minimum" in str(pair[0]) and "1" in str(pair[1]), 99)
    ({'minimum': 3}, 1)
    """
    tried, end, found = {_key(pair)}, time.monotonic() + seconds, True
    while found:
        found, size = False, len(_key(pair))
        for smaller in _smaller(*pair):
            if tries <= 0 or time.monotonic() > end:
                return pair
            key = _key(smaller)
            if key in tried or len(key) >= size:
                continue
            tried.add(key)
            tries -= 1
            if holds(smaller):
                pair, found = smaller, True
                break
    return pair


def keywords(schema: Any) -> Iterator[str]:
    """Yield a schema's keywords, but not the names of members.

    >>> sorted(keywords({"properties": {"type": {"enum": [{"a": 1}]}}, "anyOf": [{"minimum": 1}]}))
    ['anyOf', 'enum', 'minimum', 'properties']
    """
    if isinstance(schema, dict):
        for key, each in schema.items():
            yield key
            below = each.values() if key in MAPS and isinstance(each, dict) else each if key in LISTS else [each]
            if key in MAPS or key in LISTS or key in SINGLE:
                for one in below:
                    yield from keywords(one)


def without(schema: Any, keyword: str) -> Iterator[Any]:
    """Yield a schema as often as it has a keyword, each time without one of them.

    >>> [*without({"items": {"type": "null"}, "type": "array"}, "type")]
    [{'items': {'type': 'null'}}, {'items': {}, 'type': 'array'}]
    """
    if isinstance(schema, dict):
        if keyword in schema:
            yield {key: each for key, each in schema.items() if key != keyword}
        for key, each in schema.items():
            if key in SINGLE:
                yield from (schema | {key: one} for one in without(each, keyword))
            elif key in MAPS and isinstance(each, dict):
                for name, part in each.items():
                    yield from (schema | {key: each | {name: one}} for one in without(part, keyword))
            elif key in LISTS and isinstance(each, list):
                for place, part in enumerate(each):
                    for one in without(part, keyword):
                        yield schema | {key: [*each[:place], one, *each[place + 1 :]]}


def _key(pair: Pair) -> str:
    return json.dumps(pair)


def _smaller(schema: Any, value: Any) -> Iterator[Pair]:
    yield from _descents(schema, value)
    yield from ((each, value) for each in _reduced(schema, is_schema=not isinstance(schema, str)))
    yield from ((schema, each) for each in _reduced(value))


def _descents(schema: Any, value: Any) -> Iterator[Pair]:
    """Yield parts of a schema, each with the part of the value that it is about."""
    if not isinstance(schema, dict):
        return
    kept = {key: schema[key] for key in DEFINITIONS if key in schema}

    def pair(part: Any, below: Any) -> Pair:
        needed = kept and "$ref" in json.dumps(part)
        return (kept | part if needed and isinstance(part, dict) else part), below

    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith(tuple(f"#/{key}/" for key in DEFINITIONS)):
        _, key, name = reference.split("/", 2)
        if name in kept.get(key, {}):
            yield pair(kept[key][name], value)
    for key in ("allOf", "anyOf", "oneOf"):
        yield from (pair(part, value) for part in schema.get(key, ()))
    if value is None:  # the schema alone is the finding
        for key, each in schema.items():
            below = [*each.values()] if key in MAPS and isinstance(each, dict) else each if key in LISTS else [each]
            if key in MAPS or key in LISTS or key in SINGLE:
                yield from (pair(part, None) for part in below)
    if isinstance(value, dict):
        for name, below in value.items():
            if name in (schema.get("properties") or {}):
                yield pair(schema["properties"][name], below)
            for key in ("additionalProperties", *(schema.get("patternProperties") or {})):
                part = schema.get(key) if key == "additionalProperties" else schema["patternProperties"][key]
                if isinstance(part, dict):
                    yield pair(part, below)
    if isinstance(value, list):
        first = schema.get("prefixItems") or []
        for place, below in enumerate(value[:4]):
            if place < len(first):
                yield pair(first[place], below)
            elif isinstance(schema.get("items"), dict):
                yield pair(schema["items"], below)


def _reduced(value: Any, is_schema: bool = False) -> Iterator[Any]:
    """Yield a value with something left out: halves first, then single parts, then parts of parts."""
    if isinstance(value, dict):
        names = [*value]
        yield from ({name: value[name] for name in kept} for kept in _shorter(names))
        for name in names:
            if is_schema and isinstance(value[name], dict) and name in SINGLE and value[name]:
                yield value | {name: {}}
            yield from (value | {name: each} for each in _reduced(value[name], is_schema))
    elif isinstance(value, list):
        yield from _shorter(value)
        for place, part in enumerate(value):
            yield from ([*value[:place], each, *value[place + 1 :]] for each in _reduced(part, is_schema))
    elif isinstance(value, str):
        yield from ("".join(kept) for kept in _shorter([*value]))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from (each for each in (0, 1, round(value)) if abs(each) < abs(value))


def _shorter(parts: list[Any]) -> Iterator[list[Any]]:
    """Yield a list without its halves, quarters, and so on.

    >>> [*_shorter([1, 2, 3])]
    [[], [2, 3], [1, 3], [1, 2]]
    """
    size = len(parts)
    while size:
        yield from (parts[:start] + parts[start + size :] for start in range(0, len(parts), size))
        size //= 2
