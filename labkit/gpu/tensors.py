"""The values of a kernel, single or in blocks, and pointers into buffers."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias, Union

import numpy as np

from labkit.gpu.arrays import narrowed, widened
from labkit.gpu.values import Number, Values, beside, common, divided, scalar, shift_amounts

if TYPE_CHECKING:
    from labkit.gpu.elsewhere import Far
    from labkit.gpu.memory import KernelBuffer

Operand: TypeAlias = Union["Tensor", Number]

BFLOAT16 = "bfloat16"
"""``tl.bfloat16``, which NumPy has no dtype for."""


class Tensor:
    """An immutable value of a kernel, or a block of values; arithmetic makes new ones.

    >>> words = Tensor(np.array([5, -(2**31)], np.int32))  # bits 0 and 2, and bit 31, the sign
    >>> bits = (words[:, None] >> Tensor(np.array([0, 1, 31], np.int32))[None, :]) & 1
    >>> bits.shape, bits.reshape(6).data.tolist()
    ((2, 3), [1, 0, 0, 0, 0, 1])
    """

    __slots__ = ("data",)
    __hash__ = None  # type: ignore[assignment]
    __array_ufunc__ = None  # makes NumPy arrays leave arithmetic with it to this class, which refuses them

    def __init__(self, data: Values) -> None:
        self.data = np.asarray(data)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape; empty for a single value."""
        return self.data.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype."""
        return self.data.dtype

    def to(self, dtype: Any) -> "Tensor":
        """Return the values in another dtype."""
        if dtype is BFLOAT16:
            return Tensor(widened(narrowed(self.data.astype(np.float32))))
        with np.errstate(all="ignore"):
            return Tensor(self.data.astype(dtype))

    def reshape(self, *shape: Any) -> "Tensor":
        """Return the values in another shape, row by row."""
        return Tensor(self.data.reshape(*shape))

    def __getitem__(self, key: Any) -> "Tensor":
        if not _is_new_axes(key):
            raise TypeError(f"a block is not indexed by {key!r}: only None and : may stand in its brackets")
        return Tensor(self.data[key])

    def __bool__(self) -> bool:
        if self.data.ndim:
            raise ValueError(f"a block of shape {list(self.shape)} is neither true nor false: use & | ~ and tl.where")
        return bool(self.data)

    def __index__(self) -> int:
        if self.data.ndim or self.data.dtype.kind not in "iu":
            raise TypeError(f"{self.data.dtype.name}{list(self.shape)} is not one whole number")
        return int(self.data)

    def __repr__(self) -> str:
        return f"<{self.data.dtype.name}{list(self.shape)} {self.data.tolist()}>"

    def __add__(self, other: Operand) -> "Tensor":
        return NotImplemented if isinstance(other, Pointer) else _both(np.add, self, other)

    def __sub__(self, other: Operand) -> "Tensor":
        return _both(np.subtract, self, other)

    def __mul__(self, other: Operand) -> "Tensor":
        return _both(np.multiply, self, other)

    def __and__(self, other: Operand) -> "Tensor":
        return _both(np.bitwise_and, self, other)

    def __or__(self, other: Operand) -> "Tensor":
        return _both(np.bitwise_or, self, other)

    def __xor__(self, other: Operand) -> "Tensor":
        return _both(np.bitwise_xor, self, other)

    def __rsub__(self, other: Operand) -> "Tensor":
        return _both(lambda a, b: np.subtract(b, a), self, other)

    __radd__, __rmul__, __rand__, __ror__, __rxor__ = __add__, __mul__, __and__, __or__, __xor__

    def __truediv__(self, other: Operand) -> "Tensor":
        return _both(lambda a, b: np.true_divide(_floats(a), _floats(b)), self, other)

    def __floordiv__(self, other: Operand) -> "Tensor":
        return _both(lambda a, b: divided(a, b)[0], self, other)

    def __mod__(self, other: Operand) -> "Tensor":
        return _both(lambda a, b: divided(a, b)[1], self, other)

    def __lshift__(self, other: Operand) -> "Tensor":
        return _both(lambda a, b: np.left_shift(a, shift_amounts(a, b)), self, other)

    def __rshift__(self, other: Operand) -> "Tensor":
        return _both(lambda a, b: np.right_shift(a, shift_amounts(a, b)), self, other)

    def __rlshift__(self, other: Operand) -> "Tensor":
        return _both(lambda a, b: np.left_shift(b, shift_amounts(b, a)), self, other)

    def __rrshift__(self, other: Operand) -> "Tensor":
        return _both(lambda a, b: np.right_shift(b, shift_amounts(b, a)), self, other)

    def __rfloordiv__(self, other: Operand) -> "Tensor":
        return _both(lambda a, b: divided(b, a)[0], self, other)

    def __rmod__(self, other: Operand) -> "Tensor":
        return _both(lambda a, b: divided(b, a)[1], self, other)

    def __eq__(self, other: object) -> "Tensor":  # type: ignore[override]
        return _both(np.equal, self, other)

    def __ne__(self, other: object) -> "Tensor":  # type: ignore[override]
        return _both(np.not_equal, self, other)

    def __lt__(self, other: Operand) -> "Tensor":
        return _both(np.less, self, other)

    def __le__(self, other: Operand) -> "Tensor":
        return _both(np.less_equal, self, other)

    def __gt__(self, other: Operand) -> "Tensor":
        return _both(np.greater, self, other)

    def __ge__(self, other: Operand) -> "Tensor":
        return _both(np.greater_equal, self, other)

    def __neg__(self) -> "Tensor":
        with np.errstate(all="ignore"):
            return Tensor(np.negative(self.data))

    def __invert__(self) -> "Tensor":
        return Tensor(np.invert(self.data))


class Pointer:
    """A place in a buffer, or a block of places, counted in elements.

    >>> from labkit.gpu.memory import KernelBuffer
    >>> (Pointer(KernelBuffer("x_ptr", np.zeros(8)), np.int64(0)) + Tensor(np.arange(4))).index.tolist()
    [0, 1, 2, 3]
    """

    __slots__ = ("buffer", "index")
    __hash__ = None  # type: ignore[assignment]
    __array_ufunc__ = None  # as for Tensor

    def __init__(self, buffer: "KernelBuffer | Far", index: Values | np.int64) -> None:
        self.buffer = buffer
        self.index = np.asarray(index, np.int64)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape; empty for a single place."""
        return self.index.shape

    def __add__(self, offset: Operand) -> "Pointer":
        return Pointer(self.buffer, self.index + _offset(offset))

    def __sub__(self, offset: Operand) -> "Pointer":
        return Pointer(self.buffer, self.index - _offset(offset))

    __radd__ = __add__

    def __getitem__(self, key: Any) -> "Pointer":
        if not self.shape or not _is_new_axes(key):
            name = self.buffer.name
            raise TypeError(f"{name} is a pointer: write tl.load({name} + i), not {name}[i]")
        return Pointer(self.buffer, self.index[key])

    def _is_no_number(self, *_: object) -> Any:
        raise TypeError(_no_number(self))

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _is_no_number
    __mul__ = __rmul__ = __floordiv__ = __mod__ = __and__ = __or__ = __lshift__ = __rshift__ = _is_no_number
    __rsub__ = __neg__ = __index__ = __bool__ = _is_no_number


