"""Flat schemas: one conjunction of keywords, without references, ``allOf``, ``anyOf`` and ``oneOf``."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from labkit.automata.dfa import Dfa
from labkit.errors import UnsupportedSchema
from labs.lab_08_json_schema.given.reading.bounds import Bound, tightest
from labs.lab_08_json_schema.given.reading.values import equal, has_type, type_of

Place = tuple[Any, str]
"""A schema, and the pointer to it."""

Child = tuple[Place, ...]
"""The schemas that a value at one place must all satisfy."""


@dataclass(frozen=True)
class FlatSchema:
    """One conjunction of keywords. None, or an empty collection, means no constraint.

    ``types`` are names of JSON Schema; ``number`` includes ``integer``. ``mentions`` are the types to which a keyword
    applies. ``refused`` are keywords that are not covered: the type to which each applies, the message, and the place.
    ``declares`` says that there is a ``properties``, perhaps empty. ``references`` are the pointers of the ``$ref``s
    that led here.
    """

    pointer: str
    types: frozenset[str] | None = None
    enum: tuple[Any, ...] | None = None
    mentions: frozenset[str] = frozenset()
    refused: tuple[tuple[str, str, str], ...] = ()
    low: Bound | None = None
    high: Bound | None = None
    multiples: tuple[tuple[Decimal, str], ...] = ()
    least_length: int = 0
    most_length: int | None = None
    patterns: tuple[tuple[str, str], ...] = ()
    formats: tuple[tuple[str, str], ...] = ()
    values: tuple[Dfa, ...] = ()
    prefix: tuple[Child, ...] = ()
    rest: Child | None = None
    least_items: int = 0
    most_items: int | None = None
    declares: bool = False
    properties: dict[str, Child] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    additional: Child | None = None
    least_members: int = 0
    most_members: int | None = None
    references: frozenset[str] = frozenset()

    def kinds(self) -> frozenset[str]:
        """Return the types that a value may have, ``number`` for all numbers.

        Without ``type`` and ``enum`` they are all types: ``{"minimum": 2}`` allows a text.
        """
        names = self.types if self.enum is None else frozenset(map(type_of, self.members()))
        if names is None:
            return frozenset(("null", "boolean", "number", "string", "array", "object"))
        return frozenset("number" if name == "integer" else name for name in names)

    def members(self) -> list[Any]:
        """Return the values of ``enum`` that have one of the types."""
        return [value for value in self.enum or () if self.types is None or any(has_type(value, t) for t in self.types)]

    def constrains(self, kind: str) -> bool:
        """Return whether a keyword other than type and enum applies to a type."""
        return kind in self.mentions

    def refuse(self, kind: str) -> None:
        """Raise ``UnsupportedSchema`` if a keyword that is not covered applies to a type."""
        for speaks_of, problem, pointer in self.refused:
            if speaks_of == kind:
                raise UnsupportedSchema(problem, pointer)


def meet(one: FlatSchema, other: FlatSchema) -> FlatSchema:
    """Return one flat schema that asks for both.

    >>> both = meet(FlatSchema("", types=frozenset(["string"]), least_length=2), FlatSchema("/allOf/0", least_length=3))
    >>> sorted(both.types), both.least_length
    (['string'], 3)
    """
    return replace(
        one,
        pointer=max(one.pointer, other.pointer, key=len),
        types=_both(one.types, other.types),
        enum=meet_enums(one.enum, other.enum),
        mentions=one.mentions | other.mentions,
        refused=one.refused + other.refused,
        low=tightest([bound for bound in (one.low, other.low) if bound], is_low=True),
        high=tightest([bound for bound in (one.high, other.high) if bound], is_low=False),
        multiples=one.multiples + other.multiples,
        least_length=max(one.least_length, other.least_length),
        most_length=_least(one.most_length, other.most_length),
        patterns=one.patterns + other.patterns,
        formats=one.formats + other.formats,
        values=one.values + other.values,
        least_items=max(one.least_items, other.least_items),
        most_items=_least(one.most_items, other.most_items),
        declares=one.declares or other.declares,
        required=tuple(dict.fromkeys(one.required + other.required)),
        least_members=max(one.least_members, other.least_members),
        most_members=_least(one.most_members, other.most_members),
        references=one.references | other.references,
        additional=_join(one.additional, other.additional),
        rest=_join(one.rest, other.rest),
        properties=_meet_properties(one, other),
        prefix=_meet_prefixes(one, other),
    )


def _both(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    return one & other if one is not None and other is not None else one if other is None else other


def _least(one: int | None, other: int | None) -> int | None:
    return min((bound for bound in (one, other) if bound is not None), default=None)


def meet_enums(one: tuple[Any, ...] | None, other: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
    """Return the values that are in both; None is every value.

    >>> meet_enums((1, "a", True), (True, 1.0))
    (1, True)
    """
    if one is None or other is None:
        return one if other is None else other
    return tuple(value for value in one if any(equal(value, also) for also in other))


def _join(*children: Child | None) -> Child | None:
    """Return all schemas of several places; None if there are none."""
    asked = [child for child in children if child is not None]
    return tuple(place for child in asked for place in child) if asked else None


def _meet_properties(one: FlatSchema, other: FlatSchema) -> dict[str, Child]:
    """Return the members of both. To a key that only one declares, the other's ``additionalProperties`` applies."""
    keys: Iterable[str] = dict.fromkeys([*one.properties, *other.properties])
    found = {key: _join(*(side.properties.get(key, side.additional) for side in (one, other))) for key in keys}
    return {key: child for key, child in found.items() if child is not None}


def _meet_prefixes(one: FlatSchema, other: FlatSchema) -> tuple[Child, ...]:
    """Return the first items of both. Where one tuple has ended, its ``rest`` applies."""
    length = max(len(one.prefix), len(other.prefix))
    sides = [[*side.prefix, *[side.rest] * (length - len(side.prefix))] for side in (one, other)]
    return tuple(_join(*pair) or () for pair in zip(*sides, strict=True))
