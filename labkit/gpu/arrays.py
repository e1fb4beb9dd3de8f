"""Arrays as arguments of a kernel: strides in elements, and bfloat16 as raw bits."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Bfloat16:
    """Raw bits that a kernel sees as bfloat16, the upper half of a float32; NumPy has no such dtype.

    Args:
        bits: ``uint16``, of any shape.

    >>> Bfloat16(np.array([0x3F80, 0xFF80], np.uint16)).values().tolist()
    [1.0, -inf]
    """

    bits: NDArray[np.uint16]

    def __post_init__(self) -> None:
        if self.bits.dtype != np.uint16:
            raise TypeError(f"bfloat16 is held as raw bits in uint16, not in {self.bits.dtype}")

    def values(self) -> NDArray[np.float32]:
        """Return the exact ``float32`` values of the bits."""
        return widened(self.bits)


def widened(bits: NDArray[np.uint16]) -> NDArray[np.float32]:
    """Return the float32 numbers of raw bfloat16 bits.

    >>> widened(np.array([0x4049], np.uint16)).tolist()
    [3.140625]
    """
    return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)


def narrowed(values: NDArray[np.float32]) -> NDArray[np.uint16]:
    """Return the raw bits of the nearest bfloat16 numbers; ties go to the even one, and NaN stays NaN.

    >>> [hex(x) for x in narrowed(np.array([1.0, 3.1415927, -np.inf, np.nan], np.float32)).tolist()]
    ['0x3f80', '0x4049', '0xff80', '0x7fc0']
    """
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    # Add half of the last kept bit, less one if that bit is even: a tie then goes to the even number.
    even = (bits >> np.uint32(16)) & np.uint32(1)
    rounded = (bits + np.uint32(0x7FFF) + even) >> np.uint32(16)
    # A NaN may have its only set bits in the half that is dropped: set the quiet bit, lest it become infinity.
    quiet = (bits >> np.uint32(16)) | np.uint32(0x40)
    return np.where(np.isnan(values), quiet, rounded).astype(np.uint16)


def device_logits(logits: Any) -> Any:
    """Return logits as a kernel's argument: ``uint16`` becomes raw bfloat16, anything else stays as it is.

    >>> type(device_logits(np.zeros(2, np.uint16))).__name__, type(device_logits(np.zeros(2, np.float16))).__name__
    ('Bfloat16', 'ndarray')
    """
    return Bfloat16(logits) if isinstance(logits, np.ndarray) and logits.dtype == np.uint16 else logits


def element_strides(array: Any) -> tuple[int, ...]:
    """Return the strides of a NumPy array or a torch tensor, counted in elements.

    >>> element_strides(np.zeros((3, 8), np.int32)), element_strides(np.zeros((3, 8), np.int32)[:, ::2])
    ((8, 1), (8, 2))
    """
    if isinstance(array, np.ndarray):
        return tuple(stride // array.itemsize for stride in array.strides)
    return tuple(array.stride())
