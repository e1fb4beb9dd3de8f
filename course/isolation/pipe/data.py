"""The kinds of value that cross the pipe as data.

A message is a list of nodes, ``[tag, ...]``, in which a container comes after what it holds. A JSON scalar stands for
itself, and ``[i]`` for node i: so decoding is one loop, and no nesting that a message claims makes it recurse.
"""

import math
import re
import struct
import sys
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import is_dataclass
from functools import cache
from importlib import import_module
from inspect import signature
from itertools import chain
from types import MappingProxyType
from typing import Any

DEEPEST = 500  # how deep values may be nested
LARGEST = 5_000_000  # how many items a message may hold; what is referred to twice counts twice
ALIKE = 1000  # how many keys may share a hash

PLAIN = frozenset({type(None), bool, int, float, str})
"""The types that JSON has."""

CONTAINERS: dict[type, str] = {kind: kind.__name__ for kind in (list, tuple, set, frozenset, dict)}
"""Exact types, each with its tag. A subclass is another type, and not among them."""

MUTABLE = frozenset({list, dict, set})

MAPPINGS = (OrderedDict, Counter, defaultdict, MappingProxyType)
"""In a data type, whose equality does not tell them from a dict, these cross as one."""

Node = list[Any]

_KINDS: dict[str, Callable[..., Any]] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}
_SURROGATE = re.compile("[\ud800-\udfff]")

_DATA = re.compile(r"labkit\.(automata\.\w+|vocabulary)")
"""Modules of data types, which check themselves when they are made."""


def awkward(value: Any) -> Node | None:
    """Return the node of a scalar that JSON would change: a large int, inf or nan, a lone surrogate; else None."""
    if type(value) is int and not -(1 << 63) <= value < 1 << 63:
        return ["int", hex(value)]
    if type(value) is float and not math.isfinite(value):
        return ["float", struct.pack("<d", value).hex()]
    if type(value) is str and not value.isascii() and _SURROGATE.search(value):
        return ["str", value.encode("utf-32-le", "surrogatepass").hex()]
    return None


def items_of(value: Any) -> Iterable[Any]:
    """Return what a container holds: of a mapping its keys and values in turn."""
    return chain.from_iterable(value.items()) if hasattr(value, "items") else iter(value)


def container(tag: str, items: list[Any]) -> Any:
    """Return a container of these items, or of these keys and values in turn.

    Raises:
        ValueError: if too many keys share a hash: a set of a million such keys would take hours.
    """
    keys = items[::2] if tag == "dict" else items
    many = tag not in ("list", "tuple") and len(keys) > ALIKE
    if many and max(Counter(map(hash, keys)).values()) > ALIKE and len(set(map(id, keys))) > ALIKE:
        raise ValueError(f"more than {ALIKE} keys with one hash")
    return dict(zip(keys, items[1::2], strict=True)) if tag == "dict" else _KINDS[tag](items)


def path_of(kind: type) -> str:
    """Return the dotted name by which a class says that it can be found."""
    return f"{kind.__module__}.{kind.__qualname__}"


def find(path: str, *, load: bool) -> object:
    """Return what a dotted name stands for, in a module that is there already unless it may be loaded; else None."""
    module_name, _, name = path.rpartition(".")
    return getattr(import_module(module_name) if load else sys.modules.get(module_name), name, None)


def data_type(path: str) -> Any:
    """Return the data type of this dotted name; raise ``ValueError`` for anything else."""
    found = find(path, load=True) if _DATA.fullmatch(path.rpartition(".")[0]) else None
    if not isinstance(found, type) or not fields_of(found):
        raise ValueError(f"no data type {path!r} crosses the pipe")
    return found


@cache
def fields_of(kind: type) -> tuple[str, ...]:
    """Return the attributes that a data type is rebuilt from, which its constructor's parameters name.

    Empty for any other class, also for one that only claims the name of a data type.
    """
    known = _DATA.fullmatch(str(kind.__module__)) and find(path_of(kind), load=False) is kind
    return tuple(signature(kind).parameters) if known and not issubclass(kind, BaseException) else ()


def is_frozen(kind: Any) -> bool:
    """Return whether a data type never changes: it is no dataclass, or a frozen one."""
    return not is_dataclass(kind) or vars(kind)["__dataclass_params__"].frozen is True


def is_record(kind: type) -> bool:
    """Return whether a class is a plain namedtuple: its fields, and no method of its own that a test might call."""
    fields = getattr(kind, "_fields", None)
    if not (issubclass(kind, tuple) and type(fields) is tuple and all(type(name) is str for name in fields)):
        return False
    own = {name for base in kind.__mro__[: kind.__mro__.index(tuple)] for name in vars(base)}
    return not any(name not in fields and not name.startswith("_") for name in own)
