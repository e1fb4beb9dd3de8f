"""The kinds of value that cross the pipe as data, and how each is taken apart and put together.

A message is a list of nodes in which a container comes after what it holds. A JSON scalar stands for
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

DEEPEST = 500
"""How deep values may be nested."""

LARGEST = 5_000_000
"""How many items a message may hold; what is referred to twice counts twice."""

ALIKE = 1000
"""How many keys may share a hash."""

Item = Any
"""A JSON scalar, or ``[i]``."""

Node = list[Any]
"""``[tag, ...]``."""

# Scalars --------------------------------------------------------------------------------------------

_SURROGATE = re.compile("[\ud800-\udfff]")

PLAIN = frozenset({type(None), bool, int, float, str})
"""The types that JSON has."""


def awkward(value: Any) -> Node | None:
    """Return the node of a scalar that JSON would change: a large int, inf or nan, a lone surrogate; else None."""
    if type(value) is int and not -(1 << 63) <= value < 1 << 63:
        return ["int", hex(value)]
    if type(value) is float and not math.isfinite(value):
        return ["float", struct.pack("<d", value).hex()]
    if type(value) is str and not value.isascii() and _SURROGATE.search(value):
        return ["str", value.encode("utf-32-le", "surrogatepass").hex()]
    return None


# Containers -----------------------------------------------------------------------------------------


def distinct(values: list[Any]) -> list[Any]:
    """Return the values, if a set or dict of them can be made: a million that share one hash would take hours.

    Raises:
        ValueError: if too many share a hash.

    >>> distinct([2**61 - 1, 0]) == [2**61 - 1, 0]  # as these do
    True
    """
    if len(values) > ALIKE and max(Counter(map(hash, values)).values()) > ALIKE and len(set(map(id, values))) > ALIKE:
        raise ValueError(f"more than {ALIKE} keys with one hash")
    return values


BUILDERS: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    "set": lambda items: set(distinct(items)),
    "frozenset": lambda items: frozenset(distinct(items)),
    "dict": lambda items: dict(zip(distinct(items[::2]), items[1::2], strict=True)),
}
"""How to make each container from its items; those of a dict are its keys and values in turn."""

CONTAINERS: dict[type, str] = {kind: kind.__name__ for kind in (list, tuple, set, frozenset, dict)}
"""Exact types, each with its tag. A subclass is another type, and not among them."""

MUTABLE = frozenset({list, dict, set})

MAPPINGS = (OrderedDict, Counter, defaultdict, MappingProxyType)
"""In a data type, whose equality does not tell them from a dict, these cross as one."""


def items_of(value: Any) -> Iterable[Any]:
    """Return what a container holds: of a mapping its keys and values in turn."""
    return chain.from_iterable(value.items()) if hasattr(value, "items") else iter(value)


# Classes --------------------------------------------------------------------------------------------

_DATA = re.compile(r"labkit\.(automata\.\w+|vocabulary)|labs\.lab_\d\d_\w+\.given\.data")
"""Modules of data types, which check themselves when they are made."""

_ERRORS = re.compile(
    r"(builtins|labkit\.(\w+\.)*errors|labs\.lab_\d\d_\w+\.given\.errors)\.\w+"
    r"|json\.decoder\.JSONDecodeError|re\.(error|PatternError)|course\.student\.core\.timeouts\.TimeLimit"
    r"|course\.isolation\.pipe\.wire\.(PipeError|WireError|WorkerEnded)"
)
"""Dotted names that may be errors'."""


def path_of(kind: type) -> str:
    """Return the dotted name by which a class says that it can be found."""
    return f"{kind.__module__}.{kind.__qualname__}"


@cache
def fields_of(kind: type) -> tuple[str, ...] | None:
    """Return the attributes that a data type is rebuilt from, which its constructor's parameters name.

    None for any other class, also for one that only claims the name of a data type.
    """
    known = _DATA.fullmatch(str(kind.__module__)) and _find(path_of(kind), load=False) is kind
    return tuple(signature(kind).parameters) if known and not issubclass(kind, BaseException) else None


def is_frozen(kind: Any) -> bool:
    """Return whether a data type never changes: it is no dataclass, or a frozen one."""
    return not is_dataclass(kind) or vars(kind)["__dataclass_params__"].frozen is True


def is_known_error(kind: type) -> bool:
    """Return whether an error crosses as itself."""
    return bool(_ERRORS.fullmatch(path_of(kind))) and _find(path_of(kind), load=False) is kind


def known_class(path: str, base: type = object) -> Any:
    """Return the data type, or the error, of this dotted name; raise ``ValueError`` for anything else."""
    data, error = _DATA.fullmatch(path.rpartition(".")[0]), _ERRORS.fullmatch(path)
    found = _find(path, load=True) if data or error else None
    if not isinstance(found, type) or not (issubclass(found, BaseException) if error else fields_of(found)):
        raise ValueError(f"no class {path!r} crosses the pipe")
    if not issubclass(found, base):
        raise ValueError(f"{path} is no {base.__name__}")
    return found


def _find(path: str, *, load: bool) -> object:
    module_name, _, name = path.rpartition(".")
    module = import_module(module_name) if load else sys.modules.get(module_name)
    return getattr(module, name, None)


def is_record(kind: type) -> bool:
    """Return whether a class is a plain namedtuple: its fields, and no method of its own that a test might call."""
    fields = getattr(kind, "_fields", None)
    if not (issubclass(kind, tuple) and type(fields) is tuple and all(type(name) is str for name in fields)):
        return False
    own = {name for base in kind.__mro__[: kind.__mro__.index(tuple)] for name in vars(base)}
    return not any(name not in fields and not name.startswith("_") for name in own)
