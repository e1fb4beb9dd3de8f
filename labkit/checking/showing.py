"""Values as text for a message: sets in order, long texts cut around the important place."""

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np


def shown(value: object) -> str:
    """Return the ``repr`` of a value, with the elements of its sets in order.

    >>> shown([{"c", "a", "b"}, frozenset()])
    "[{'a', 'b', 'c'}, frozenset()]"
    """
    try:
        return _spelled(value)
    except RecursionError:  # it contains itself
        return repr(value)


def _spelled(value: object) -> str:
    kind = type(value)
    if isinstance(value, (set, frozenset)) and value and kind in (set, frozenset):
        text = "{" + ", ".join(in_order(value)) + "}"
        return text if kind is set else f"frozenset({text})"
    if isinstance(value, (list, tuple)) and kind in (list, tuple):
        inside = ", ".join(map(_spelled, value))
        return f"[{inside}]" if kind is list else f"({inside}{',' * (len(value) == 1)})"
    if isinstance(value, dict) and kind is dict:
        return "{" + ", ".join(f"{_spelled(key)}: {_spelled(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, np.ndarray):
        return f"array({(value.astype(int) if value.dtype == bool else value).tolist()}, {value.dtype})"
    if isinstance(value, type):  # NumPy has namesakes of Python's types
        return f"np.{value.__name__}" if value.__module__ == "numpy" else value.__name__
    if is_ours(value):
        return f"{kind.__name__}({', '.join(f'{name}={_spelled(entry)}' for name, entry in fields_of(value))})"
    return repr(value)


def cut(text: str, place: int, most: int = 300) -> str:
    """Return a text, or the part of it around a place if it has more than ``most`` characters.

    >>> cut("abc", 1), len(cut("x" * 1000, 500)), cut("x" * 1000, 0)[-3:]
    ('abc', 304, 'x …')
    """
    if len(text) <= most:
        return text
    start = max(0, place - most // 3)
    return f"{'… ' * (start > 0)}{text[start : start + most]}{' …' * (start + most < len(text))}"


def alike_up_to(one: str, other: str) -> int:
    """Return the length of the common prefix of two texts.

    >>> alike_up_to("abcd", "abxd"), alike_up_to("ab", "abc")
    (2, 2)
    """
    pairs = enumerate(zip(one, other, strict=False))
    return next((number for number, (a, b) in pairs if a != b), min(len(one), len(other)))


def in_order(elements: Iterable[object]) -> list[str]:
    """Return the values as texts, sorted.

    >>> in_order({"b", "a"})
    ["'a'", "'b'"]
    """
    return sorted(map(_spelled, elements))


def is_ours(value: object) -> bool:
    """Return whether a value is of one of labkit's data types.

    >>> from labkit.automata import Fsm
    >>> is_ours(Fsm(({},), 0, frozenset())), is_ours(({},))
    (True, False)
    """
    return is_dataclass(value) and not isinstance(value, type) and type(value).__module__.startswith("labkit.")


def fields_of(value: Any) -> list[tuple[str, Any]]:
    """Return the names and values of such a value's fields.

    >>> from labkit.automata import Fsm
    >>> fields_of(Fsm(({},), 0, frozenset()))[1]
    ('initial', 0)
    """
    return [(field.name, getattr(value, field.name)) for field in fields(value)]
