"""The small model: a Llama in NumPy, for any number of requests at once, each at its own position."""

from functools import cache
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from threadpoolctl import ThreadpoolController

from labkit.small_model.attention import attend
from labkit.small_model.config import CONFIG, ModelConfig
from labkit.small_model.kv_cache import KvCache
from labkit.small_model.layers import Layer, after_norm, make_layer, rotations
from labkit.small_model.steps import ForwardStep, plan
from labkit.small_model.weights import Weights, check_weights, load_weights

Floats = NDArray[np.float32]

DATA = Path(__file__).parent / "data"
Checkpoint = Literal["final", "early", "agent"]
"""The weights that the course has."""

_FEW = 16
"""Up to so many rows a product is computed row by row, as many products of a vector: for a product of two rows or more
BLAS first copies the whole matrix into another order, which takes as long as fifteen rows."""


def path_of(which: Checkpoint | str | Path) -> str | Path:
    """Return the file of a checkpoint, or the path of another one as it is.

    >>> path_of("early") == DATA / "early.npz", path_of("my.npz")
    (True, 'my.npz')
    """
    return DATA / f"{which}.npz" if which in get_args(Checkpoint) else which


@cache
def _blas() -> ThreadpoolController:
    """Return NumPy's matrix library, which is found when a step first needs it: a sandbox may forbid to look.

    Its threads wait for each other after each of these small products: on two busy cores, the median step of 32 rows
    took 170 ms with two threads and 10 ms with one.
    """
    return ThreadpoolController()


