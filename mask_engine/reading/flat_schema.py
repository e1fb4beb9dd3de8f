"""Flat schemas: one conjunction of keywords, without references, ``allOf``, ``anyOf`` and ``oneOf``."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from labs.lab_08_json_schema.given.values import equal
from mask_engine.reading.bounds import Bound

Place = tuple[Any, str]
"""A schema, and the pointer to it."""

Child = tuple[Place, ...]
"""The schemas that a value at one place must all satisfy."""


@dataclass(frozen=True)
class FlatSchema:
    """One conjunction of keywords. None, or an empty collection, means no constraint.

    ``types`` are names of JSON Schema; ``number`` includes ``integer``. ``mentions`` are the types to which a keyword
    applies.
    """

    pointer: str
    types: frozenset[str] | None = None
    enum: tuple[Any, ...] | None = None
    mentions: frozenset[str] = frozenset()
    low: Bound | None = None
    high: Bound | None = None
    multiples: tuple[tuple[Decimal, str], ...] = ()
    least_length: int = 0
    most_length: int | None = None
    patterns: tuple[tuple[str, str], ...] = ()
    formats: tuple[tuple[str, str], ...] = ()
    prefix: tuple[Child, ...] = ()
    rest: Child | None = None
    least_items: int = 0
    most_items: int | None = None
    properties: dict[str, Child] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    additional: Child | None = None
    least_members: int = 0
    most_members: int | None = None


def meet_enums(one: tuple[Any, ...] | None, other: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
    """Return the values that are in both; None is every value.

    >>> meet_enums((1, "a", True), (True, 1.0))
    (1, True)
    """
    if one is None or other is None:
        return one if other is None else other
    return tuple(value for value in one if any(equal(value, also) for also in other))
