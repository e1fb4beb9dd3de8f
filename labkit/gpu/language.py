"""``tl``: the names of ``triton.language`` that the stand-in has, each with Triton's meaning."""

from typing import Any

import numpy as np

from labkit.gpu.programs import current
from labkit.gpu.tensors import BFLOAT16, Operand, Pointer, Tensor, pair, plain
from labkit.gpu.values import scalar

int1, int8, int16, int32, int64 = (np.dtype(name) for name in ("bool", "int8", "int16", "int32", "int64"))
uint8, uint16, uint32, uint64 = (np.dtype(name) for name in ("uint8", "uint16", "uint32", "uint64"))
float16, float32, float64 = (np.dtype(name) for name in ("float16", "float32", "float64"))
bfloat16 = BFLOAT16
tensor = Tensor
"""The annotation of a kernel's parameters that are not constant: pointers and numbers alike, as in Triton."""
static_range = range


class constexpr(int):  # noqa: N801 (the name is Triton's)
    """A whole number that is known when the kernel is compiled; the annotation of a parameter that is one.

    >>> constexpr(64) // 32
    2
    """

    def __new__(cls, value: int) -> "constexpr":  # noqa: D102 (the class says it)
        if not isinstance(value, (int, np.integer)):
            raise TypeError(f"the stand-in's constexpr is a whole number; write {value!r} in the kernel itself")
        return super().__new__(cls, value)


def program_id(axis: int) -> Tensor:
    """Return the number of the running program along an axis of the grid."""
    return Tensor(np.asarray(current().place[axis], np.int32))


def num_programs(axis: int) -> Tensor:
    """Return how many programs the grid has along an axis."""
    return Tensor(np.asarray(current().launch.grid[axis], np.int32))


def cdiv(a: Any, b: Any) -> Any:
    """Return how many blocks of size ``b`` cover ``a`` elements.

    >>> cdiv(65, 32)  # the last one has a single element
    3
    """
    return (a + b - 1) // b


def arange(start: int, end: int) -> Tensor:
    """Return the ``int32`` numbers from ``start`` up to ``end``, exclusive; their count must be a power of two.

    >>> arange(0, 4).data.tolist()
    [0, 1, 2, 3]
    >>> arange(0, 33)
    Traceback (most recent call last):
    ValueError: arange(0, 33): a block has a power of two elements, and 33 is none
    """
    if not (isinstance(start, int) and isinstance(end, int)):
        raise TypeError("arange takes constants: numbers, or parameters marked tl.constexpr")
    size = end - start
    if size < 1 or size & (size - 1):
        raise ValueError(f"arange({start}, {end}): a block has a power of two elements, and {size} is none")
    return Tensor(np.arange(start, end, dtype=np.int32))


def full(shape: Any, value: Operand, dtype: Any) -> Tensor:
    """Return a block of one value.

    >>> full((2,), 7, int32).data.tolist()
    [7, 7]
    """
    return Tensor(np.broadcast_to(_tensor(value).data, shape)).to(dtype)


def zeros(shape: Any, dtype: Any) -> Tensor:
    """Return a block of zeros.

    >>> zeros((2,), float32).data.tolist()
    [0.0, 0.0]
    """
    return full(shape, 0, dtype)


def reshape(block: Tensor, *shape: Any) -> Tensor:
    """Return a block in another shape, row by row.

    >>> reshape(arange(0, 4), (2, 2)).data.tolist()
    [[0, 1], [2, 3]]
    """
    return block.reshape(*shape)


def where(condition: Operand, x: Operand, y: Operand) -> Tensor:
    """Return ``x`` where the condition holds, else ``y``. Both are computed everywhere.

    >>> where(arange(0, 4) < 2, 1.0, float("-inf")).data.tolist()
    [1.0, 1.0, -inf, -inf]
    """
    return Tensor(np.where(_tensor(condition).data, *pair(x, y)))


def maximum(x: Operand, y: Operand) -> Tensor:
    """Return the larger of two, one by one.

    >>> maximum(arange(0, 4), 2).data.tolist()
    [2, 2, 2, 3]
    """
    return Tensor(np.maximum(*pair(x, y)))


def minimum(x: Operand, y: Operand) -> Tensor:
    """Return the smaller of two, one by one.

    >>> minimum(arange(0, 4), 2).data.tolist()
    [0, 1, 2, 2]
    """
    return Tensor(np.minimum(*pair(x, y)))


def load(pointer: Pointer | Tensor, mask: Operand | None = None, other: Operand | None = None) -> Tensor:
    """Return the value at a place, or the values at a block of places.

    Args:
        mask: where it is false, nothing is loaded, and the value is ``other``, or garbage if that is not given.

    Raises:
        OutOfBounds, OrderMatters: see ``labkit.gpu.errors``.
    """
    pointer = _checked(pointer, "load")
    active = _active(mask, pointer, "the mask of load")
    values = current().load(pointer, active)
    if mask is not None and other is not None:
        values = np.where(active, values, _tensor(other).data.astype(values.dtype))
    return Tensor(values)


def store(pointer: Pointer | Tensor, value: Operand, mask: Operand | None = None) -> None:
    """Write to a place, or to a block of places, except where the mask is false.

    Raises:
        OutOfBounds, OrderMatters: see ``labkit.gpu.errors``.
    """
    pointer = _checked(pointer, "store")
    values = np.asarray(_spread(value, pointer, "the value of store"))
    current().store(pointer, values, _active(mask, pointer, "the mask of store"))


def _checked(pointer: object, doing: str) -> Pointer:
    if not isinstance(pointer, Pointer):
        raise TypeError(f"tl.{doing} wants a pointer: the parameter of an array, plus how many elements to go on")
    return pointer


def _active(mask: Operand | None, pointer: Pointer, what: str) -> Any:
    """Return which places are active: all of them if there is no mask."""
    if mask is None:
        return np.ones(pointer.shape, bool)
    if _tensor(mask).dtype != np.bool_:
        raise TypeError(f"{what} is {_tensor(mask).dtype.name}: it must be the outcome of a comparison")
    return _spread(mask, pointer, what)


def _spread(value: Operand, pointer: Pointer, what: str) -> Any:
    """Return a value for each place."""
    data = _tensor(value).data
    try:
        return np.broadcast_to(data, pointer.shape)
    except ValueError:
        shapes = f"{what} has the shape {list(data.shape)}, and the pointer {list(pointer.shape)}"
        raise ValueError(f"{shapes}: it must fit to the pointer's") from None


def _tensor(value: Operand) -> Tensor:
    found = plain(value)
    return Tensor(found if isinstance(found, np.ndarray) else scalar(found))
