"""The sizes of the small model, and the names and shapes of its weights."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class ModelConfig:
    """The sizes of a Llama: RMSNorm, rotary positions, SwiGLU, no biases, the embedding also used as the output.

    Args:
        vocab_size: V, the number of token ids.
        d_model: the width of the residual stream.
        n_layers: how many layers.
        n_heads: attention heads in each layer; every head has its own keys and values.
        d_ff: the width inside the MLP.
        rope_theta: the base of the rotary angles.
        norm_eps: what RMSNorm adds under the square root.
        max_positions: the longest context, in tokens.

    Raises:
        ValueError: if a size is not a positive whole number, or the heads do not divide the width into even parts.

    >>> ModelConfig().head_dim
    32
    >>> ModelConfig(d_model=100, n_heads=3)
    Traceback (most recent call last):
    ValueError: d_model 100 must be n_heads 3 times an even number: rotary positions turn pairs of numbers
    """

    vocab_size: int = 1024
    d_model: int = 128
    n_layers: int = 4
    n_heads: int = 4
    d_ff: int = 344
    rope_theta: float = 10000.0
    norm_eps: float = 1e-5
    max_positions: int = 1024

    def __post_init__(self) -> None:
        for name in ("vocab_size", "d_model", "n_layers", "n_heads", "d_ff", "max_positions"):
            value = getattr(self, name)
            if not isinstance(value, int) or value < 1:
                raise ValueError(f"{name} must be a whole number of at least 1, not {value!r}")
        for name in ("rope_theta", "norm_eps"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} must be above 0, not {getattr(self, name)!r}")
        if self.d_model % (2 * self.n_heads):
            raise ValueError(
                f"d_model {self.d_model} must be n_heads {self.n_heads} times an even number: "
                "rotary positions turn pairs of numbers"
            )

    @property
    def head_dim(self) -> int:
        """The width of one attention head."""
        return self.d_model // self.n_heads


CONFIG = ModelConfig()
"""The model that the course trains and ships."""


def weight_shapes(config: ModelConfig = CONFIG) -> dict[str, tuple[int, ...]]:
    """Return the names of the weights with their shapes, in the order of a forward pass.

    The names and the layout are those of ``LlamaForCausalLM`` in Hugging Face's transformers: a linear layer is
    ``[out, in]`` and computes ``x @ weight.T``.

    >>> shapes = weight_shapes()
    >>> len(shapes), shapes["model.embed_tokens.weight"], shapes["model.layers.3.mlp.up_proj.weight"]
    (38, (1024, 128), (344, 128))
    """
    return dict(_shapes(config))


def _shapes(config: ModelConfig) -> Iterator[tuple[str, tuple[int, ...]]]:
    width, inner = config.d_model, config.d_ff
    yield "model.embed_tokens.weight", (config.vocab_size, width)
    for layer in range(config.n_layers):
        start = f"model.layers.{layer}."
        yield start + "input_layernorm.weight", (width,)
        for projection in "qkvo":
            yield f"{start}self_attn.{projection}_proj.weight", (width, width)
        yield start + "post_attention_layernorm.weight", (width,)
        yield start + "mlp.gate_proj.weight", (inner, width)
        yield start + "mlp.up_proj.weight", (inner, width)
        yield start + "mlp.down_proj.weight", (width, inner)
    yield "model.norm.weight", (width,)
