"""A model of one attention head: small enough to read, and like a large one it depends on order and position."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float32]
Append = Callable[[Floats, NDArray[np.intp], NDArray[np.intp], Floats], NDArray[np.intp]]
"""Puts the new tokens' vectors into the cache; see ``append_to_cache``."""


class OneHead:
    """Random weights, one head, a KV cache that is one array: a token's key and value are the same vector.

    Args:
        append: puts the new tokens into the cache.
        vocab_size, max_positions: its sizes.

    >>> def append(cache, lengths, counts, new):
    ...     cache[0, lengths[0] : lengths[0] + counts[0]] = new
    ...     return lengths + counts
    >>> model = OneHead(append, vocab_size=5)
    >>> cache = model.new_cache(1)
    >>> model.forward([[3, 1]], cache).shape, cache["lengths"].tolist()
    ((1, 5), [2])
    """

    def __init__(self, append: Append, vocab_size: int, max_positions: int = 64, width: int = 8) -> None:
        random = np.random.default_rng(0)
        self.config = self
        self.append = append
        self.vocab_size, self.max_positions, self.width = vocab_size, max_positions, width
        self._tokens = random.standard_normal((vocab_size, width), np.float32)
        self._positions = random.standard_normal((max_positions, width), np.float32)

    def new_cache(self, batch: int = 1) -> dict[str, Any]:
        """Return an empty cache: room for the vectors of each row, and how many tokens each row holds."""
        vectors = np.zeros((batch, self.max_positions, self.width), np.float32)
        return {"vectors": vectors, "lengths": np.zeros(batch, np.intp)}

    def forward(self, tokens: ArrayLike, cache: dict[str, Any], lengths: ArrayLike | None = None) -> Floats:
        """Read new tokens and score what may come after the last of each row; NaN for a row without any."""
        given: NDArray[np.intp] = np.asarray(tokens)
        counts = np.full(len(given), given.shape[1]) if lengths is None else np.asarray(lengths, np.intp)
        before = cache["lengths"]
        new = [
            self._tokens[row[:count]] + self._positions[start : start + count]
            for row, count, start in zip(given, counts, before, strict=True)
        ]
        cache["lengths"] = after = self.append(cache["vectors"], before, counts, np.concatenate(new))
        logits = np.full((len(given), self.vocab_size), np.nan, np.float32)
        for row in np.flatnonzero(counts):
            seen = cache["vectors"][row, : after[row]]
            weights = np.exp(seen @ new[row][-1])
            logits[row] = self._tokens @ (weights @ seen / weights.sum())
        return logits
