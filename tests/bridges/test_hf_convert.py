"""The folder that ``python3 -m course export-hf`` writes, read without the libraries that it is for."""

import json
import sys

import numpy as np
import pytest

from bridges.hf import convert
from bridges.llama_cpp import convert as gguf
from labkit.small_model import CONFIG, BadWeights, ModelConfig, load_weights, random_weights
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import DATA
from tests.bridges.extras import needs_safetensors
from tests.runs import run_course

FILES = ["config.json", "generation_config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"]


def read_safetensors(path):
    """Read a file by the format's description: the length of a JSON header in 8 bytes, the header, the arrays."""
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    header, body = json.loads(data[8 : 8 + size]), data[8 + size :]
    metadata = header.pop("__metadata__")
    types = {"F16": "<f2", "F32": "<f4"}
    arrays = {
        name: np.frombuffer(body[slice(*each["data_offsets"])], types[each["dtype"]]).reshape(each["shape"])
        for name, each in header.items()
    }
    return metadata, arrays


@needs_safetensors
@pytest.mark.parametrize("checkpoint", ["early", "final"])
@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_the_weights_are_the_checkpoints(tmp_path, checkpoint, dtype):
    assert [path.name for path in convert.export(tmp_path / "a" / "b", checkpoint, dtype)] == FILES
    metadata, arrays = read_safetensors(tmp_path / "a" / "b" / "model.safetensors")
    weights = load_weights(DATA / f"{checkpoint}.npz")
    assert metadata == {"format": "pt"} and arrays.keys() == weights.keys()
    for name, array in arrays.items():
        assert array.dtype == dtype and np.array_equal(array, weights[name])
    assert json.loads((tmp_path / "a" / "b" / "config.json").read_text())["dtype"] == dtype


@needs_safetensors
def test_a_file_of_weights_is_a_checkpoint_too(tmp_path):
    path = tmp_path / "mine.npz"
    weights = random_weights(seed=4)
    np.savez(path, **{name: array.astype(np.float16) for name, array in weights.items()})
    convert.export(tmp_path / "out", str(path))
    _, arrays = read_safetensors(tmp_path / "out" / "model.safetensors")
    assert all(np.array_equal(arrays[name], weights[name]) for name in weights)


def test_sizes_are_the_models():
    config = ModelConfig(vocab_size=11, d_model=12, n_layers=2, n_heads=3, d_ff=7, max_positions=100, rope_theta=5.0)
    said = convert.llama_config(config, 10)
    sizes = ("vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads")
    assert [said[name] for name in sizes] == [11, 12, 2, 3, 3]
    assert (said["intermediate_size"], said["head_dim"], said["max_position_embeddings"]) == (7, 4, 100)
    assert said["rope_theta"] == said["rope_parameters"]["rope_theta"] == 5.0 and said["rms_norm_eps"] == 1e-5
    assert said["eos_token_id"] == said["pad_token_id"] == 10 and said["dtype"] == "float32"


# Bad input ----------------------------------------------------------------------------------------------


def test_what_is_there_already_is_not_written_to(tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ValueError, match="full holds something already"):
        convert.export(tmp_path / "full", "early")
    with pytest.raises(ValueError, match="file is no folder"):
        convert.export(tmp_path / "file", "early")
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["notes.txt"]


@needs_safetensors
def test_the_command(tmp_path, monkeypatch, capsys):
    command = ("export-hf", str(tmp_path / "out"), "--checkpoint", "early")
    status, printed, _ = run_course(monkeypatch, capsys, *command)
    assert not status and all(f"{name} (" in printed for name in FILES) and printed.count("wrote ") == 5
    status, _, said = run_course(monkeypatch, capsys, *command)
    assert status == 2 and "error: " in said


@pytest.mark.parametrize(
    ("made", "package", "name"), [(convert, "safetensors.numpy", "hf"), (gguf, "gguf", "llama_cpp")], ids=["hf", "gguf"]
)
def test_bad_input_is_refused_before_anything_is_written(tmp_path, monkeypatch, made, package, name):
    out, small = tmp_path / "out" / "x", ModelConfig(vocab_size=1000)
    with pytest.raises(BadWeights, match=r"nowhere\.npz: No such file or directory; expected an npz"):
        made.export(out, str(tmp_path / "nowhere.npz"))
    with pytest.raises(ValueError, match="the dtype has to be float16 or float32, not 'int8'"):
        made.export(out, "early", "int8")
    with pytest.raises(ValueError, match="1024 tokens for a model with a vocabulary of 1000"):
        made.write(out, random_weights(small), small, Tokenizer.load(), "float32")
    monkeypatch.setitem(sys.modules, package, None)
    package = package.partition(".")[0]
    with pytest.raises(ValueError, match=rf"{package} is not installed; .*-r requirements/{name}\.txt -c constraints"):
        made.write(out, random_weights(), CONFIG, Tokenizer.load(), "float32")
    assert not out.parent.exists()
