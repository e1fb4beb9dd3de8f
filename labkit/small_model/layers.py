"""The weights of a layer in the form in which they are multiplied: joined, transposed and scaled in advance.

Nothing here changes what the model computes, only where: the scale of a norm goes into the matrix after it, the
factors of attention and of SiLU into the matrices before them, and matrices with the same input become one.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labkit.small_model.config import ModelConfig
from labkit.small_model.weights import Weights

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Layer:
    """The four matrices of a layer, ``float32[in, out]``: a step is ``x @ matrix``.

    Args:
        qkv: ``[d_model, 3 * d_model]``: queries, keys and values of all heads, in this order. Within a head of
            queries or keys, the two numbers that a position rotates together are neighbours.
        out: ``[d_model, d_model]``: from the heads back to the residual stream.
        gate_up: ``[d_model, 2 * d_ff]``: half the gate, and the values that it scales.
        down: ``[d_ff, d_model]``: from the MLP back.
    """

    qkv: Floats
    out: Floats
    gate_up: Floats
    down: Floats


def make_layer(weights: Weights, config: ModelConfig, number: int) -> Layer:
    """Return the matrices of one layer.

    >>> from labkit.small_model.weights import random_weights
    >>> layer = make_layer(random_weights(), ModelConfig(), 0)
    >>> layer.qkv.shape, layer.gate_up.shape
    ((128, 384), (128, 688))
    """

    def named(name: str) -> Floats:
        return weights[f"model.layers.{number}.{name}.weight"]

    query, key, value, out = (named(f"self_attn.{letter}_proj") for letter in "qkvo")
    # A score is a query times a key over the square root of their width.
    query = query / np.float32(np.sqrt(config.head_dim))
    qkv = np.concatenate([_neighbours(query, config), _neighbours(key, config), value])
    # SiLU(x) = x * sigmoid(x) = x/2 * (1 + tanh(x/2)): it needs only the half of x.
    gate_up = np.concatenate([named("mlp.gate_proj") / 2, named("mlp.up_proj")])
    return Layer(
        after_norm(named("input_layernorm"), qkv),
        np.ascontiguousarray(out.T),
        after_norm(named("post_attention_layernorm"), gate_up),
        np.ascontiguousarray(named("mlp.down_proj").T),
    )


def after_norm(scale: Floats, matrix: Floats) -> Floats:
    """Transpose a matrix ``[out, in]`` to ``[in, out]``, and multiply in the scale of the norm before it.

    >>> after_norm(np.array([1, 10], np.float32), np.array([[1, 2], [3, 4], [5, 6]], np.float32)).tolist()
    [[1.0, 3.0, 5.0], [20.0, 40.0, 60.0]]
    """
    return np.ascontiguousarray((matrix * scale).T)


def _neighbours(matrix: Floats, config: ModelConfig) -> Floats:
    """Reorder the rows of each head: j and j + head_dim/2 rotate together, and become 2j and 2j + 1.

    Queries and keys are reordered alike, so their products stay what they were.
    """
    halves = matrix.reshape(config.n_heads, 2, config.head_dim // 2, config.d_model)
    return halves.swapaxes(1, 2).reshape(matrix.shape)


def rotations(config: ModelConfig) -> NDArray[np.complex64]:
    """Return the factors of each position, one for each pair of numbers, as ``complex64[max_positions, head_dim / 2]``.

    Position p rotates pair j by the angle ``p * rope_theta ** (-2j / head_dim)``: Su et al., "RoFormer" (2021). A pair
    read as one complex number is rotated by one multiplication. Angles are in float32, as in training.

    >>> np.angle(rotations(ModelConfig())[:4, 0]).tolist()  # the first pair, by a radian at each position
    [0.0, 1.0, 2.0, 3.0]
    """
    exponents = np.arange(0, config.head_dim, 2) / config.head_dim
    frequencies = (config.rope_theta**-exponents).astype(np.float32)
    angles = np.arange(config.max_positions, dtype=np.float32)[:, None] * frequencies
    turned: NDArray[np.complex64] = np.exp(1j * angles).astype(np.complex64)
    return turned
