"""The bench of lab 12 beside other engines: its texts, and who takes part. No figure is judged."""

import json

import numpy as np
import pytest

from labkit.bench import Setting
from labkit.small_model.tokenizer import Tokenizer
from labs.lab_12_pushdown import bench

SMALL = Tokenizer.load().vocabulary


@pytest.mark.parametrize(("text", "end"), [("a document", ""), ("in a string", '"]')])
def test_the_texts_are_json_and_ours_reads_them_to_their_ends(text, end):
    json.loads(bench.WALKS[text] + end)
    words = np.zeros((1, -(-len(SMALL) // 32)), np.int32)
    step = bench._ours(SMALL, words)()()
    tokens = bench.longest_tokens(SMALL, (bench.WALKS[text] + end).encode())
    for token_id in tokens:
        assert step(token_id) and words[0, token_id // 32] >> token_id % 32 & 1
    with pytest.raises(ValueError, match="not allowed"):
        step(tokens[0])


def fake(accepts):
    """Return an engine of the bench whose requests read every token, or none."""
    return lambda vocabulary, words: lambda: lambda: lambda token_id: accepts


def test_engines_take_part_where_they_are_installed(monkeypatch):
    """One that takes all of JSON walks both texts too; one that refuses a token is an error."""
    engines = {"deep": ("numpy", True), "flat": ("numpy", False), "absent": ("no_such_module", True)}
    table = {name: (fake(True), (module,), walks) for name, (module, walks) in engines.items()}
    monkeypatch.setattr(bench, "ENGINES", table)
    setting = Setting(SMALL.texts(), (), SMALL)
    made = [make() for make in list(bench.cases(setting))[len(bench.TEXTS) :]]
    assert [case.pattern for case in made] == ["deep"] * 3 + ["flat"]
    monkeypatch.setitem(table, "deep", (fake(False), ("numpy",), True))
    with pytest.raises(AssertionError, match="refuses a token"):
        bench._walk(SMALL, "deep", "in a string")
