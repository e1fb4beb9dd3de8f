"""Schemas at places: what a value must satisfy, all together, as plain JSON.

The cases of a ``not`` are schemas too, so a conjunction of any of them has a key: its texts.
"""

import json
from functools import cached_property
from typing import Any, NamedTuple

from labkit.automata.work import spend
from labs.lab_08_json_schema.given.keywords import ANNOTATIONS

Place = tuple[Any, str]
"""A schema, and the pointer to it."""

Child = tuple[Place, ...]
"""The schemas that a value at one place must all satisfy."""


class Schema(dict[str, Any]):
    """An object of a schema that never changes, so its text is made once.

    >>> Schema({"type": "integer", "title": "Age", "default": 18}).bare  # what a text must satisfy
    {'type': 'integer'}
    """

    @cached_property
    def text(self) -> str:
        """The schema as JSON."""
        text = f'{{"not": {_text(self["not"])}}}' if self.keys() == {"not"} else json.dumps(self)
        spend(1 + len(text) // 50)
        return text

    @cached_property
    def bare(self) -> "Schema | bool":
        """The schema without annotations; True if nothing is left."""
        if self.keys().isdisjoint(ANNOTATIONS):
            return self or True
        return Schema({keyword: value for keyword, value in self.items() if keyword not in ANNOTATIONS}) or True


class Made(Schema):
    """A schema that is in no document; the pointer with it is that of the schema inside."""


class Plain(tuple[Place, ...]):
    """What ``plain`` returns: a child whose key is made once."""

    @cached_property
    def key(self) -> frozenset[str]:
        """The texts of its schemas, by which children that mean the same are equal."""
        return frozenset(_text(schema) for schema, _ in self)

    @cached_property
    def contradicts(self) -> bool:
        """Whether it asks for a schema and for its negation."""
        if len(self) < 2:  # no schema is its own negation
            return len(self) == 1 and self[0][0] is False
        return any(schema is False or _text(_negated(schema)) in self.key for schema, _ in self)

    @cached_property
    def negation(self) -> "Plain":
        """A schema of the values that do not satisfy all of its schemas."""
        if not self:
            return NEVER
        parts = [_negated(schema) for schema, _ in self]
        return plain(((parts[0] if len(parts) == 1 else Made(anyOf=parts), self[0][1]),))


class Named(NamedTuple):
    """A pattern or a format, and the place that asks for it. The same one at two places is equal.

    ``must`` says whether texts must match it, or must not.

    >>> Named("^a", "/properties/x/pattern") == Named("^a", "/items/pattern"), Named("^a", "") == Named("^a", "", False)
    (True, False)
    """

    name: str
    place: str
    must: bool = True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Named) and (self.name, self.must) == (other.name, other.must)

    def __hash__(self) -> int:
        return hash((self.name, self.must))


ANY = Plain(())
"""No schema at all: any value satisfies it."""

NEVER = Plain(((False, ""),))
"""A schema that no value satisfies."""


def frozen(document: Any) -> Any:
    """Return a copy of a document whose objects are ``Schema``s, at every depth.

    >>> frozen([{"items": {"title": "Age", "minimum": 0}}])[0]["items"].bare
    {'minimum': 0}
    """
    if isinstance(document, dict):
        return Schema((key, frozen(value)) for key, value in document.items())
    return [*map(frozen, document)] if isinstance(document, list | tuple) else document


def negated(child: Child) -> Plain:
    """Return a schema of the values that do not satisfy all schemas of ``child``.

    >>> negated((({"type": "null"}, "/items"),))
    (({'not': {'type': 'null'}}, '/items'),)
    >>> negated(ANY), negated((({"not": {"type": "null"}}, ""),))
    (((False, ''),), (({'type': 'null'}, ''),))
    """
    return plain(child).negation


def _negated(schema: Any) -> Any:
    if isinstance(schema, bool):
        return not schema
    if isinstance(schema, dict) and schema.keys() == {"not"}:
        return schema["not"]
    return Made({"not": schema})


def of_any_type(child: Child) -> Child:
    """Return a child that holds for the same values but doesn't say which types are written.

    >>> of_any_type((({"minLength": 2}, ""),))
    (({'not': {'not': {'minLength': 2}}}, ''),)
    """
    return tuple((Made({"not": Made({"not": schema})}), pointer) for schema, pointer in plain(child))


def plain(child: Child) -> Plain:
    """Return a child without schemas that say nothing, without annotations, and each schema once.

    >>> plain((({"title": "t"}, ""), (True, ""), ({"type": "null"}, "/a"), ({"type": "null", "default": 1}, "/b")))
    (({'type': 'null'}, '/a'),)
    """
    if isinstance(child, Plain):
        return child
    found: dict[str, Place] = {}
    for schema, pointer in child:
        if isinstance(schema, dict):
            schema = (schema if isinstance(schema, Schema) else Schema(schema)).bare
        if schema is False:
            return Plain(((False, pointer),))
        if schema is not True:
            # The text is only made where it decides something.
            found.setdefault(_text(schema) if len(child) > 1 else "", (schema, pointer))
    return Plain(found.values())


def _text(schema: Any) -> str:
    return schema.text if isinstance(schema, Schema) else json.dumps(schema)


def key_of(child: Child) -> frozenset[str]:
    """Return a key, which is equal for children that mean the same: the texts of their schemas."""
    return plain(child).key


def contradicts(child: Child) -> bool:
    """Return whether a child asks for a schema and for its negation.

    >>> contradicts((({"type": "null"}, ""), ({"not": {"type": "null"}}, "")))
    True
    >>> contradicts((({"minimum": 3}, ""), ({"maximum": 2}, "")))  # no number is both, but that takes more than a look
    False
    """
    return plain(child).contradicts
