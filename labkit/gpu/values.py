"""Dtypes and whole-number arithmetic of a kernel: Triton's rules, which are almost those of C and not NumPy's."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = NDArray[Any]
Number = bool | int | float

_INT32 = np.iinfo(np.int32)


def scalar(value: Number) -> Values:
    """Return a Python number as an argument of a kernel: int32 if it fits, else int64; a float is float32.

    >>> scalar(5).dtype.name, scalar(1 << 40).dtype.name, scalar(0.5).dtype.name
    ('int32', 'int64', 'float32')
    """
    if isinstance(value, bool):
        return np.asarray(value, np.bool_)
    if isinstance(value, float):
        return np.asarray(value, np.float32)
    return np.asarray(value, np.int32 if _INT32.min <= value <= _INT32.max else np.int64)


def beside(value: Number, other: Values) -> Values:
    """Return a Python number as an operand beside a value, in the value's dtype where that can hold it.

    >>> beside(1, np.zeros(2, np.int16)).dtype.name, beside(0.5, np.zeros(2, np.int32)).dtype.name
    ('int16', 'float32')
    """
    kind = other.dtype.kind
    if kind == "f":
        return np.asarray(value, other.dtype)
    if isinstance(value, (bool, float)) or kind == "b":
        return scalar(value)
    info = np.iinfo(other.dtype)
    return np.asarray(value, other.dtype) if info.min <= value <= info.max else scalar(value)


def common(a: np.dtype[Any], b: np.dtype[Any]) -> np.dtype[Any]:
    """Return the common dtype: floats win over ints, wide over narrow, and unsigned over signed of the same width.

    >>> common(np.dtype("int32"), np.dtype("uint32")), common(np.dtype("int64"), np.dtype("float32"))
    (dtype('uint32'), dtype('float32'))
    """
    ranks = {"b": 0, "i": 1, "u": 1, "f": 2}
    return max(a, b, key=lambda dtype: (ranks[dtype.kind], dtype.itemsize, dtype.kind == "u"))


def divided(a: Values, b: Values) -> tuple[Values, Values]:
    """Return quotient and remainder of whole numbers as in C: the quotient is rounded towards zero.

    Raises:
        ZeroDivisionError: if a divisor is 0, where a device's result is undefined.

    >>> [part.tolist() for part in divided(np.array([7, -7], np.int32), np.array([2, 2], np.int32))]
    [[3, -3], [1, -1]]
    """
    if (b == 0).any():
        raise ZeroDivisionError("a division of whole numbers by 0: a device gives anything")
    rest = np.fmod(a, b)
    return (a - rest) // b, rest


def shift_amounts(a: Values, b: Values) -> Values:
    """Return the amounts of a shift, which must be smaller than the number of bits.

    Raises:
        ValueError: if one is not; a device's result would be undefined.

    >>> shift_amounts(np.zeros(2, np.int32), np.array([0, 32]))
    Traceback (most recent call last):
    ValueError: a shift of int32 by 32: a device gives anything beyond 0 to 31
    """
    bits = 8 * a.itemsize
    wrong = (b < 0) | (b >= bits)
    if wrong.any():
        amount = int(np.atleast_1d(b)[np.atleast_1d(wrong)][0])
        raise ValueError(f"a shift of {a.dtype.name} by {amount}: a device gives anything beyond 0 to {bits - 1}")
    return b
