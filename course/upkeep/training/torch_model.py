"""The small model in PyTorch, for training alone. Its parameters have the names of the weights that labkit reads."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from labkit.small_model.config import ModelConfig


def rotary(config: ModelConfig) -> tuple[Tensor, Tensor]:
    """Return cosines and sines, each ``[max_positions, head_dim]``; the two halves of a head turn together."""
    half = torch.arange(0, config.head_dim, 2).float() / config.head_dim
    angles = torch.outer(torch.arange(config.max_positions).float(), config.rope_theta**-half)
    both = torch.cat([angles, angles], dim=-1)
    return both.cos(), both.sin()


def turned(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Return each pair of numbers of a head, turned by its position's angle."""
    first, second = x.chunk(2, dim=-1)
    return x * cos + torch.cat([-second, first], dim=-1) * sin


class Attention(nn.Module):
    """Causal self-attention with rotary positions."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.n_heads = config.n_heads
        width = config.d_model
        self.q_proj, self.k_proj, self.v_proj, self.o_proj = (nn.Linear(width, width, bias=False) for _ in range(4))

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        """Map ``x[batch, length, width]`` to the same shape."""
        heads = (*x.shape[:2], self.n_heads, -1)
        q, k, v = (project(x).view(heads).transpose(1, 2) for project in (self.q_proj, self.k_proj, self.v_proj))
        mixed = functional.scaled_dot_product_attention(turned(q, cos, sin), turned(k, cos, sin), v, is_causal=True)
        return self.o_proj(mixed.transpose(1, 2).reshape(x.shape))


class MLP(nn.Module):
    """SwiGLU: one projection gates the other."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.gate_proj = nn.Linear(config.d_model, config.d_ff, bias=False)
        self.up_proj = nn.Linear(config.d_model, config.d_ff, bias=False)
        self.down_proj = nn.Linear(config.d_ff, config.d_model, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Map ``x[..., width]`` to the same shape."""
        return self.down_proj(functional.silu(self.gate_proj(x)) * self.up_proj(x))


class TorchLayer(nn.Module):
    """Attention, then MLP, each on a normed copy and added back."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.input_layernorm = nn.RMSNorm(config.d_model, eps=config.norm_eps)
        self.self_attn = Attention(config)
        self.post_attention_layernorm = nn.RMSNorm(config.d_model, eps=config.norm_eps)
        self.mlp = MLP(config)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        """Map ``x[batch, length, width]`` to the same shape."""
        x = x + self.self_attn(self.input_layernorm(x), cos, sin)
        return x + self.mlp(self.post_attention_layernorm(x))


class Llama(nn.Module):
    """The whole model; the embedding is the output layer too."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.model = nn.ModuleDict(
            {
                "embed_tokens": nn.Embedding(config.vocab_size, config.d_model),
                "layers": nn.ModuleList(TorchLayer(config) for _ in range(config.n_layers)),
                "norm": nn.RMSNorm(config.d_model, eps=config.norm_eps),
            }
        )
        self.config = config
        self.cos, self.sin = rotary(config)
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                # Layers that write to the residual stream begin smaller, by their number: GPT-2's rule.
                shrink = (2 * config.n_layers) ** -0.5 if name.endswith(("o_proj.weight", "down_proj.weight")) else 1
                nn.init.normal_(weight, std=0.02 * shrink if "embed" in name else shrink / weight.shape[1] ** 0.5 / 2)

    def forward(self, ids: Tensor) -> Tensor:
        """Map ``ids int64[batch, length]`` to logits ``float32[batch, length, V]``."""
        x = self.model["embed_tokens"](ids)
        cos, sin = self.cos[: ids.shape[1]], self.sin[: ids.shape[1]]
        for layer in self.model["layers"]:
            x = layer(x, cos, sin)
        return self.model["norm"](x) @ self.model["embed_tokens"].weight.T

    def parts(self) -> tuple[list[nn.Parameter], list[nn.Parameter]]:
        """Return the matrices inside the layers; the embedding and the norms' scales."""
        inner = [weight for name, weight in self.named_parameters() if weight.dim() == 2 and "embed" not in name]
        others = [weight for name, weight in self.named_parameters() if weight.dim() != 2 or "embed" in name]
        return inner, others
