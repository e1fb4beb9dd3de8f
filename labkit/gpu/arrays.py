"""Arrays on their way to a kernel: strides in elements, and 16 bits that are a bfloat16."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Bfloat16:
    """Raw bits that a kernel is to see as bfloat16, the upper half of a float32; NumPy has no such dtype.

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
        """``float32``: the numbers that the bits are, exactly."""
        return widened(self.bits)


def widened(bits: NDArray[np.uint16]) -> NDArray[np.float32]:
    """The float32 numbers of raw bfloat16 bits.

    >>> widened(np.array([0x4049], np.uint16)).tolist()
    [3.140625]
    """
    return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)


def narrowed(values: NDArray[np.float32]) -> NDArray[np.uint16]:
    """The raw bits of the nearest bfloat16 numbers; halfway goes to the even one, and what is no number stays none.

    >>> [hex(x) for x in narrowed(np.array([1.0, 3.1415927, -np.inf, np.nan], np.float32)).tolist()]
    ['0x3f80', '0x4049', '0xff80', '0x7fc0']
    """
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    even = (bits >> np.uint32(16)) & np.uint32(1)
    rounded = (bits + np.uint32(0x7FFF) + even) >> np.uint32(16)
    quiet = (bits >> np.uint32(16)) | np.uint32(0x40)
    return np.where(np.isnan(values), quiet, rounded).astype(np.uint16)


def device_logits(logits: Any) -> Any:
    """Logits as a kernel's argument: ``uint16`` is taken for raw bfloat16, anything else is passed as it is.

    >>> type(device_logits(np.zeros(2, np.uint16))).__name__, type(device_logits(np.zeros(2, np.float16))).__name__
    ('Bfloat16', 'ndarray')
    """
    return Bfloat16(logits) if isinstance(logits, np.ndarray) and logits.dtype == np.uint16 else logits


def element_strides(array: Any) -> tuple[int, ...]:
    """How many elements it is to the next entry along each axis, of a NumPy array or a torch tensor.

    >>> element_strides(np.zeros((3, 8), np.int32)), element_strides(np.zeros((3, 8), np.int32)[:, ::2])
    ((8, 1), (8, 2))
    """
    if isinstance(array, np.ndarray):
        return tuple(stride // array.itemsize for stride in array.strides)
    return tuple(array.stride())
