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
    if step.one_each:
        return _padded(queries, keys, values, step)
    mixed = np.empty_like(queries)
    if len(step.ones):
        places = step.ends[step.ones] - 1
        spread = np.zeros((len(step.counts), *queries.shape[1:]), np.float32)
        spread[step.ones] = queries[places]
        mixed[places] = _padded(spread, keys, values, step)[step.ones]
    for row in step.others:
        new = slice(step.ends[row] - step.counts[row], step.ends[row])
        mixed[new] = _by_itself(queries[new], keys[row], values[row], step, row)
    return mixed


def _padded(queries: Floats, keys: Floats, values: Floats, step: ForwardStep) -> Floats:
    """Compute one query for every row at once, padded to the longest; the padding has the weight 0."""
    scores = queries[:, :, None] @ keys[:, :, : step.reach].swapaxes(2, 3)
    if step.unseen is not None:
        scores += step.unseen
    return _weighted(scores, values[:, :, : step.reach])[:, :, 0]


def _by_itself(queries: Floats, keys: Floats, values: Floats, step: ForwardStep, row: int) -> Floats:
    """Compute the new tokens of one row, so that it does not pay for the length of another."""
    count = step.counts[row]
    length = step.lengths[row]
    scores = queries.swapaxes(0, 1) @ keys[:, :length].swapaxes(1, 2)
    scores[:, :, length - count :] += step.later[:count, :count]
    return _weighted(scores, values[:, :length]).swapaxes(0, 1)


def _weighted(scores: Floats, values: Floats) -> Floats:
    """Return the softmax of the scores times the values, normalised last because the product is smaller."""
    scores -= np.maximum.reduce(scores, axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    total = np.add.reduce(scores, axis=-1, keepdims=True)
    return cast(Floats, (scores @ values) / total)