class SmallModel:
    """A decoder-only transformer: embedding, layers of attention and MLP, and the embedding again as the output.

    Args:
        weights: float16 or float32 arrays under the names that `weight_shapes` lists.
        config: the model's sizes.

    Raises:
        BadWeights: if the weights do not fit such a model.

    >>> from labkit.small_model.weights import random_weights
    >>> model = SmallModel(random_weights())
    >>> cache = model.new_cache()
    >>> model.forward([[72, 105]], cache).shape, cache.lengths.tolist()
    ((1, 1024), [2])
    """

    def __init__(self, weights: Weights, config: ModelConfig = CONFIG, source: str = "the weights") -> None:
        weights = check_weights(weights, config, source)
        self.config = config
        self._embedding = weights["model.embed_tokens.weight"]
        self._layers = [make_layer(weights, config, number) for number in range(config.n_layers)]
        self._output = after_norm(weights["model.norm.weight"], self._embedding)
        self._rotations = rotations(config)

    @classmethod
    def load(cls, which: Checkpoint | str | Path = "final", config: ModelConfig = CONFIG) -> "SmallModel":
        """Return a checkpoint, or the model of a file: ``early`` still makes many mistakes, ``agent`` runs an agent.

        Raises:
            BadWeights: if the file is missing, or does not hold such a model.
        """
        path = path_of(which)
        return cls(load_weights(path, config), config, str(path))

    def new_cache(self, batch: int = 1) -> KvCache:
        """Return an empty cache for a batch of requests.

        Raises:
            ValueError: if ``batch`` is below 1.
        """
        return KvCache(self.config, batch)

    def forward(
        self,
        tokens: ArrayLike,
        cache: KvCache,
        lengths: ArrayLike | None = None,
        every: bool = False,
        last: ArrayLike | None = None,
    ) -> Floats:
        """Read new tokens after those in the cache, append them to it, and score what may come next.

        One token a row is a decoding step, many are a prefill; a batch may do both. An error leaves the cache as it
        was.

        Args:
            tokens: ``int[B, k]``: a row for each row of the cache, padded on the right with anything.
            lengths: ``int[B]``: how many of each row's k tokens are real; 0 for a row that skips this step. None if
                all are.
            every: score what may come after each token, not only after the last of each row.
            last: ``int[B]``: score what may come after so many of each row's last tokens, as drafts need it.

        Returns:
            Logits, ``float32[B, V]``, those after each row's last real token; with ``every``, ``float32[B, k, V]``.
            NaN for a row that skips the step, and for padding. With ``last``, ``float32[sum(last), V]``: those of the
            first row, then those of the second, and so on. A row's logits depend on its own tokens alone, except
            for rounding: a batch of another shape adds up in another order.

        Raises:
            ValueError: if a row would hold more tokens than the model has positions, an id lies outside the
                vocabulary, or the shapes do not fit the cache.
        """
        step = plan(tokens, lengths, cache, self.config)
        cache.reserve(step.longest)
        with _blas().limit(limits=1, user_api="blas"):
            x = self._through_layers(step, cache)
            logits = self._logits(x, step, every, last)
        cache.lengths[:] = step.lengths
        return logits

    def _through_layers(self, step: ForwardStep, cache: KvCache) -> Floats:
        """Return the new tokens after the last layer, ``[N, d_model]``; their keys and values go into the cache."""
        x = self._embedding[step.tokens]
        turns = self._rotations[step.positions][:, None, None]
        for number, layer in enumerate(self._layers):
            x += self._attention(layer, self._normed(x), turns, cache.keys[number], cache.values[number], step)
            x += _mlp(layer, self._normed(x))
        return x

    def _attention(
        self, layer: Layer, x: Floats, turns: NDArray[np.complex64], keys: Floats, values: Floats, step: ForwardStep
    ) -> Floats:
        """Return the attention of ``x``, ``[N, d_model]``, to its rows; the new keys and values go into the cache."""
        qkv = _times(x, layer.qkv).reshape(len(x), 3, self.config.n_heads, self.config.head_dim)
        # Each pair of numbers is read as one complex number, which its position rotates.
        pairs = qkv[:, :2].view(np.complex64)
        pairs *= turns
        keys[step.rows, :, step.positions] = qkv[:, 1]
        values[step.rows, :, step.positions] = qkv[:, 2]
        mixed: Floats = _times(attend(qkv[:, 0], keys, values, step).reshape(x.shape), layer.out)
        return mixed

    def _normed(self, x: Floats) -> Floats:
        """Return the RMSNorm of ``x`` without its scale, which the matrix after it holds."""
        mean_square = np.vecdot(x, x)[:, None] / self.config.d_model
        scaled: Floats = x / np.sqrt(mean_square + self.config.norm_eps)
        return scaled

    def _logits(self, x: Floats, step: ForwardStep, every: bool, last: ArrayLike | None) -> Floats:
        """Return the logits that the caller asked for, in the caller's shape."""
        if last is not None:
            first = step.counts - np.asarray(last, np.intp)
            return _times(self._normed(x[step.columns >= first[step.rows]]), self._output)
        if step.one_each and not every:
            return _times(self._normed(x), self._output)
        # Compute only what is wanted, and leave NaN where a row has no token.
        rows = np.flatnonzero(step.counts)
        wanted = slice(None) if every else step.ends[rows] - 1
        place = (step.rows, step.columns) if every else rows
        shape = (len(step.counts), step.width) if every else (len(step.counts),)
        logits = np.full((*shape, self.config.vocab_size), np.nan, np.float32)
        logits[place] = _times(self._normed(x[wanted]), self._output)
        return logits


def _mlp(layer: Layer, x: Floats) -> Floats:
    """Return ``down(silu(gate(x)) * up(x))``, with SiLU computed by tanh, which never overflows."""
    gate_up = _times(x, layer.gate_up)
    half, up = gate_up[:, : len(layer.down)], gate_up[:, len(layer.down) :]
    gate: Floats = np.tanh(half)
    gate += 1
    gate *= half
    gate *= up
    return _times(gate, layer.down)


def _times(x: Floats, matrix: Floats) -> Floats:
    """Return ``x @ matrix``, by the faster method."""
    product: Floats = (x[:, None] @ matrix)[:, 0] if 1 < len(x) <= _FEW else x @ matrix
    return product
