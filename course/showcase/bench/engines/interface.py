"""What the bench asks of a mask engine, and the buffer that every engine fills."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Buffer:
    """One bitmask, ``int32[1, ceil(V / 32)]``, with its address for the engines that write through a pointer.

    The address is asked for once: NumPy takes longer to give it than some engines to fill the bitmask.
    """

    def __init__(self, vocab_size: int) -> None:
        self.words = np.zeros((1, -(-vocab_size // 32)), np.int32)
        self.address = int(self.words.ctypes.data)
        self.vocab_size = vocab_size

    def bits(self) -> NDArray[np.bool_]:
        """Return the mask as ``bool[V]``.

        >>> buffer = Buffer(40)
        >>> buffer.words[0, 1] = 0b100
        >>> buffer.bits().nonzero()[0].tolist()
        [34]
        """
        octets = self.words.astype("<i4").view(np.uint8)[0]
        return np.unpackbits(octets, bitorder="little", count=self.vocab_size).astype(bool)


@dataclass(frozen=True)
class Walk:
    """One request on a compiled pattern.

    Attributes:
        fill: writes the mask of the tokens that may come next into the walk's buffer.
        advance: takes a token id; returns False where the engine refuses the token, and the walk is over.
    """

    fill: Callable[[], object]
    advance: Callable[[int], bool]


@dataclass(frozen=True)
class Compiled:
    """A compiled pattern.

    Attributes:
        start: starts a request, whose masks go to the buffer. Only the newest request is used.
        complete: computes the masks of all states; returns False where the engine cannot.
    """

    start: Callable[[Buffer], Walk]
    complete: Callable[[], bool] = lambda: False


class Engine(Protocol):
    """A mask engine, made ready for one vocabulary."""

    name: str
    version: str

    def compile(self, regex: str) -> Compiled:
        """Compile a pattern anew, without any cache; raise ValueError where the engine refuses it."""
