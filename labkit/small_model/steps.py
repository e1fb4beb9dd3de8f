"""The work of one forward pass: the new tokens of a batch, one row after the other without padding."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labkit.small_model.config import ModelConfig
from labkit.small_model.kv_cache import KvCache

Ints = NDArray[np.intp]
Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class ForwardStep:
    """N new tokens for B rows.

    Args:
        tokens: ``intp[N]``: their ids, row by row.
        starts: ``intp[B]``: how many tokens each row held before.
        counts: ``intp[B]``: how many new ones each row gets.
        width: k, the number of columns that the caller gave.
    """

    tokens: Ints
    starts: Ints
    counts: Ints
    width: int

    @cached_property
    def rows(self) -> Ints:
        """``intp[N]``: the row of each token.

        >>> ForwardStep(np.array([7, 8, 9]), np.array([5, 0]), np.array([1, 2]), 2).rows.tolist()  # one, and two
        [0, 1, 1]
        """
        return np.repeat(np.arange(len(self.counts)), self.counts)

    @cached_property
    def positions(self) -> Ints:
        """``intp[N]``: the position of each token in its row.

        >>> ForwardStep(np.array([7, 8, 9]), np.array([5, 0]), np.array([1, 2]), 2).positions.tolist()  # 5 came before
        [5, 0, 1]
        """
        if self.one_each:
            return self.starts
        return self.starts[self.rows] + self.columns

    @cached_property
    def columns(self) -> Ints:
        """``intp[N]``: the column of each token in the caller's array."""
        return np.arange(len(self.tokens)) - (self.ends - self.counts)[self.rows]

    @cached_property
    def ends(self) -> Ints:
        """``intp[B]``: where the tokens of each row end among the N.

        >>> ForwardStep(np.array([7, 8, 9]), np.array([5, 0]), np.array([1, 2]), 2).ends.tolist()
        [1, 3]
        """
        return self.counts.cumsum()

    @cached_property
    def lengths(self) -> Ints:
        """``intp[B]``: how many tokens each row holds afterwards."""
        return self.starts + self.counts

    @cached_property
    def longest(self) -> int:
        """The greatest of these lengths."""
        return int(self.lengths.max())

    @cached_property
    def one_each(self) -> bool:
        """Whether every row gets exactly one token: a decoding step, which has a faster method of its own."""
        return bool((self.counts == 1).all())

    @cached_property
    def ones(self) -> Ints:
        """``intp[...]``: the rows with exactly one new token, if they are most of the rows; else none.

        Their attention is computed at once, over all rows of the cache, so it is not worth it for a few.

        >>> ForwardStep(np.array([5, 6, 7, 8]), np.array([3, 2, 0]), np.array([1, 1, 2]), 2).ones.tolist()
        [0, 1]
        """
        found = np.flatnonzero(self.counts == 1)
        return found if 2 * len(found) > len(self.counts) else found[:0]

    @cached_property
    def others(self) -> Ints:
        """``intp[...]``: the rows with new tokens that are not among ``ones``."""
        rest = self.counts > 0
        rest[self.ones] = False
        return np.flatnonzero(rest)

    @cached_property
    def reach(self) -> int:
        """The greatest length of ``ones``."""
        return int(self.lengths[self.ones].max())

    @cached_property
    def unseen(self) -> Floats | None:
        """``float32[B, 1, 1, reach]``: -inf where a row of ``ones`` has no token; None if all have one.

        >>> ForwardStep(np.array([7, 8]), np.array([1, 0]), np.array([1, 1]), 1).unseen.tolist()
        [[[[0.0, 0.0]]], [[[0.0, -inf]]]]
        """
        # A row that takes no part has a token, too: a softmax of nothing would be NaN.
        lengths = self.lengths if self.one_each else np.maximum(self.lengths, 1)
        if (lengths >= self.reach).all():
            return None
        seen = np.arange(self.reach) < lengths[:, None]
        return np.where(seen, np.float32(0), np.float32(-np.inf))[:, None, None]

    @cached_property
    def later(self) -> Floats:
        """``float32[k, k]``: -inf where a new token (row) would attend to a later one (column)."""
        most = int(self.counts.max())
        return np.triu(np.full((most, most), -np.inf, np.float32), 1)


def plan(tokens: ArrayLike, lengths: ArrayLike | None, cache: KvCache, config: ModelConfig) -> ForwardStep:
    """Return the checked step for a caller's tokens; nothing is changed.

    Args:
        tokens: ``int[B, k]``: for each row of the cache its new tokens, padded on the right with anything.
        lengths: ``int[B]``: how many of the k are real, 0 for a row that skips this step; None if all are.

    Raises:
        ValueError: if the shapes do not fit each other, an id lies outside the vocabulary, a row would grow past the
            model's positions, or the cache belongs to a model of other sizes.

    >>> plan([[5, 6], [7, 0]], [2, 1], KvCache(batch=2), ModelConfig()).tokens.tolist()
    [5, 6, 7]
    """
    if cache.config is not config and cache.config != config:
        raise ValueError(f"the cache belongs to another model: {cache.config}, not {config}")
    given = _integers("tokens", tokens)
    if given.ndim != 2 or len(given) != cache.batch or not given.shape[1]:
        raise ValueError(
            f"tokens must have the shape [{cache.batch}, k], a row for each row of the cache and k of at least 1, "
            f"not {list(given.shape)}"
        )
    width = given.shape[1]
    counts = np.full(cache.batch, width) if lengths is None else _counts(lengths, given.shape)
    real = given.ravel() if lengths is None else given[np.arange(width) < counts[:, None]]
    step = ForwardStep(real.astype(np.intp), cache.lengths.copy(), counts, width)
    _check(step, config)
    return step


def _counts(lengths: ArrayLike, shape: tuple[int, ...]) -> Ints:
    counts = _integers("lengths", lengths)
    if counts.shape != shape[:1]:
        raise ValueError(f"lengths must have the shape [{shape[0]}], one for each row, not {list(counts.shape)}")
    if len(wrong := np.flatnonzero((counts < 0) | (counts > shape[1]))):
        raise ValueError(
            f"row {wrong[0]} has {counts[wrong[0]]} real tokens, says lengths; it must be 0 to {shape[1]}, the columns"
        )
    return counts.astype(np.intp)


def _integers(name: str, given: ArrayLike) -> NDArray[np.integer]:
    """Return the numbers as an array; ragged lists and floats are refused."""
    try:
        array = np.asarray(given)
    except ValueError as error:
        raise ValueError(f"{name} must be a rectangle of whole numbers: {error}") from error
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be whole numbers, not {array.dtype}")
    return array


def _check(step: ForwardStep, config: ModelConfig) -> None:
    if step.longest > config.max_positions:
        row = int(step.lengths.argmax())
        raise ValueError(
            f"the context is too long: row {row} would hold {step.longest} tokens "
            f"({step.starts[row]} and {step.counts[row]} more), the model has {config.max_positions} positions"
        )
    # As unsigned numbers negative ids are huge, so one comparison finds both faults.
    if len(step.tokens) and step.tokens.view(np.uintp).max() >= config.vocab_size:
        at = int(np.flatnonzero(step.tokens.view(np.uintp) >= config.vocab_size)[0])
        raise ValueError(
            f"token id {step.tokens[at]} in row {step.rows[at]}, column {step.columns[at]} lies outside the "
            f"vocabulary of {config.vocab_size} tokens"
        )
