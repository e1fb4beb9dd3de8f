"""What the bench asks of a mask engine, and the buffer that every engine fills."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Buffer:
    """One packed row, ``int32[1, ceil(V / 32)]``, with its address for the engines that write through a pointer.

    The address is asked for once: to ask NumPy for it takes longer than to fill some rows.
    """

    def __init__(self, vocab_size: int) -> None:
        self.words = np.zeros((1, -(-vocab_size // 32)), np.int32)
        self.address = int(self.words.ctypes.data)
        self.vocab_size = vocab_size

    def bits(self) -> NDArray[np.bool_]:
        """The row as ``bool[V]``.

        >>> buffer = Buffer(40)
        >>> buffer.words[0, 1] = 0b100
        >>> buffer.bits().nonzero()[0].tolist()
        [34]
        """
        octets = self.words.astype("<i4").view(np.uint8)[0]
        return np.unpackbits(octets, bitorder="little", count=self.vocab_size).astype(bool)


class Walk(Protocol):
    """One request's way through a compiled pattern."""

    def fill(self) -> None:
        """Write the mask of the tokens that may come next into the walk's buffer."""

    def advance(self, token_id: int) -> bool:
        """Go on behind a token; False where the engine refuses it, and the walk is over."""


class Compiled(Protocol):
    """A compiled pattern."""

    def start(self, buffer: Buffer) -> Walk:
        """A new request, whose masks go to the buffer. Only the newest request is used."""

    def complete(self) -> bool:
        """Compute the masks of all states; False where the engine has no such thing."""


class Engine(Protocol):
    """A mask engine, made ready for one vocabulary."""

    name: str
    version: str

    def compile(self, regex: str) -> Compiled:
        """Compile a pattern, with nothing kept from an earlier call; ValueError where the engine refuses it."""
