"""What ``export-hf`` writes, read by the library of the format."""

import json
import sys

import numpy as np
import pytest

from bridges.hf import convert as hf
from labkit.small_model import CONFIG, BadWeights, ModelConfig, load_weights, random_weights
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import DATA
from tests.bridges.extras import needs_safetensors
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


# The commands, and bad input ----------------------------------------------------------------------------


@needs_safetensors
def test_the_command_writes_once(tmp_path, monkeypatch, capsys):
    command = ("export-hf", str(tmp_path / "out"), "--checkpoint", "early")
    status, printed, _ = run_course(monkeypatch, capsys, *command)
    assert not status and printed.count(" bytes)") == len(FILES) and all(f"{file} (" in printed for file in FILES)
    status, _, said = run_course(monkeypatch, capsys, *command)
    assert status == 2 and "error: " in said


def test_what_is_there_already_is_not_written_to(tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for name, said in (("full", "holds something already"), ("file", "is no folder")):
        with pytest.raises(ValueError, match=f"{name} {said}"):
            hf.export(tmp_path / name, "early")
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["notes.txt"]
    assert (tmp_path / "file").read_text() == "mine"


def test_bad_input_is_refused_before_anything_is_written(tmp_path, monkeypatch):
    out, small = tmp_path / "out" / "x", ModelConfig(vocab_size=1000)
    with pytest.raises(BadWeights, match=r"nowhere\.npz: No such file or directory; expected an npz"):
        hf.export(out, str(tmp_path / "nowhere.npz"))
    with pytest.raises(ValueError, match="the dtype has to be float16 or float32, not 'int8'"):
        hf.export(out, "early", "int8")
    with pytest.raises(ValueError, match="1024 tokens for a model with a vocabulary of 1000"):
        hf.write(out, random_weights(small), small, OURS, "float32")
    monkeypatch.setitem(sys.modules, "safetensors.numpy", None)
    with pytest.raises(ValueError, match=r"safetensors is not installed; .*-r requirements/hf\.txt -c constraint"):
        hf.write(out, random_weights(), CONFIG, OURS, "float32")
    assert not out.parent.exists()
