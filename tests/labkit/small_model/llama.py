"""A Llama as plain as possible: float64, token by token, every number by its formula, without a cache.

Written from the papers (RMSNorm, RoPE, SwiGLU) and from how Hugging Face's ``LlamaForCausalLM`` pairs the numbers that
a position turns: j with j + head_dim / 2.
"""

import math

import numpy as np


def logits(weights, config, ids):
    """Return ``float64[k, V]``: the logits after each of the k tokens."""
    layer = [_vector(weights["model.embed_tokens.weight"][i]) for i in ids]
    for number in range(config.n_layers):
        named = {
            name.removeprefix(f"model.layers.{number}.").removesuffix(".weight"): _vector(array)
            for name, array in weights.items()
            if name.startswith(f"model.layers.{number}.")
        }
        layer = _layer(named, config, layer)
    embedding, scale = (_vector(weights[f"model.{name}.weight"]) for name in ("embed_tokens", "norm"))
    return np.array([embedding @ _rms_norm(x, scale, config) for x in layer])


def _vector(array):
    return np.asarray(array, np.float64)


def _layer(named, config, xs):
    normed = [_rms_norm(x, named["input_layernorm"], config) for x in xs]
    q, k, v = ([_heads(named[f"self_attn.{p}_proj"] @ x, config) for x in normed] for p in "qkv")
    q, k = ([[_turned(head, at, config) for head in heads] for at, heads in enumerate(each)] for each in (q, k))
    after = []
    for at, x in enumerate(xs):
        keys, values = ([[heads[h] for heads in each[: at + 1]] for h in range(config.n_heads)] for each in (k, v))
        mixed = list(map(_attended, q[at], keys, values))
        x = x + named["self_attn.o_proj"] @ np.concatenate(mixed)
        after.append(x + _mlp(named, _rms_norm(x, named["post_attention_layernorm"], config)))
    return after


def _rms_norm(x, scale, config):
    return scale * x / math.sqrt(sum(value * value for value in x) / len(x) + config.norm_eps)


def _heads(x, config):
    size = config.d_model // config.n_heads
    return [x[start : start + size] for start in range(0, len(x), size)]


def _turned(head, position, config):
    half, turned = len(head) // 2, np.empty(len(head))
    for j in range(half):
        angle = position / config.rope_theta ** (2 * j / len(head))
        turned[j] = head[j] * math.cos(angle) - head[j + half] * math.sin(angle)
        turned[j + half] = head[j + half] * math.cos(angle) + head[j] * math.sin(angle)
    return turned


def _attended(query, keys, values):
    weights = [math.exp(sum(query * key) / math.sqrt(len(query))) for key in keys]
    return sum(weight * value for weight, value in zip(weights, values, strict=True)) / sum(weights)


def _mlp(named, x):
    gate, up = named["mlp.gate_proj"] @ x, named["mlp.up_proj"] @ x
    return named["mlp.down_proj"] @ (gate / (1 + np.exp(-gate)) * up)
