"""Where in a JSON text its last character is, and which part of a schema is about that place: JSON pointers."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import regex

from course.showcase.json_reader import JsonReader, Step
from labs.lab_08_json_schema.given.pointers import below
from mask_engine.reading.references import Document


class Place(NamedTuple):
    """A place in a JSON text: the keys and indices that lead to it, and whether a key comes there or a value."""

    steps: tuple[Step, ...]
    is_key: bool

    def __str__(self) -> str:
        """Return the place in words, with its JSON pointer (RFC 6901)."""
        return f"{'a key of ' if self.is_key else ''}{below('', *self.steps) or 'the whole value'}"


def place_after(text: str) -> Place:
    """Return the place at the end of a text that a JSON text may begin with.

    >>> print(place_after('{"items": [1, {"pri'))
    a key of /items/1
    >>> print(place_after('{"items": [1, {"price": 2'))
    /items/1/price
    >>> print(place_after('{"items": [1]'))
    /items
    """
    reader = JsonReader()
    reader.feed(text)
    return Place(tuple(step for step in reader.steps if step is not None), reader.steps[-1:] == [None])


def asked_by(schema: Any, steps: tuple[Step, ...]) -> list[tuple[str, Any]]:
    """Return the parts of a schema that are about a place, each with its JSON pointer in the schema.

    >>> schema = {"properties": {"n": {"$ref": "#/$defs/count"}}, "$defs": {"count": {"type": "integer"}}}
    >>> asked_by(schema, ("n",))
    [('#/$defs/count', {'type': 'integer'})]
    """
    document = Document(schema)
    found = [*_opened(document, "#", document.root, set())]
    for step in steps:
        seen = set[str]()
        inside = [part for where, each in found for part in _below(where, each, step)]
        found = [part for where, each in inside for part in _opened(document, where, each, seen)]
    return [(where, document.at(where.removeprefix("#"))) for where, _ in found]


def _opened(document: Document, where: str, schema: Any, seen: set[str]) -> Iterator[tuple[str, Any]]:
    """Yield a schema and those that it combines, each once; a reference gives what it names."""
    waiting = [(where, schema, False)]  # and whether it is opened: references may follow each other by the thousand
    while waiting:
        where, schema, is_open = waiting.pop()
        if is_open or (where not in seen and not isinstance(schema, dict)):
            yield where, schema
        elif where not in seen:
            after = []
            if "$ref" in schema:
                target = document.target(schema, "$ref", where.removeprefix("#"))
                after.append((f"#{target.pointer}", target.schema, False))
            if schema.keys() - {"$ref", "$defs", "definitions"}:
                after.append((where, schema, True))
            for keyword in ("allOf", "anyOf", "oneOf"):
                branches = enumerate(schema.get(keyword, ()))
                after += [(f"{where}/{keyword}/{number}", each, False) for number, each in branches]
            waiting += reversed(after)
        seen.add(where)


def _below(where: str, schema: Any, step: Step) -> Iterator[tuple[str, Any]]:
    """Yield what a schema says about a member or an item."""
    if not isinstance(schema, dict):
        return
    if isinstance(step, int):
        first = schema.get("prefixItems", [])
        if step < len(first):
            yield f"{where}/prefixItems/{step}", first[step]
        elif "items" in schema:
            yield f"{where}/items", schema["items"]
        return
    named = {"properties": [step] if step in schema.get("properties", {}) else []}
    named["patternProperties"] = [each for each in schema.get("patternProperties", {}) if regex.search(each, step)]
    for keyword, keys in named.items():
        for key in keys:
            yield below(where, keyword, key), schema[keyword][key]
    if not any(named.values()) and "additionalProperties" in schema:
        yield f"{where}/additionalProperties", schema["additionalProperties"]