def pair(a: Operand, b: object) -> tuple[Values, Values]:
    """Return two operands in their common dtype.

    Raises:
        TypeError: if one of them is not a value of a kernel.

    >>> [each.dtype.name for each in pair(Tensor(np.zeros(2, np.int32)), 1.5)]
    ['float32', 'float32']
    """
    x, y = plain(a), plain(b)
    left = x if isinstance(x, np.ndarray) else beside(x, y) if isinstance(y, np.ndarray) else scalar(x)
    right = y if isinstance(y, np.ndarray) else beside(y, left)
    dtype = common(left.dtype, right.dtype)
    return left.astype(dtype), right.astype(dtype)


def plain(value: object) -> Values | Number:
    """Return the plain array or number of a kernel's value.

    Raises:
        TypeError: if it is not a value of a kernel.
    """
    if isinstance(value, Tensor):
        return value.data
    if isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, Pointer):
        raise TypeError(_no_number(value))
    if isinstance(value, np.ndarray):
        raise TypeError("an array of NumPy is no value that a kernel computes with: use tl.arange, or tl.full")
    raise TypeError(f"a {type(value).__name__} is no value that a kernel computes with")


def _no_number(pointer: Pointer) -> str:
    name = pointer.buffer.name
    return f"{name} is a pointer, and no value that a kernel computes with: tl.load gives what lies there"


def _both(operation: Callable[[Values, Values], Values], a: Operand, b: object) -> Tensor:
    left, right = pair(a, b)
    with np.errstate(all="ignore"):
        return Tensor(operation(left, right))


def _floats(values: Values) -> Values:
    return values if values.dtype.kind == "f" else values.astype(np.float32)


def _offset(offset: Operand) -> Values:
    values = np.asarray(plain(offset))
    if values.dtype.kind not in "iu":
        raise TypeError(f"a pointer moves by whole numbers, not by {values.dtype.name}")
    return values.astype(np.int64)


def _is_new_axes(key: Any) -> bool:
    parts = key if isinstance(key, tuple) else (key,)
    return all(part is None or (isinstance(part, slice) and part == slice(None)) for part in parts)
