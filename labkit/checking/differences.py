"""A description of where two values differ, for answers that are too long to compare by eye."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

import numpy as np

from labkit.automata import Fsm
from labkit.checking.showing import alike_up_to, fields_of, in_order, is_ours, shown

_CONTAINERS = (list, tuple, set, frozenset, dict)
_LISTED = 6
_LONG_TEXT = 40


def same(got: Any, expected: Any) -> bool:
    """Return whether two values are equal and of the same type, inside lists, tuples and dicts as well.

    Arrays must have the same dtype, shape and bits.

    >>> same([1, {"a": True}], [1, {"a": 1}]), same(np.float32([0.0]), np.float32([-0.0]))
    (False, False)
    >>> same({1}, {np.int64(1)}), same({(1, True): 2}, {(1, 1): 2})
    (False, False)
    """
    if type(got) is not type(expected):
        return False
    if isinstance(expected, np.ndarray):
        return (got.dtype, got.shape, got.tobytes()) == (expected.dtype, expected.shape, expected.tobytes())
    if isinstance(expected, (list, tuple)):
        return len(got) == len(expected) and all(map(same, got, expected))
    if isinstance(expected, dict):
        keys = (frozenset(each) for each in (got, expected))
        return same(*keys) and all(same(got[key], value) for key, value in expected.items())
    if isinstance(expected, (set, frozenset)):  # an entry equals NumPy's number, and other types may have its value
        return len(got) == len(expected) and {*map(_typed, got)} == {*map(_typed, expected)}
    return bool(got == expected)


def _typed(entry: Any) -> Any:
    """Return an entry of a set with its type, and a tuple's with theirs."""
    return type(entry), tuple(map(_typed, entry)) if type(entry) is tuple else entry


def difference(got: object, expected: object) -> str:
    """Describe the first difference between ``got`` and ``expected``; empty if they are equal or of different types.

    >>> difference({"a", "b"}, {"b", "c"})
    "missing: 'c'; too many: 'a'"
    >>> difference(({"a"}, 3), ({"a"}, 4)), difference([1, 2, 3], [1, 2])
    ('item 1: expected 4, yours 3', 'item 2 is too many: 3')
    >>> difference([(np.array([1, 2]), 3)], [(np.array([1, 0]), 3)])
    'item 0, item 0, item 1: expected 0, yours 2'
    >>> difference(np.array([np.nan, 1]), np.array([np.nan, 2]))
    'item 1: expected 2.0, yours 1.0'
    >>> difference(Fsm(({"a": 1}, {}), 0, frozenset({1})), Fsm(({"a": 1}, {"a": 1}), 0, frozenset({1})))
    "state 1: expected 'a' -> 1, yours has no transition on 'a'"
    """
    return "" if type(got) is not type(expected) else _find(got, expected, "")


def _find(got: Any, expected: Any, path: str) -> str:
    """Describe the difference of two values at the same place."""
    if type(got) is not type(expected):
        if isinstance(got, _CONTAINERS) or isinstance(expected, _CONTAINERS):
            return _at(path, f"must be {_kind(expected)}, yours is {_kind(got)}")
        return _at(path, f"expected {shown(expected)}, yours {shown(got)}")
    if isinstance(expected, (set, frozenset)):
        parts = [("missing", expected - got), ("too many", got - expected)]
        said = "; ".join(f"{name}: {_listed(in_order(found))}" for name, found in parts if found)
        return _at(path, said, joint=", ")
    if isinstance(expected, np.ndarray):
        return _find(got.tolist(), expected.tolist(), path)
    if isinstance(expected, (list, tuple)):
        return _of_sequences(got, expected, path)
    if isinstance(expected, dict):
        return _of_mappings(got, expected, path)
    if isinstance(expected, Fsm):
        return _of_automata(got, expected, path)
    if is_ours(expected):
        return next((_find(g, e, _join(path, n)) for (n, g), (_, e) in _pairs(got, expected) if g != e), "")
    if isinstance(expected, str) and len(expected) > _LONG_TEXT:
        same = alike_up_to(got, expected)
        ends = f"expected {expected[same : same + 20]!r}, yours {got[same : same + 20]!r}"
        return _at(path, f"from character {same} on: {ends}")
    if got != got and expected != expected:
        return ""  # NaN is what was expected, so the difference that counts comes later
    return _at(path, f"expected {shown(expected)}, yours {shown(got)}")


def _of_sequences(got: Any, expected: Any, path: str) -> str:
    for number, (mine, right) in enumerate(zip(got, expected, strict=False)):
        if not same(mine, right) and (said := _find(mine, right, _join(path, f"{_item(right)} {number}"))):
            return said
    shorter = min(len(got), len(expected))
    if len(got) == len(expected):
        return ""
    more, word = (got, "too many") if len(got) > shorter else (expected, "missing")
    return f"{_join(path, f'{_item(more[shorter])} {shorter}')} is {word}: {shown(more[shorter])}"


def _of_mappings(got: Mapping[Any, Any], expected: Mapping[Any, Any], path: str) -> str:
    for key, right in expected.items():
        if key not in got:
            return _at(path, f"no entry for {shown(key)}, expected {shown(right)}")
        if not same(got[key], right):
            return _find(got[key], right, _join(path, f"at {shown(key)}"))
    return _at(path, f"too many: {_listed(in_order(got.keys() - expected.keys()))}")


def _of_automata(got: Fsm, expected: Fsm, path: str) -> str:
    """Describe the difference of two automata in states and transitions, not in rows and entries."""
    if type(got.transitions) is not tuple:
        return f"{_join(path, 'transitions')} must be a tuple, yours is {_kind(got.transitions)}"
    if len(got) != len(expected):
        return _at(path, f"expected {len(expected)} states, yours has {len(got)}")
    for state, (row, right) in enumerate(zip(got.transitions, expected.transitions, strict=True)):
        for char in sorted({*row, *right}):
            if row.get(char) != right.get(char):
                yours = f"{'has ' * (char not in row)}{_transition(row, char)}"
                return _at(_join(path, f"state {state}"), f"expected {_transition(right, char)}, yours {yours}")
    parts = ((n, g, e) for (n, g), (_, e) in _pairs(got, expected) if n != "transitions" and g != e)
    return next((_find(mine, right, _join(path, name)) for name, mine, right in parts), "")


def _transition(row: Mapping[str, int], char: str) -> str:
    return f"{char!r} -> {row[char]}" if char in row else f"no transition on {char!r}"


def _at(path: str, text: str, joint: str = ": ") -> str:
    return f"{path}{joint}{text}" if path and text else text


def _join(path: str, part: str) -> str:
    return f"{path}, {part}" if path else part


def _item(value: object) -> str:
    return type(value).__name__.lower() if is_ours(value) else "item"


def _kind(value: object) -> str:
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0] in 'aeio' else 'a'} {name}"


def _listed(texts: Iterable[str]) -> str:
    rest = iter(texts)
    first = ", ".join(islice(rest, _LISTED))
    more = sum(1 for _ in rest)
    return f"{first} and {more} more" if more else first


def _pairs(got: object, expected: object) -> Iterable[tuple[tuple[str, Any], tuple[str, Any]]]:
    return zip(fields_of(got), fields_of(expected), strict=True)
