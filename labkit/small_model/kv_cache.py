"""The memory of a transformer: the keys and values of the tokens that it has seen, for a batch of requests."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from labkit.small_model.config import CONFIG, ModelConfig

_LEAST_CAPACITY = 64
"""Tokens that a row has room for from the start: most prompts fit."""


class KvCache:
    """Keys and values of every layer, a row for each request; the model's forward pass appends to it.

    Args:
        config: the sizes of the model that it belongs to.
        batch: the number of rows.

    Attributes:
        keys: ``float32[n_layers, batch, n_heads, capacity, head_dim]``, rotated to their positions, components in the
            model's own order; entries from a row's length on mean nothing.
        values: likewise.
        lengths: ``intp[batch]``: how many tokens each row holds.

    Raises:
        ValueError: if there is no row.

    >>> cache = KvCache(batch=2)
    >>> cache.batch, cache.capacity, cache.lengths.tolist()
    (2, 64, [0, 0])
    """

    def __init__(self, config: ModelConfig = CONFIG, batch: int = 1) -> None:
        if batch < 1:
            raise ValueError(f"a cache needs at least one row, not {batch}")
        self.config = config
        # Zeros, not whatever the memory held: a masked position has weight 0, and 0 times infinity would be NaN.
        self.keys: NDArray[np.float32] = np.zeros(_shape(config, batch, 0), np.float32)
        self.values: NDArray[np.float32] = self.keys.copy()
        self.lengths: NDArray[np.intp] = np.zeros(batch, np.intp)

    @property
    def batch(self) -> int:
        """The number of rows."""
        return len(self.lengths)

    @property
    def capacity(self) -> int:
        """How many tokens each row has room for now."""
        return int(self.keys.shape[3])

    def reserve(self, length: int) -> None:
        """Make room for rows of this many tokens; the room doubles, so that appending one by one copies little.

        >>> cache = KvCache()
        >>> cache.reserve(65)
        >>> cache.capacity
        128
        """
        if length > self.capacity:
            old_keys, old_values, used = self.keys, self.values, self.capacity
            self.keys = np.zeros(_shape(self.config, self.batch, length), np.float32)
            self.values = np.zeros_like(self.keys)
            self.keys[:, :, :, :used], self.values[:, :, :, :used] = old_keys, old_values

    def truncate(self, row: int, length: int) -> None:
        """Forget the tokens of a row from this length on, as if they had never been there.

        Raises:
            ValueError: if there is no such row, or it holds fewer tokens.

        >>> KvCache().truncate(0, 1)
        Traceback (most recent call last):
        ValueError: row 0 holds 0 tokens: it cannot be truncated to 1
        """
        (row,) = self._rows([row])
        if not 0 <= length <= self.lengths[row]:
            raise ValueError(f"row {row} holds {self.lengths[row]} tokens: it cannot be truncated to {length}")
        self.lengths[row] = length

    def copy(self) -> "KvCache":
        """Return a cache of the same rows that shares no memory with this one.

        >>> cache = KvCache()
        >>> cache.copy().lengths is cache.lengths
        False
        """
        return self.take(range(self.batch))

    def take(self, rows: Sequence[int]) -> "KvCache":
        """Return a new cache of these rows in this order; a row may come twice, which forks a request.

        Raises:
            ValueError: if no row is given, or one does not exist.

        >>> KvCache(batch=3).take([2, 0, 0, 1]).batch  # row 0 has become two
        4
        >>> KvCache(batch=3).take([3])
        Traceback (most recent call last):
        ValueError: there is no row 3 in a cache of 3 rows
        """
        chosen = self._rows(rows)
        taken = KvCache(self.config, len(chosen))
        taken._fill(0, self, chosen)
        return taken

    @classmethod
    def join(cls, caches: Iterable["KvCache"]) -> "KvCache":
        """Return a new cache of the rows of several caches, one cache after the other.

        Raises:
            ValueError: if there is no cache, or they belong to models of different sizes.

        >>> KvCache.join([KvCache(batch=2), KvCache()]).batch
        3
        """
        parts = list(caches)
        if not parts:
            raise ValueError("there is no cache to join")
        for number, part in enumerate(parts):
            if part.config != parts[0].config:
                raise ValueError(f"cache {number} belongs to another model than cache 0: {part.config}")
        joined = cls(parts[0].config, sum(part.batch for part in parts))
        start = 0
        for part in parts:
            joined._fill(start, part, np.arange(part.batch))
            start += part.batch
        return joined

    def _fill(self, start: int, other: "KvCache", rows: NDArray[np.intp]) -> None:
        """Put rows of another cache into this one, from row ``start`` on."""
        length, here = int(other.lengths[rows].max()), slice(start, start + len(rows))
        self.reserve(length)
        self.keys[:, here, :, :length] = other.keys[:, rows, :, :length]
        self.values[:, here, :, :length] = other.values[:, rows, :, :length]
        self.lengths[here] = other.lengths[rows]

    def _rows(self, rows: Sequence[int]) -> NDArray[np.intp]:
        if outside := [row for row in rows if not 0 <= row < self.batch]:
            raise ValueError(f"there is no row {outside[0]} in a cache of {self.batch} rows")
        return np.array(rows, np.intp)


def _shape(config: ModelConfig, batch: int, length: int) -> tuple[int, ...]:
    """Return the shape of the keys for rows of this length: a power of two, but no more than the model's positions."""
    room = _LEAST_CAPACITY
    while room < length:
        room *= 2
    return config.n_layers, batch, config.n_heads, min(room, config.max_positions), config.head_dim
