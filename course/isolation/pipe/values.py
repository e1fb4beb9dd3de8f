"""The kinds of value that cross the pipe as data, and how each is taken apart and put together.

A message is a list of nodes in which a container comes after what it holds. A JSON scalar stands for
itself, and ``[i]`` for node i: so decoding is one loop, and no nesting that a message claims makes it recurse.
"""

import math
import re
import struct
import types
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import chain
from typing import Any, Protocol

DEEPEST = 500
"""How deep values may be nested."""

LARGEST = 5_000_000
"""How many items a message may hold; what is referred to twice counts twice."""

Item = Any
"""A JSON scalar, or ``[i]``."""

Node = list[Any]
"""``[tag, ...]``."""

ALIKE = 1000
"""How many keys may share a hash."""

_SURROGATE = re.compile("[\ud800-\udfff]")

PLAIN: dict[type, Callable[[Any], bool]] = {
    type(None): lambda value: True,
    bool: lambda value: True,
    int: lambda value: -(1 << 63) <= value < 1 << 63,
    float: math.isfinite,
    str: lambda value: value.isascii() or not _SURROGATE.search(value),
}
"""The types that JSON has, each with what a value must fulfil for JSON to keep it exactly."""


class Outsiders(Protocol):
    """What an end does with objects that have no data form."""

    def describe(self, value: object) -> tuple[str, str]:
        """The flavour and the label of an object that stays here; ``PipeError`` if it must not be handed over."""

    def make_stub(self, number: int, flavour: str, label: str) -> object:
        """What stands here for an object of the other end's."""


def plain_size(values: Collection[Any]) -> int | None:
    """About how many bytes a long list of texts or of small numbers takes, or None where some value needs a node."""
    kinds = set(map(type, values))
    if kinds == {int}:
        return 8 * len(values) if PLAIN[int](min(values)) and PLAIN[int](max(values)) else None
    if not kinds <= {str, bool, type(None)}:
        return None
    texts = [value for value in values if type(value) is str]
    return sum(map(len, texts)) if all(map(PLAIN[str], texts)) else None


def awkward(value: int | float | str) -> Node:
    """The node of a scalar that JSON would not keep: a large int, a float that is not finite, a lone surrogate."""
    if isinstance(value, str):
        return ["str", value.encode("utf-32-le", "surrogatepass").hex()]
    return ["int", hex(value)] if isinstance(value, int) else ["float", struct.pack("<d", value).hex()]


def _flat(mapping: Any) -> Iterator[Any]:
    return chain.from_iterable(mapping.items())


def keys(values: list[Any]) -> list[Any]:
    """The values, if a set or a dict of them can be made: a million that share one hash would take hours to tell apart.

    Raises:
        ValueError: if too many share a hash.

    >>> keys([2**61 - 1, 0]) == [2**61 - 1, 0]  # as these do
    True
    """
    if len(values) > ALIKE and max(Counter(map(hash, values)).values()) > ALIKE and len(set(map(id, values))) > ALIKE:
        raise ValueError(f"more than {ALIKE} keys with one hash")
    return values


def _mapping(items: list[Any]) -> dict[Any, Any]:
    return dict(zip(keys(items[::2]), items[1::2], strict=True))


def _bounds(value: Any) -> tuple[Any, ...]:
    return value.start, value.stop, value.step


CONTAINERS: dict[type, tuple[str, Callable[[Any], Iterable[Any]]]] = {
    list: ("list", iter),
    tuple: ("tuple", iter),
    set: ("set", iter),
    frozenset: ("frozenset", iter),
    dict: ("dict", _flat),
    OrderedDict: ("OrderedDict", _flat),
    Counter: ("Counter", _flat),
    defaultdict: ("defaultdict", lambda value: chain((value.default_factory,), _flat(value))),
    deque: ("deque", lambda value: chain((value.maxlen,), value)),
    types.MappingProxyType: ("mappingproxy", _flat),
    type({}.keys()): ("keys", iter),
    type({}.items()): ("items", iter),
    range: ("range", _bounds),
    slice: ("slice", _bounds),
    complex: ("complex", lambda value: (value.real, value.imag)),
}
"""Exact types, each with its tag and what it is made of. A subclass is another type, and not among them."""

BUILDERS: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    "set": lambda items: set(keys(items)),
    "frozenset": lambda items: frozenset(keys(items)),
    "dict": _mapping,
    "OrderedDict": lambda items: OrderedDict(_mapping(items)),
    "Counter": lambda items: Counter(_mapping(items)),
    "defaultdict": lambda items: defaultdict(items[0], _mapping(items[1:])),
    "deque": lambda items: deque(items[1:], items[0]),
    "mappingproxy": lambda items: types.MappingProxyType(_mapping(items)),
    "keys": lambda items: dict.fromkeys(keys(items)).keys(),
    "items": lambda items: _mapping(list(chain.from_iterable(items))).items(),
    "range": lambda items: range(*items),
    "slice": lambda items: slice(*items),
    "complex": lambda items: complex(*items),
}
"""The way back, from a tag and the items."""

SCALARS: dict[str, Callable[[str], Any]] = {
    "str": lambda digits: bytes.fromhex(digits).decode("utf-32-le", "surrogatepass"),
    "int": lambda digits: int(digits, 16),
    "float": lambda digits: struct.unpack("<d", bytes.fromhex(digits))[0],
}
"""The way back from ``awkward``."""


def is_record(kind: type) -> bool:
    """Whether a class is a plain namedtuple: its fields, and no method of its own that a test might call."""
    fields = getattr(kind, "_fields", None)
    if not (issubclass(kind, tuple) and type(fields) is tuple and all(type(name) is str for name in fields)):
        return False
    own = {name for base in kind.__mro__[: kind.__mro__.index(tuple)] for name in vars(base)}
    return not any(name not in fields and not name.startswith("_") for name in own)
