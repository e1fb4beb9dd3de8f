"""``oneOf``: a value must satisfy one branch and no other.

The texts of a branch are only a part of the texts that satisfy it: no undeclared keys, numbers in canonical form. So
subtracting texts from texts would be wrong. Two cases are covered: the keywords of the branches prove that no *value*
satisfies two of them; or all branches are strings, whose values are automata. Anything else is refused.
"""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from labkit.automata.dfa import Dfa
from labkit.errors import UnsupportedSchema
from labs.lab_06_regex_to_dfa import solution as lab_06
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.automata.operations import NOTHING, difference, union
from labs.lab_08_json_schema.given.compiling.scalars import string_values
from labs.lab_08_json_schema.given.reading.bounds import Bound
from labs.lab_08_json_schema.given.reading.flat_schema import Child, FlatSchema
from labs.lab_08_json_schema.given.reading.flatten import Alternatives, pairs
from labs.lab_08_json_schema.given.reading.values import equal, type_of

Flatten = Callable[[Child], Alternatives]

MAX_LOOK = 5
"""How deep into members and items the proof looks that two branches have no value in common."""


def exactly_one(branches: list[Alternatives], pointer: str, flatten: Flatten) -> Alternatives:
    """Return the alternatives of a ``oneOf`` from those of its branches.

    Raises:
        UnsupportedSchema: if two branches may have a value in common and are not both strings.
    """
    if all(disjoint(one, other, flatten) for one, other in pairs(branches)):
        return [flat for branch in branches for flat in branch]
    if all(_is_string(flat) for branch in branches for flat in branch):
        once = _once([union(*[string_values(flat) for flat in branch]) for branch in branches if branch])
        return [FlatSchema(pointer, types=frozenset(["string"]), mentions=frozenset(["string"]), values=(once,))]
    raise UnsupportedSchema("oneOf is not supported where two branches may have a value in common", pointer)


def _is_string(flat: FlatSchema) -> bool:
    return flat.kinds() == {"string"} and flat.enum is None


def _once(automata: list[Dfa]) -> Dfa:
    """Return the automaton of the texts that exactly one of the automata matches."""
    once = seen = NOTHING
    for automaton in automata:
        once = union(difference(once, automaton), difference(automaton, seen))
        seen = union(seen, automaton)
    return once


def disjoint(one: FlatSchema, other: FlatSchema, flatten: Flatten, look: int = MAX_LOOK) -> bool:
    """Return whether it is certain that no value satisfies both."""
    return look > 0 and all(_disjoint_as(kind, one, other, flatten, look) for kind in one.kinds() & other.kinds())


def _disjoint_as(kind: str, one: FlatSchema, other: FlatSchema, flatten: Flatten, look: int) -> bool:
    if one.enum is not None or other.enum is not None:
        return _disjoint_values(kind, one, other)
    match kind:
        case "number":
            return _below(one.high, other.low) or _below(other.high, one.low)
        case "string":
            return lab.shared_text([string_values(one), string_values(other)]) is None
        case "array":
            return _disjoint_arrays(one, other, flatten, look)
        case "object":
            return _disjoint_objects(one, other, flatten, look)
    return False


def _disjoint_values(kind: str, one: FlatSchema, other: FlatSchema) -> bool:
    """Return whether two flat schemas have no value in common, at least one of them with an ``enum``."""
    if one.enum is None:
        one, other = other, one
    values = [value for value in one.members() if type_of(value) == kind]
    if other.enum is not None:
        return not any(equal(value, also) for value in values for also in other.members())
    return not any(_may_satisfy(value, other) for value in values)


def _may_satisfy(value: Any, flat: FlatSchema) -> bool:
    """Return whether a scalar may satisfy a flat schema; True where that is not decided here."""
    if isinstance(value, str):
        return lab_06.fullmatch(string_values(flat), value)
    if type(value) in (int, float):
        exact = Decimal(repr(value))
        whole = exact == exact.to_integral_value()
        typed = flat.types is None or "number" in flat.types or whole
        point = Bound(exact)
        return typed and not (_below(point, flat.low) or _below(flat.high, point))
    return True


def _below(high: Bound | None, low: Bound | None) -> bool:
    """Return whether everything up to ``high`` lies below everything from ``low``."""
    if high is None or low is None:
        return False
    return high.value < low.value or (high.value == low.value and (high.open or low.open))


def _disjoint_arrays(one: FlatSchema, other: FlatSchema, flatten: Flatten, look: int) -> bool:
    """Return whether lengths, or an item that both must have, keep two arrays apart."""
    for shorter, longer in ((one, other), (other, one)):
        if shorter.most_items is not None and shorter.most_items < longer.least_items:
            return True
    shared = min(one.least_items, other.least_items, max(len(one.prefix), len(other.prefix), 1))
    return any(_never_both(_item(one, index), _item(other, index), flatten, look) for index in range(shared))


def _item(flat: FlatSchema, index: int) -> Child | None:
    return flat.prefix[index] if index < len(flat.prefix) else flat.rest


def _disjoint_objects(one: FlatSchema, other: FlatSchema, flatten: Flatten, look: int) -> bool:
    """Return whether a required key whose value cannot satisfy both keeps two objects apart."""
    return any(
        _never_both(_value(one, key), _value(other, key), flatten, look)
        for key in dict.fromkeys(one.required + other.required)
    )


def _value(flat: FlatSchema, key: str) -> Child | None:
    return flat.properties.get(key, flat.additional)


def _never_both(one: Child | None, other: Child | None, flatten: Flatten, look: int) -> bool:
    """Return whether no value satisfies both; None is any value."""
    sides = [[FlatSchema("")] if child is None else flatten(child) for child in (one, other)]
    return all(disjoint(first, second, flatten, look - 1) for first in sides[0] for second in sides[1])
