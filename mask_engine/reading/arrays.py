"""Cases of arrays: what is asked of the items of a range, and how many of them must satisfy something."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeVar

from labkit.automata.work import spend
from mask_engine.reading.places import Child, key_of, negated, plain
from mask_engine.reading.scalars import SILENT, Refused

ALL = 1 << 30
"""More items than any array has."""


@dataclass(frozen=True)
class Every:
    """Each item from ``start`` up to, but not including, ``stop`` satisfies ``child``."""

    start: int
    stop: int
    child: Child

    def key(self) -> Hashable:
        """Return a key, which is equal for parts that ask for the same."""
        return self.start, self.stop, key_of(self.child)


@dataclass(frozen=True)
class Some:
    """At least ``least``, and at most ``most``, of the items in a range satisfy ``child``."""

    start: int
    stop: int
    child: Child
    least: int = 1
    most: int | None = None

    def key(self) -> Hashable:
        """Return a key, which is equal for parts that ask for the same."""
        return self.start, self.stop, key_of(self.child), self.least, self.most


@dataclass(frozen=True)
class Array:
    """A conjunction of what is asked of an array.

    ``evaluated`` says which items the schemas speak of, for ``unevaluatedItems``: so many of the first ones, and those
    that satisfy one of ``containing``. ``constant`` is the one value of a case that is a ``const``, or one of an
    ``enum``.
    """

    every: tuple[Every, ...] = ()
    some: tuple[Some, ...] = ()
    least: int = 0
    most: int | None = None
    unique: tuple[str, ...] = ()
    evaluated: int = field(default=0, compare=False)
    containing: tuple[Child, ...] = field(default=(), compare=False)
    refused: Refused = ()
    voice: int = field(default=SILENT, compare=False)
    constant: Any = field(default=None, compare=False)

    def key(self) -> Hashable:
        """Return a key, which is equal for cases that ask for the same."""
        parts = [tuple(one.key() for one in each) for each in (self.every, self.some)]
        counts = self.least, self.most, self.voice, repr(self.constant)
        return (*parts, self.unique, self.evaluated, tuple(map(key_of, self.containing)), self.refused, counts)

    def meet(self, other: "Array") -> "Array":
        """Return the case that asks for both."""
        return Array(
            every=_once(self.every + other.every),
            some=_once(self.some + other.some),
            least=max(self.least, other.least),
            most=min((most for most in (self.most, other.most) if most is not None), default=None),
            unique=self.unique + other.unique,
            evaluated=max(self.evaluated, other.evaluated),
            containing=self.containing + other.containing,
            refused=self.refused + other.refused,
            voice=max(self.voice, other.voice),
            constant=self.constant if other == Array() else other.constant if self == Array() else None,
        )

    def negate(self) -> "list[Array]":
        """Return cases of all other arrays."""
        found = [Array(some=(Some(one.start, one.stop, negated(one.child)),)) for one in self.every]
        for one in self.some:
            if one.least:
                found.append(Array(some=(Some(one.start, one.stop, one.child, 0, one.least - 1),)))
            if one.most is not None:
                found.append(Array(some=(Some(one.start, one.stop, one.child, one.most + 1),)))
        if self.least:
            found.append(Array(most=self.least - 1))
        if self.most is not None:
            found.append(Array(least=self.most + 1))
        problem = "the negation of uniqueItems is not supported"
        found += [Array(least=2, refused=((problem, place),)) for place in self.unique]
        return found + [Array(refused=(problem,)) for problem in self.refused]

    def item(self, index: int) -> Child:
        """Return what is asked of one item."""
        return plain(tuple(p for one in self.every if one.start <= index < one.stop for p in one.child))

    def cuts(self) -> list[tuple[int, int]]:
        """Return the ranges of indices, up to ``ALL``, within which all items are treated alike."""
        points = {0, ALL} | {point for one in self.every for point in (one.start, one.stop)}
        points |= {point for one in self.some for point in (one.start, one.stop)}
        return list(pairwise(sorted(points)))


_Part = TypeVar("_Part", Every, Some)


def _once(parts: tuple[_Part, ...]) -> tuple[_Part, ...]:
    """Return the parts without those that another one equals but for its pointers."""
    spend(10 * len(parts))
    found: dict[Hashable, _Part] = {}
    for part in parts:
        found.setdefault(part.key(), part)
    return tuple(found.values())
