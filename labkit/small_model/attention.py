"""Attention of new tokens to everything that their rows hold, for a batch of rows of different lengths."""

from typing import cast

import numpy as np
from numpy.typing import NDArray

from labkit.small_model.steps import ForwardStep

Floats = NDArray[np.float32]


def attend(queries: Floats, keys: Floats, values: Floats, step: ForwardStep) -> Floats:
    """Return for each new token the mean of its row's values, weighted by how well their keys match its query.

    Args:
        queries: ``[N, n_heads, head_dim]``, already divided by the square root of ``head_dim``.
        keys: ``[B, n_heads, capacity, head_dim]``, those of the new tokens included.
        values: likewise.
        step: the row and the position of each token.

    Returns:
        ``float32[N, n_heads, head_dim]``.

    A query that matches all keys equally gets the mean of all values up to its own:

    >>> step = ForwardStep(tokens=np.array([5, 6]), starts=np.array([0]), counts=np.array([2]), width=2)
    >>> values = np.array([[[[1, 10], [3, 30]]]], np.float32)
    >>> attend(np.zeros((2, 1, 2), np.float32), np.zeros_like(values), values, step).tolist()
    [[[1.0, 10.0]], [[2.0, 20.0]]]
    """
    return _one_each(queries, keys, values, step) if step.one_each else _row_by_row(queries, keys, values, step)


def _one_each(queries: Floats, keys: Floats, values: Floats, step: ForwardStep) -> Floats:
    """Compute all rows at once, padded to the longest; the padding of a shorter row gets the weight 0."""
    scores = queries[:, :, None] @ keys[:, :, : step.longest].swapaxes(2, 3)
    if step.unseen is not None:
        scores += step.unseen
    return _weighted(scores, values[:, :, : step.longest])[:, :, 0]


def _row_by_row(queries: Floats, keys: Floats, values: Floats, step: ForwardStep) -> Floats:
    """Compute each row by itself, so that no row pays for the length of another."""
    mixed = np.empty_like(queries)
    for row in np.flatnonzero(step.counts):
        new = slice(step.ends[row] - step.counts[row], step.ends[row])
        start, length, count = step.starts[row], step.lengths[row], step.counts[row]
        scores = queries[new].swapaxes(0, 1) @ keys[row, :, :length].swapaxes(1, 2)
        scores[:, :, start:] += step.later[:count, :count]
        mixed[new] = _weighted(scores, values[row, :, :length]).swapaxes(0, 1)
    return mixed


def _weighted(scores: Floats, values: Floats) -> Floats:
    """Return the softmax of the scores times the values, normalised last because the product is smaller."""
    scores -= np.maximum.reduce(scores, axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    total = np.add.reduce(scores, axis=-1, keepdims=True)
    return cast(Floats, (scores @ values) / total)
