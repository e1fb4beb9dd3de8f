"""NumPy's arrays and numbers as bytes."""

from typing import Any

import numpy as np

from course.isolation.pipe.data import Node
from course.isolation.pipe.wire import PipeError

_SPREAD = 64 << 20  # bytes that an array with gaps may span before the gaps are closed


def dtype_code(dtype: np.dtype[Any]) -> str:
    """Return a dtype's text, byte order included; raise ``PipeError`` for objects and records.

    ``longlong`` stays apart from ``int64``, which has the same size.

    >>> dtype_code(np.dtype(">f4")), dtype_code(np.dtype(bool)), dtype_code(np.dtype("U3"))
    ('>f', '|?', '<U3')
    """
    if dtype.hasobject or dtype.kind not in "biufcSUmM":
        raise PipeError(f"an array of dtype {dtype} does not cross the pipe")
    return dtype.str if dtype.kind in "SUmM" else dtype.str[0] + dtype.char


def layout(array: Any) -> Node:
    """Return what describes an array besides its bytes in C order: dtype, shape, strides, whether it is writeable."""
    return [dtype_code(array.dtype), list(array.shape), list(array.strides), array.flags.writeable]


def build_dtype(code: str) -> np.dtype[Any]:
    """Return a dtype from its code; raise ``ValueError`` for any other text."""
    dtype = np.dtype(code)
    if dtype_code(dtype) != code:
        raise ValueError(f"{code!r} is no dtype that crosses the pipe")
    return dtype


def build_array(code: str, shape: list[int], strides: list[int], writeable: bool, content: bytes) -> Any:
    """Return an array over memory of its own, with these strides; raise ``ValueError`` if the parts do not fit."""
    packed = np.ndarray(tuple(shape), build_dtype(code), content)
    if packed.nbytes != len(content):
        raise ValueError(f"{len(content)} bytes for an array of {packed.nbytes}")
    array = _spread(packed, strides) if packed.size else np.empty(tuple(shape), packed.dtype)
    array[...] = packed
    array.flags.writeable = bool(writeable)
    return array


def _spread(packed: Any, strides: list[int]) -> Any:
    """Return an empty array of these strides."""
    reach = [(n - 1) * stride for n, stride in zip(packed.shape, strides, strict=True)]
    first = -sum(step for step in reach if step < 0)
    size = first + sum(step for step in reach if step > 0) + packed.itemsize
    if size > max(_SPREAD, 2 * packed.nbytes):
        return np.ndarray(packed.shape, packed.dtype, bytearray(packed.nbytes))
    return np.ndarray(packed.shape, packed.dtype, bytearray(size), first, tuple(strides))


def assign(target: Any, content: Any) -> None:
    """Copy into an array the content of another; raise ``PipeError`` for a change that does not cross the pipe."""
    if target.shape != content.shape or target.dtype != content.dtype:
        raise PipeError("an array that was passed on got another shape or dtype in place")
    writeable = target.flags.writeable
    try:
        target.flags.writeable = True
        target[...] = content
        target.flags.writeable = writeable
    except ValueError:
        raise PipeError("an array that may only be read was written to") from None
