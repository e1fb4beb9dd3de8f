"""The small model as a GGUF file, which llama.cpp loads, with nothing from the network."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridges.hf.convert import read_weights
from bridges.hf.tokenizer import tokenizer_json
from labkit.installing import install_command
from labkit.small_model import CONFIG, ModelConfig, Weights
from labkit.small_model.tokenizer import Tokenizer

NORMAL, CONTROL = 1, 3
"""GGUF's types of tokens that are used here."""


def export(path: Path, checkpoint: str = "final", dtype: str = "float32") -> Path:
    """Write a model with its vocabulary as one GGUF file; return its path.

    Args:
        path: a file that does not exist yet.
        checkpoint: ``"final"``, ``"early"``, ``"agent"``, or the path of an npz with such weights.
        dtype: how matrices are written. llama.cpp rounds what it multiplies to the dtype of the matrix. So float32
            gives the course's logits, and float16, the dtype that the course stores, rounded ones at half the size.

    Raises:
        BadWeights: if the checkpoint is missing or invalid.
        ValueError: if the file exists, the dtype is another one, or gguf is not installed.
    """
    if path.exists():
        raise ValueError(f"{path} is there already: name a file that is not there yet")
    write(path, read_weights(checkpoint, dtype), CONFIG, Tokenizer.load(), dtype)
    return path


def write(path: Path, weights: Weights, config: ModelConfig, tokenizer: Tokenizer, dtype: str) -> None:
    """Write the file of a model with these weights and sizes.

    Raises:
        ValueError: if the model does not have one id for each token, or gguf is not installed.
    """
    if len(tokenizer.vocabulary) != config.vocab_size:
        raise ValueError(f"{len(tokenizer.vocabulary)} tokens for a model with a vocabulary of {config.vocab_size}")
    gguf = _gguf()
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("small")
    _add_sizes(writer, config)
    _add_tokens(writer, tokenizer)
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.LLAMA, config.n_layers)
    for name, array in weights.items():
        if name.endswith(("q_proj.weight", "k_proj.weight")):
            array = interleaved(array, config.n_heads)
        # llama.cpp takes the scales of norms as float32 alone.
        writer.add_tensor(names.get_name(name, (".weight",)), array.astype(dtype if array.ndim == 2 else np.float32))
    path.parent.mkdir(parents=True, exist_ok=True)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def interleaved(matrix: NDArray[Any], n_heads: int) -> NDArray[Any]:
    """Return the matrix of queries or keys with the two numbers that a position turns together side by side.

    The course pairs j with j + head_dim / 2, as transformers does; llama.cpp pairs 2 j with 2 j + 1. Queries and keys
    that are reordered alike have the same products.

    Args:
        matrix: ``[d_model, d_model]``, a row for each number of each head.

    >>> interleaved(np.arange(8).reshape(8, 1), n_heads=2).ravel().tolist()
    [0, 2, 1, 3, 4, 6, 5, 7]
    """
    return matrix.reshape(n_heads, 2, -1, matrix.shape[1]).swapaxes(1, 2).reshape(matrix.shape)


def _add_sizes(writer: Any, config: ModelConfig) -> None:
    writer.add_vocab_size(config.vocab_size)
    writer.add_context_length(config.max_positions)
    writer.add_embedding_length(config.d_model)
    writer.add_feed_forward_length(config.d_ff)
    writer.add_block_count(config.n_layers)
    writer.add_head_count(config.n_heads)
    writer.add_layer_norm_rms_eps(config.norm_eps)
    writer.add_rope_dimension_count(config.head_dim)
    writer.add_rope_freq_base(config.rope_theta)


def _add_tokens(writer: Any, tokenizer: Tokenizer) -> None:
    """Add the vocabulary as GPT-2's: bytes written as characters, and the merges in their order."""
    bpe, special = tokenizer_json(tokenizer)["model"], tokenizer.special_ids
    writer.add_tokenizer_model("gpt2")
    # subtle: GGUF names the pattern that cuts a text, out of a list inside llama.cpp, and ours is not in it.
    writer.add_tokenizer_pre(NEAREST_PATTERN)
    writer.add_token_list([*bpe["vocab"], *special])
    writer.add_token_types([NORMAL] * len(bpe["vocab"]) + [CONTROL] * len(special))
    writer.add_token_merges([" ".join(pair) for pair in bpe["merges"]])
    # Without a BOS llama.cpp would take id 11, a control character. Each prompt begins with this token.
    writer.add_bos_token_id(special["<|user|>"])
    writer.add_add_bos_token(False)
    writer.add_eos_token_id(tokenizer.eos_id)
    writer.add_pad_token_id(tokenizer.eos_id)


NEAREST_PATTERN = "gpt-4o"
"""Of 36 patterns of llama.cpp's list, the one with which most prompts of the training tasks get our ids: 154 of 300."""


def _gguf() -> Any:
    try:
        import gguf
    except ImportError:
        install = install_command(["requirements/llama_cpp.txt"])
        raise ValueError(f"the package gguf is not installed; to install the bridge's packages: {install}") from None
    return gguf
