"""Cases of objects: what is asked of the members under a set of keys, and which members must be there."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from labkit.automata.work import spend
from labkit.errors import LimitExceeded
from mask_engine.reading.places import NEVER, Child, Named, Plain, key_of, negated, plain
from mask_engine.reading.presence import Clause, Literal, at_most_one, clauses_of
from mask_engine.reading.scalars import SILENT, Refused


@dataclass(frozen=True)
class Keys:
    """A set of keys: some names, those that match a pattern, and those that satisfy a schema; or all others.

    ``outside`` alone: the keys in none of these sets.
    """

    names: tuple[str, ...] = ()
    patterns: tuple[Named, ...] = ()
    schema: str = ""
    child: Child = field(default=(), compare=False)
    outside: "tuple[Keys, ...] | None" = None

    def name(self) -> str | None:
        """Return the one key, if it is a set of one name."""
        single = len(self.names) == 1 and not (self.patterns or self.schema) and self.outside is None
        return self.names[0] if single else None


MAX_WAYS = 400
"""The most ways to satisfy the clauses of one case where they speak of keys that are not declared."""

EVERY_KEY = Keys(outside=())


def satisfying(child: Child) -> Keys:
    """Return the keys that satisfy a schema, such as that of ``propertyNames``."""
    return Keys(schema=repr(sorted(key_of(child))), child=child)


@dataclass(frozen=True)
class Members:
    """In ``every``: each member under one of the keys satisfies ``child``. In ``some``: at least one does."""

    keys: Keys
    child: Child

    def __post_init__(self) -> None:
        object.__setattr__(self, "child", plain(self.child))


@dataclass(frozen=True)
class Object:
    """A conjunction of what is asked of an object.

    ``declared`` are the keys of ``properties``, in order. ``written`` are the sets of undeclared keys that a schema
    speaks of: their members are written, others only where nothing is declared. ``evaluated`` are the sets of keys
    that the schemas speak of, for ``unevaluatedProperties``. ``clauses`` are asked of which keys are there, all of
    them. ``constant`` is the one value of a case that is a
    ``const``, or one of an ``enum``.
    """

    declared: tuple[str, ...] = ()
    every: tuple[Members, ...] = ()
    some: tuple[Members, ...] = ()
    least: int = 0
    most: int | None = None
    written: tuple[Keys, ...] = ()
    clauses: frozenset[Clause] = frozenset()
    evaluated: tuple[Keys, ...] = field(default=(), compare=False)
    refused: Refused = ()
    voice: int = field(default=SILENT, compare=False)
    constant: Any = field(default=None, compare=False)

    def key(self) -> Hashable:
        """Return a key, which is equal for cases that ask for the same."""
        parts = [tuple((one.keys, key_of(one.child)) for one in each) for each in (self.every, self.some)]
        counts = self.least, self.most, self.voice, repr(self.constant)
        return (self.declared, *parts, self.written, self.clauses, self.evaluated, self.refused, counts)

    def meet(self, other: "Object") -> "Object":
        """Return the case that asks for both."""
        return Object(
            declared=tuple(dict.fromkeys(self.declared + other.declared)),
            every=_once(self.every + other.every),
            some=_once(self.some + other.some),
            least=max(self.least, other.least),
            most=min((most for most in (self.most, other.most) if most is not None), default=None),
            written=tuple(dict.fromkeys(self.written + other.written)),
            clauses=self.clauses | other.clauses,
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
        for clause in sorted(map(sorted, self.clauses)):
            found.append(holding(*((key, not there) for key, there in clause)))
        return found + [Object(refused=(problem,)) for problem in self.refused]

    def literals(self) -> frozenset[Literal] | None:
        """Return the keys that must and must not be there; None if anything else is asked.

        >>> present("card").meet(forbidden("cash")).literals() == {("card", True), ("cash", False)}
        True
        """
        asked: list[tuple[str | None, Child, Child]] = [(one.keys.name(), one.child, ()) for one in self.some]
        asked += [(one.keys.name(), one.child, NEVER) for one in self.every]
        found = {(name, not child) for name, child, plain_child in asked if name is not None and child == plain_child}
        same = replace(self, every=(), some=(), evaluated=()) == Object() and not self.evaluated
        return frozenset(found) if same and len(found) == len(self.some) + len(self.every) else None

    def expanded(self) -> "list[Object]":
        """Return cases without clauses, one for each way to satisfy them."""
        found = [replace(self, clauses=frozenset())]
        for clause in sorted(map(sorted, self.clauses)):
            if len(found) * len(clause) > MAX_WAYS:
                raise LimitExceeded("an object in which so many keys depend on each other", MAX_WAYS)
            found = absorbed([case.meet(holding(literal)) for case in found for literal in clause])
        return found

    @cached_property
    def asked(self) -> dict[str | None, list[Members]]:
        """What ``every`` and ``some`` ask of members by name; under None what they ask of other sets of keys."""
        found: dict[str | None, list[Members]] = {}
        for one in self.every:
            found.setdefault(one.keys.name(), []).append(one)
        for one in self.some:
            if (name := one.keys.name()) is not None:
                found.setdefault(name, []).append(one)
        return found

    def asked_of(self, name: str, holds: Callable[[Keys, str], bool]) -> Plain:
        """Return what is asked of the member under a key.

        Args:
            holds: returns whether a set of keys has one.
        """
        found = [one.child for one in self.asked.get(name, ())]
        found += [one.child for one in self.asked.get(None, ()) if holds(one.keys, name)]
        return plain(found[0] if len(found) == 1 else tuple(place for child in found for place in child))

    def required(self) -> list[str]:
        """Return the keys that must be there."""
        return list(dict.fromkeys(name for one in self.some if (name := one.keys.name()) is not None))


def absorbed(cases: list[Object]) -> list[Object]:
    """Return the cases without those that ask for everything another one asks for, and more.

    Otherwise n times ``not: {required: [a, b]}`` would be 2 ** n cases: each pair lacks one key or the other. At each
    step we drop the cases that lack more keys than they must.

    >>> a, b = forbidden("a"), forbidden("b")
    >>> len(absorbed([a, a.meet(b), b])), len(absorbed([a, a.meet(present("c"))]))  # what has neither a nor b has no a
    (2, 1)
    """
    if len(cases) < 2:
        return cases
    spend(len(cases) ** 2)
    asked = [_asked(case) for case in cases]
    found: list[int] = []
    # A case that asks for less comes first.
    for number in sorted(range(len(cases)), key=lambda number: len(asked[number][0])):
        parts, rest = asked[number]
        if not any(asked[other][0] <= parts and asked[other][1] == rest for other in found):
            found.append(number)
    return [cases[number] for number in sorted(found)]


def joined_to_clauses(cases: list[Object]) -> list[Object]:
    """Return one case with clauses for several that only ask which keys are there; others stay as they are.

    >>> one, = joined_to_clauses([forbidden("a"), forbidden("b")])
    >>> [sorted(clause) for clause in one.clauses], len(joined_to_clauses([Object(least=1), forbidden("b")]))
    ([[('a', False), ('b', False)]], 2)
    """
    if len(cases) < 2 or len({case.voice for case in cases}) > 1:
        return cases
    choices = _choices(cases)
    clauses = clauses_of(choices) if choices else None
    return cases if clauses is None else [Object(clauses=clauses, voice=cases[0].voice)]


def exactly_one_joined(branches: list[list[Object]]) -> list[Object] | None:
    """Return one case for exactly one of several branches, or None unless they only ask which keys are there.

    >>> len(exactly_one_joined([[present(key)] for key in "abcdefgh"])[0].clauses)  # one of all, and 28 pairs
    29
    """
    cases = [case for branch in branches for case in branch]
    if {len(branch) for branch in branches} != {1} or len({case.voice for case in cases}) > 1:
        return None
    choices = _choices(cases)
    clauses = clauses_of(choices) if choices else None
    return None if clauses is None else [Object(clauses=clauses | at_most_one(choices), voice=cases[0].voice)]


def _choices(cases: list[Object]) -> list[frozenset[Literal]]:
    """Return what each case asks of which keys are there; an empty list if one asks for anything else."""
    found = [choice for case in cases if (choice := case.literals()) is not None]
    return found if len(found) == len(cases) else []


def _asked(case: Object) -> tuple[frozenset[Hashable], Hashable]:
    """Return what a case asks for, part by part, and what must be equal in a case that takes its place."""
    parts: list[Hashable] = [("every", one.keys, key_of(one.child)) for one in case.every]
    parts += [("some", one.keys, key_of(one.child)) for one in case.some]
    parts += case.clauses
    rest = case.declared, case.least, case.most, case.written, case.evaluated, case.refused, case.voice
    return frozenset(parts), (*rest, repr(case.constant))


def merged(cases: list[Object]) -> list[Object]:
    """Return fewer cases: one without a key, and one with it and its schema, are an optional key with that schema.

    >>> a = present("a")
    >>> len(merged([forbidden("a"), a])), len(merged([forbidden("a").meet(a), a]))  # without a or with: it's optional
    (1, 2)
    """
    away = {one.keys for case in cases for one in case.every if one.keys.name() is not None and one.child == NEVER}
    if len(cases) < 2 or not away:
        return cases
    found = dict(enumerate(cases))
    waiting = list(found)
    # By a key and the rest of a case without it: the cases that need the key.
    needing: dict[tuple[Keys, Hashable], list[int]] = {}

    def note(number: int) -> None:
        spend(20 + len(found[number].every))
        for keys in {one.keys for one in found[number].some} & away:
            needing.setdefault((keys, _apart(found[number], keys)[0].key()), []).append(number)

    for number in waiting:
        note(number)
    for number in waiting:  # the list grows meanwhile
        if number not in found:
            continue
        case = found[number]
        needed = [one.keys for one in case.some]
        for keys in [one.keys for one in case.every if one.keys.name() is not None and one.child == NEVER]:
            if keys in needed:
                continue
            rest, _ = _apart(case, keys)
            others = [other for other in needing.get((keys, rest.key()), []) if other in found]
            if others:
                _, asked = _apart(found.pop(others[0]), keys)
                del found[number]
                new = len(waiting)
                found[new] = replace(rest, every=(*rest.every, Members(keys, asked)))
                waiting.append(new)
                note(new)
                break
    return list(found.values())


def _apart(case: Object, keys: Keys) -> tuple[Object, Child]:
    """Return a case without what it asks for under a key, and that."""
    every = tuple(one for one in case.every if one.keys != keys)
    some = tuple(one for one in case.some if one.keys != keys)
    asked = [place for one in (*case.every, *case.some) if one.keys == keys for place in one.child]
    return replace(case, every=every, some=some), tuple(asked)


def holding(*literals: Literal) -> Object:
    """Return the case of objects with some keys, and without others."""
    found = Object()
    for key, there in literals:
        found = found.meet(present(key) if there else forbidden(key))
    return found


def forbidden(key: str) -> Object:
    """Return the case of objects without a key."""
    return Object(every=(Members(Keys((key,)), NEVER),))


def present(*keys: str) -> Object:
    """Return the case of objects with some keys."""
    return Object(some=tuple(Members(Keys((key,)), ()) for key in keys))


def _once(parts: tuple[Members, ...]) -> tuple[Members, ...]:
    """Return the parts without those that another one equals but for its pointers."""
    spend(10 * len(parts))
    found: dict[object, Members] = {}
    for part in parts:
        found.setdefault((part.keys, key_of(part.child)), part)
    return tuple(found.values())
