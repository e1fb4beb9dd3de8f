"""A value as text that is the same in every process and on every machine, to be hashed."""

import dataclasses
from typing import Any

import numpy as np


def canonical(value: Any) -> str:
    """The value's type and content: sets and dicts sorted, floats in full, arrays by dtype, shape and numbers.

    Every NaN is the same one. Of a type that is not known here the name alone remains: a ``repr`` may hold an address.

    >>> canonical([{"b", "a"}, 0.5, None, np.array([True])])
    "list[set['a','b'],float:0x1.0000000000000p-1,None,array:bool(1,)list[True]]"
    >>> canonical(object())
    'object'
    """
    kind = type(value)
    if value is None or kind in (bool, int, str, bytes):
        return ascii(value)
    if kind is float:
        return f"float:{value.hex()}"
    if kind is np.ndarray or isinstance(value, np.generic):
        form = "array" if kind is np.ndarray else "scalar"
        return f"{form}:{value.dtype.name}{value.shape}{canonical(value.tolist())}"
    if kind in (list, tuple, set, frozenset, dict):
        return f"{kind.__name__}[{','.join(_parts(value))}]"
    if dataclasses.is_dataclass(kind) and kind.__module__.startswith("labkit."):
        return f"{kind.__name__}[{','.join(canonical(getattr(value, f.name)) for f in dataclasses.fields(kind))}]"
    return kind.__name__


def _parts(value: Any) -> list[str]:
    """The elements of a collection; sorted where their order means nothing."""
    if isinstance(value, dict):
        return sorted(f"{canonical(key)}:{canonical(entry)}" for key, entry in value.items())
    parts = [canonical(each) for each in value]
    return sorted(parts) if isinstance(value, (set, frozenset)) else parts
