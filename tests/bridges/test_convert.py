"""What ``export-hf`` and ``export-gguf`` write, read by the libraries of the two formats."""

import json
import sys

import numpy as np
import pytest

from bridges.hf import convert as hf
from bridges.hf.tokenizer import characters
from bridges.llama_cpp import convert as llama_cpp
from labkit.small_model import CONFIG, BadWeights, ModelConfig, load_weights, random_weights
from labkit.small_model.tokenizer import SPECIAL, Tokenizer
from labkit.small_model.transformer import DATA
from tests.bridges.extras import needs_gguf, needs_safetensors
from tests.runs import run_course

OURS = Tokenizer.load()
FILES = ["config.json", "generation_config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"]
BOTH = pytest.mark.parametrize(("checkpoint", "dtype"), [("early", "float16"), ("final", "float32")])


@needs_safetensors
@BOTH
def test_the_folders_weights_are_the_checkpoints(tmp_path, checkpoint, dtype):
    from safetensors import safe_open

    folder, weights = tmp_path / "a" / "b", load_weights(DATA / f"{checkpoint}.npz")
    assert [path.name for path in hf.export(folder, checkpoint, dtype)] == FILES
    with safe_open(folder / "model.safetensors", "numpy") as file:
        assert file.metadata() == {"format": "pt"} and {*file.keys()} == {*weights}
        for name, array in weights.items():
            assert file.get_tensor(name).dtype == dtype and np.array_equal(file.get_tensor(name), array)
    assert json.loads((folder / "config.json").read_text())["dtype"] == dtype


# GGUF ---------------------------------------------------------------------------------------------------

NAMES = {"input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k"}
NAMES |= {"self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output", "post_attention_layernorm": "ffn_norm"}
NAMES |= {"mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down"}


def turned_side_by_side(matrix):
    """Return the rows in the order in which llama.cpp wants those of queries and keys."""
    half = CONFIG.head_dim // 2
    heads = range(0, CONFIG.d_model, CONFIG.head_dim)
    return matrix[[row for head in heads for j in range(head, head + half) for row in (j, j + half)]]


def values_of(path, prefix):
    from gguf import GGUFReader

    fields = GGUFReader(path).fields
    return {name.removeprefix(prefix): each.contents() for name, each in fields.items() if name.startswith(prefix)}


@needs_gguf
@BOTH
def test_the_files_weights_are_the_checkpoints(tmp_path, checkpoint, dtype):
    from gguf import GGUFReader

    found = GGUFReader(llama_cpp.export(tmp_path / "a" / "small.gguf", checkpoint, dtype)).tensors
    weights = load_weights(DATA / f"{checkpoint}.npz")
    expected = {"token_embd": weights["model.embed_tokens.weight"], "output_norm": weights["model.norm.weight"]}
    for number in range(CONFIG.n_layers):
        for ours, theirs in NAMES.items():
            array = weights[f"model.layers.{number}.{ours}.weight"]
            expected[f"blk.{number}.{theirs}"] = turned_side_by_side(array) if theirs[-2:] in ("_q", "_k") else array
    assert {each.name for each in found} == {f"{name}.weight" for name in expected}
    for each in found:
        array = expected[each.name.removesuffix(".weight")]
        assert each.data.dtype == ("float32" if array.ndim == 1 else dtype) and np.array_equal(each.data, array)


@needs_gguf
def test_the_files_sizes_are_the_models(tmp_path):
    config = ModelConfig(d_model=12, n_layers=2, n_heads=3, d_ff=7, max_positions=100, rope_theta=5.0, norm_eps=0.25)
    llama_cpp.write(tmp_path / "x.gguf", random_weights(config), config, OURS, "float32")
    sizes = {"vocab_size": 1024, "context_length": 100, "embedding_length": 12, "feed_forward_length": 7}
    heads = {"block_count": 2, "attention.head_count": 3, "attention.layer_norm_rms_epsilon": 0.25}
    rope = {"rope.dimension_count": 4, "rope.freq_base": 5.0}
    assert values_of(tmp_path / "x.gguf", "llama.") == sizes | heads | rope
    assert values_of(tmp_path / "x.gguf", "general.architecture") == {"": "llama"}


@needs_gguf
def test_the_files_vocabulary_is_written_as_bytes(tmp_path):
    said = values_of(llama_cpp.export(tmp_path / "x.gguf", "early"), "tokenizer.ggml.")
    byte_of = {character: byte for byte, character in enumerate(characters())}
    written = [bytes(byte_of[character] for character in token) for token in said["tokens"][:1020]]
    assert written == list(OURS.vocabulary.token_bytes[:1020]) and said["tokens"][1020:] == list(SPECIAL)
    assert said["token_type"] == [1] * 1020 + [3] * 4
    pairs = [merge.split(" ") for merge in said["merges"]]
    assert len(pairs) > 764 and {left + right for left, right in pairs} == {*said["tokens"][256:1020]}
    assert (said["eos_token_id"], said["bos_token_id"], said["padding_token_id"]) == (1020, 1021, 1020)
    assert said["model"] == "gpt2" and said["add_bos_token"] is False


# The commands, and bad input ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "files"),
    [pytest.param("hf", FILES, marks=needs_safetensors), pytest.param("gguf", ["out"], marks=needs_gguf)],
)
def test_the_command_writes_once(tmp_path, monkeypatch, capsys, name, files):
    command = (f"export-{name}", str(tmp_path / "out"), "--checkpoint", "early")
    status, printed, _ = run_course(monkeypatch, capsys, *command)
    assert not status and printed.count(" bytes)") == len(files) and all(f"{file} (" in printed for file in files)
    status, _, said = run_course(monkeypatch, capsys, *command)
    assert status == 2 and "error: " in said


def test_what_is_there_already_is_not_written_to(tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for export, name, said in (
        (hf.export, "full", "holds something already"),
        (hf.export, "file", "is no folder"),
        (llama_cpp.export, "file", "is there already"),
    ):
        with pytest.raises(ValueError, match=f"{name} {said}"):
            export(tmp_path / name, "early")
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["notes.txt"]
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize(("made", "package"), [(hf, "safetensors.numpy"), (llama_cpp, "gguf")], ids=["hf", "gguf"])
def test_bad_input_is_refused_before_anything_is_written(tmp_path, monkeypatch, made, package):
    out, small = tmp_path / "out" / "x", ModelConfig(vocab_size=1000)
    with pytest.raises(BadWeights, match=r"nowhere\.npz: No such file or directory; expected an npz"):
        made.export(out, str(tmp_path / "nowhere.npz"))
    with pytest.raises(ValueError, match="the dtype has to be float16 or float32, not 'int8'"):
        made.export(out, "early", "int8")
    with pytest.raises(ValueError, match="1024 tokens for a model with a vocabulary of 1000"):
        made.write(out, random_weights(small), small, OURS, "float32")
    monkeypatch.setitem(sys.modules, package, None)
    package, bridge = package.partition(".")[0], made.__package__.removeprefix("bridges.")
    with pytest.raises(ValueError, match=rf"{package} is not installed; .*-r requirements/{bridge}\.txt -c constraint"):
        made.write(out, random_weights(), CONFIG, OURS, "float32")
    assert not out.parent.exists()
