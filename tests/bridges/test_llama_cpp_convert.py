"""The file that ``python3 -m course export-gguf`` writes, read by the format's description, without the library."""

import struct

import numpy as np
import pytest

from bridges.hf.tokenizer import characters
from bridges.llama_cpp import convert
from labkit.small_model import CONFIG, ModelConfig, load_weights, random_weights
from labkit.small_model.tokenizer import SPECIAL, Tokenizer
from labkit.small_model.transformer import DATA
from tests.bridges.extras import needs_gguf
from tests.runs import run_course

OURS = Tokenizer.load()
SCALARS = {4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q"}
STRING, ARRAY = 8, 9


class Reader:
    """A GGUF file of version 3: a header, keys with values, where each tensor is, the tensors."""

    def __init__(self, path):
        self.data, self.at = path.read_bytes(), 0
        assert self.data[:4] == b"GGUF" and self.number("<I", 4) == 3
        n_tensors, n_keys = self.number("<Q"), self.number("<Q")
        self.values = {self.text(): self.value(self.number("<I")) for _ in range(n_keys)}
        places = {self.text(): self.place() for _ in range(n_tensors)}
        start = -(-self.at // 32) * 32
        self.tensors = {
            name: np.frombuffer(self.data, dtype, int(np.prod(shape)), start + offset).reshape(shape)
            for name, (shape, dtype, offset) in places.items()
        }

    def number(self, form, skipped=0):
        (found,) = struct.unpack_from(form, self.data, self.at + skipped)
        self.at += skipped + struct.calcsize(form)
        return found

    def text(self):
        size = self.number("<Q")
        self.at += size
        return self.data[self.at - size : self.at].decode()

    def value(self, kind):
        if kind == ARRAY:
            kind, count = self.number("<I"), self.number("<Q")
            return [self.value(kind) for _ in range(count)]
        return self.text() if kind == STRING else self.number(SCALARS[kind])

    def place(self):
        """Return a tensor's shape, which GGUF writes from the last dimension to the first, its dtype and offset."""
        shape = [self.number("<Q") for _ in range(self.number("<I"))]
        return shape[::-1], {0: np.float32, 1: np.float16}[self.number("<I")], self.number("<Q")


NAMES = {
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}


def turned_side_by_side(matrix):
    """Return the rows in the order in which llama.cpp wants those of queries and keys."""
    half, order = CONFIG.head_dim // 2, []
    for head in range(CONFIG.n_heads):
        for j in range(half):
            order += [head * CONFIG.head_dim + j, head * CONFIG.head_dim + j + half]
    return matrix[order]


@needs_gguf
@pytest.mark.parametrize("checkpoint", ["early", "final"])
@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_the_weights_are_the_checkpoints(tmp_path, checkpoint, dtype):
    tensors = Reader(convert.export(tmp_path / "a" / "small.gguf", checkpoint, dtype)).tensors
    weights = load_weights(DATA / f"{checkpoint}.npz")
    expected = {"token_embd": weights["model.embed_tokens.weight"], "output_norm": weights["model.norm.weight"]}
    for number in range(CONFIG.n_layers):
        for ours, theirs in NAMES.items():
            array = weights[f"model.layers.{number}.{ours}.weight"]
            expected[f"blk.{number}.{theirs}"] = turned_side_by_side(array) if theirs[-2:] in ("_q", "_k") else array
    assert tensors.keys() == {f"{name}.weight" for name in expected}
    for name, array in expected.items():
        found = tensors[f"{name}.weight"]
        assert found.dtype == ("float32" if array.ndim == 1 else dtype) and np.array_equal(found, array), name


@needs_gguf
def test_sizes_are_the_models(tmp_path):
    config = ModelConfig(d_model=12, n_layers=2, n_heads=3, d_ff=7, max_positions=100, rope_theta=5.0, norm_eps=0.25)
    convert.write(tmp_path / "x.gguf", random_weights(config), config, OURS, "float32")
    values = Reader(tmp_path / "x.gguf").values
    said = {key.removeprefix("llama."): value for key, value in values.items() if key.startswith("llama.")}
    sizes = {"vocab_size": 1024, "context_length": 100, "embedding_length": 12, "feed_forward_length": 7}
    heads = {"block_count": 2, "attention.head_count": 3, "attention.layer_norm_rms_epsilon": 0.25}
    assert said == sizes | heads | {"rope.dimension_count": 4, "rope.freq_base": 5.0}
    assert values["general.architecture"] == "llama"


@needs_gguf
def test_the_vocabulary_is_written_as_bytes(tmp_path):
    values = Reader(convert.export(tmp_path / "x.gguf", "early")).values
    said = {key.removeprefix("tokenizer.ggml."): value for key, value in values.items() if key.startswith("tokenizer.")}
    byte_of = {character: byte for byte, character in enumerate(characters())}
    written = [bytes(byte_of[character] for character in token) for token in said["tokens"][:1020]]
    assert written == list(OURS.vocabulary.token_bytes[:1020]) and said["tokens"][1020:] == list(SPECIAL)
    assert said["token_type"] == [1] * 1020 + [3] * 4
    pairs = [merge.split(" ") for merge in said["merges"]]
    assert len(pairs) > 764 and {left + right for left, right in pairs} == {*said["tokens"][256:1020]}
    assert (said["eos_token_id"], said["bos_token_id"], said["padding_token_id"]) == (1020, 1021, 1020)
    assert said["model"] == "gpt2" and said["add_bos_token"] is False


# Bad input ----------------------------------------------------------------------------------------------


def test_what_is_there_already_is_not_written_to(tmp_path):
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(ValueError, match="mine is there already"):
        convert.export(tmp_path / "mine")
    assert (tmp_path / "mine").read_text() == "mine"


@needs_gguf
def test_the_command(tmp_path, monkeypatch, capsys):
    path = tmp_path / "x.gguf"
    command = ("export-gguf", str(path), "--checkpoint", "early")
    status, printed, _ = run_course(monkeypatch, capsys, *command)
    assert not status and f"({path.stat().st_size:,} bytes)" in " ".join(printed.split())
    status, _, said = run_course(monkeypatch, capsys, *command)
    assert status == 2 and "error: " in said
