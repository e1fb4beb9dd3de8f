"""The small model as a folder that Hugging Face's transformers loads, with nothing from the network."""

import json
from pathlib import Path
from typing import Any

from bridges.hf.tokenizer import tokenizer_config, tokenizer_json
from labkit.installing import install_command
from labkit.small_model import CONFIG, ModelConfig, Weights, load_weights
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import path_of


def export(folder: Path, checkpoint: str = "final", dtype: str = "float32") -> list[Path]:
    """Write ``config.json``, ``model.safetensors``, ``generation_config.json``, ``tokenizer.json`` and its settings.

    ``LlamaForCausalLM.from_pretrained(folder)`` and ``AutoTokenizer.from_pretrained(folder)`` load them.

    Args:
        folder: a folder that does not exist yet, or an empty one.
        checkpoint: ``"final"``, ``"early"``, ``"agent"``, or the path of an npz with such weights.
        dtype: how weights are written. The course stores float16 and computes in float32; transformers computes in
            the stored dtype. So float32 gives the course's logits, and float16 half the size.

    Returns:
        The files.

    Raises:
        BadWeights: if the checkpoint is missing or invalid.
        ValueError: if the folder is not empty, the dtype is another one, or safetensors is not installed.
    """
    _require_room(folder)
    return write(folder, read_weights(checkpoint, dtype), CONFIG, Tokenizer.load(), dtype)


def read_weights(checkpoint: str, dtype: str) -> Weights:
    """Return the weights of a checkpoint, which are to be written in a dtype.

    Raises:
        BadWeights, ValueError: see `export`.
    """
    if dtype not in ("float16", "float32"):
        raise ValueError(f"the dtype has to be float16 or float32, not {dtype!r}")
    return load_weights(path_of(checkpoint))


def write(folder: Path, weights: Weights, config: ModelConfig, tokenizer: Tokenizer, dtype: str) -> list[Path]:
    """Write the files of a model with these weights and sizes.

    Raises:
        ValueError: if the model does not have one id for each token, or safetensors is not installed.
    """
    if len(tokenizer.vocabulary) != config.vocab_size:
        raise ValueError(f"{len(tokenizer.vocabulary)} tokens for a model with a vocabulary of {config.vocab_size}")
    contents = {
        "config.json": llama_config(config, tokenizer.eos_id, dtype),
        "generation_config.json": generation_config(tokenizer.eos_id),
        "tokenizer.json": tokenizer_json(tokenizer),
        "tokenizer_config.json": tokenizer_config(tokenizer, config.max_positions),
    }
    save = _saver()
    folder.mkdir(parents=True, exist_ok=True)
    arrays = {name: array.astype(dtype) for name, array in weights.items()}
    (folder / "model.safetensors").write_bytes(save(arrays, {"format": "pt"}))
    for name, content in contents.items():
        text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return sorted(folder.iterdir())


def llama_config(config: ModelConfig, eos_id: int, dtype: str = "float32") -> dict[str, Any]:
    """Return the content of ``config.json``: the sizes, under the names of ``LlamaConfig``.

    The rotary base and the dtype appear twice, since version 5 of transformers renamed both.

    >>> content = llama_config(CONFIG, 1020)
    >>> content["hidden_size"], content["tie_word_embeddings"], content["rope_parameters"]["rope_theta"]
    (128, True, 10000.0)
    """
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": config.vocab_size,
        "hidden_size": config.d_model,
        "intermediate_size": config.d_ff,
        "num_hidden_layers": config.n_layers,
        "num_attention_heads": config.n_heads,
        "num_key_value_heads": config.n_heads,
        "head_dim": config.head_dim,
        "hidden_act": "silu",
        "max_position_embeddings": config.max_positions,
        "rms_norm_eps": config.norm_eps,
        "rope_parameters": {"rope_type": "default", "rope_theta": config.rope_theta},
        "rope_theta": config.rope_theta,
        "attention_bias": False,
        "mlp_bias": False,
        "tie_word_embeddings": True,
        "bos_token_id": None,
        "eos_token_id": eos_id,
        "pad_token_id": eos_id,
        "dtype": dtype,
        "torch_dtype": dtype,
    }


def generation_config(eos_id: int) -> dict[str, Any]:
    """Return the content of ``generation_config.json``: sample as the course does, from all tokens.

    Without it transformers would sample from the 50 most likely tokens alone.

    >>> generation_config(1020)["top_k"]  # 0 is no limit
    0
    """
    ids = {"bos_token_id": None, "eos_token_id": eos_id, "pad_token_id": eos_id}
    return {**ids, "do_sample": True, "temperature": 1.0, "top_k": 0, "top_p": 1.0}


def _require_room(folder: Path) -> None:
    if folder.is_dir() and any(folder.iterdir()):
        raise ValueError(f"{folder} holds something already: name a folder that is not there yet, or an empty one")
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"{folder} is no folder")


def _saver() -> Any:
    try:
        from safetensors.numpy import save
    except ImportError:
        install = install_command(["requirements/hf.txt"])
        raise ValueError(
            f"the package safetensors is not installed; to install the bridge's packages: {install}"
        ) from None
    return save
