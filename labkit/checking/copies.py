"""Copies of what a test hands to the code under test."""

from dataclasses import fields
from typing import Any

import numpy as np

from labkit.automata.dfa import Nfa
from labkit.automata.fsm import Fsm
from labkit.automata.tries import Trie

_PLAIN = frozenset({type(None), bool, int, float, str, bytes})


def copied(value: Any, seen: dict[int, Any] | None = None) -> Any:
    """Return a copy in which each list, dict, set and array is new, and so is what holds one; the rest is shared.

    What's in two places of the value is in two places of the copy, too. An array keeps its strides.

    >>> row = [1]
    >>> one, other, same = copied((row, row, print))
    >>> one is other, one is row, same is print  # one new list in two places; a function is itself
    (True, False, True)
    >>> fsm = Fsm(({"a": 0},), 0, frozenset())
    >>> copied(fsm).transitions[0] is fsm.transitions[0]
    False
    """
    seen = {} if seen is None else seen
    if id(value) not in seen:
        seen[id(value)] = _made(value, seen)
    return seen[id(value)]


def _made(value: Any, seen: dict[int, Any]) -> Any:
    kind: Any = type(value)
    if kind in (list, tuple):
        return kind([item if type(item) in _PLAIN else copied(item, seen) for item in value])
    if kind is dict:
        return {key: copied(item, seen) for key, item in value.items()}
    if kind is np.ndarray:
        return _array(value)
    if kind in (Fsm, Nfa, Trie):
        return kind(*(copied(getattr(value, field.name), seen) for field in fields(kind)))
    return value.copy() if isinstance(value, (dict, set)) else value


def _array(value: Any) -> Any:
    if value.flags.forc or value.dtype.hasobject:
        made = value.copy(order="K")
    else:
        low, high = np.lib.array_utils.byte_bounds(value)
        first = value.__array_interface__["data"][0] - low
        made = np.ndarray(value.shape, value.dtype, bytearray(high - low), first, value.strides)
        made[...] = value
    made.flags.writeable = value.flags.writeable
    return made
