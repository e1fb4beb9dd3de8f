"""Cases of objects: what is asked of the members under a set of keys, and which members must be there."""

from dataclasses import dataclass, field, replace
from typing import Any

from labs.lab_08_json_schema.given.reading.flat_schema import Child
from labs.lab_08_json_schema.given.schemas.reading.places import NEVER, key_of, negated, plain
from labs.lab_08_json_schema.given.schemas.reading.scalars import SILENT, Refused


@dataclass(frozen=True)
class Keys:
    """A set of keys: some names, those that match a pattern, and those that satisfy a schema; or all others.

    ``outside`` alone: the keys in none of these sets. ``patterns`` are pairs of pattern and pointer.
    """

    names: tuple[str, ...] = ()
    patterns: tuple[tuple[str, str], ...] = ()
    schema: str = ""
    child: Child = field(default=(), compare=False)
    outside: "tuple[Keys, ...] | None" = None

    def name(self) -> str | None:
        """Return the one key, if it is a set of one name."""
        single = len(self.names) == 1 and not (self.patterns or self.schema) and self.outside is None
        return self.names[0] if single else None


EVERY_KEY = Keys(outside=())


def satisfying(child: Child) -> Keys:
    """Return the keys that satisfy a schema, such as that of ``propertyNames``."""
    return Keys(schema=repr(sorted(key_of(child))), child=child)


@dataclass(frozen=True)
class Members:
    """In ``every``: each member under one of the keys satisfies ``child``. In ``some``: at least one does."""

    keys: Keys
    child: Child


@dataclass(frozen=True)
class Object:
    """A conjunction of what is asked of an object.

    ``declared`` are the keys of ``properties``, in order. ``written`` are the sets of undeclared keys that a schema
    speaks of: their members are written, others only where nothing is declared. ``evaluated`` are the sets of keys
    that the schemas speak of, for ``unevaluatedProperties``. ``constant`` is the one value of a case that is a
    ``const``, or one of an ``enum``.
    """

    declared: tuple[str, ...] = ()
    every: tuple[Members, ...] = ()
    some: tuple[Members, ...] = ()
    least: int = 0
    most: int | None = None
    written: tuple[Keys, ...] = ()
    evaluated: tuple[Keys, ...] = field(default=(), compare=False)
    refused: Refused = ()
    voice: int = field(default=SILENT, compare=False)
    constant: Any = field(default=None, compare=False)

    def meet(self, other: "Object") -> "Object":
        """Return the case that asks for both."""
        return Object(
            declared=tuple(dict.fromkeys(self.declared + other.declared)),
            every=_once(self.every + other.every),
            some=_once(self.some + other.some),
            least=max(self.least, other.least),
            most=min((most for most in (self.most, other.most) if most is not None), default=None),
            written=tuple(dict.fromkeys(self.written + other.written)),
            evaluated=tuple(dict.fromkeys(self.evaluated + other.evaluated)),
            refused=self.refused + other.refused,
            voice=max(self.voice, other.voice),
            constant=self.constant if other == Object() else other.constant if self == Object() else None,
        )

    def negate(self) -> "list[Object]":
        """Return cases of all other objects."""
        found = [Object(some=(Members(one.keys, negated(one.child)),)) for one in self.every]
        found += [Object(every=(Members(one.keys, negated(one.child)),)) for one in self.some]
        if self.least:
            found.append(Object(most=self.least - 1))
        if self.most is not None:
            found.append(Object(least=self.most + 1))
        return found + [Object(refused=(problem,)) for problem in self.refused]

    def required(self) -> list[str]:
        """Return the keys that must be there."""
        return list(dict.fromkeys(name for one in self.some if (name := one.keys.name()) is not None))


def merged(cases: list[Object]) -> list[Object]:
    """Return fewer cases: without a key, or with it and a schema for it, is an optional key with that schema.

    >>> a = present("a")
    >>> len(merged([forbidden("a"), a])), len(merged([forbidden("a").meet(a), a]))
    (1, 2)
    """
    found = list(cases)
    for case in cases:
        needed = [one.keys for one in case.some]
        for key in [one.keys for one in case.every if one.keys.name() is not None and one.child == NEVER]:
            if key in needed:
                continue
            rest, _ = _apart(case, key)
            for other in found:
                others, asked = _apart(other, key)
                if other is not case and any(one.keys == key for one in other.some) and repr(rest) == repr(others):
                    both = Members(key, plain(asked))
                    found = [one for one in found if one is not case and one is not other]
                    found.append(replace(rest, every=(*rest.every, both)))
                    return merged(found)
    return found


def _apart(case: Object, keys: Keys) -> tuple[Object, Child]:
    """Return a case without what it asks for under a key, and that."""
    every = tuple(one for one in case.every if one.keys != keys)
    some = tuple(one for one in case.some if one.keys != keys)
    asked = [place for one in (*case.every, *case.some) if one.keys == keys for place in one.child]
    return replace(case, every=every, some=some), tuple(asked)


def forbidden(key: str) -> Object:
    """Return the case of objects without a key."""
    return Object(every=(Members(Keys((key,)), NEVER),))


def present(*keys: str) -> Object:
    """Return the case of objects with some keys."""
    return Object(some=tuple(Members(Keys((key,)), ()) for key in keys))


def _once(parts: tuple[Members, ...]) -> tuple[Members, ...]:
    """Return the parts without those that another one equals but for its pointers."""
    found: dict[object, Members] = {}
    for part in parts:
        found.setdefault((part.keys, key_of(part.child)), Members(part.keys, plain(part.child)))
    return tuple(found.values())
