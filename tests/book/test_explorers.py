"""The book's explorers: their data against plain code. ``browser_explorers.py`` has them in a browser."""

import ast
import json
import re

import pytest

from course.play.__main__ import MADE
from course.play.typed import TYPED
from labkit.scenes import VOCABULARY


def data_of(file):
    """What a fragment holds."""
    text = file.read_text(encoding="utf-8")
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', text, re.S)[1])


def test_fragments_are_small_and_ask_nobody(made):
    assert set(made) == {*MADE, *TYPED} >= set(range(1, 15))
    for file in made.values():
        text = file.read_text(encoding="utf-8")
        assert len(text.encode()) < 150_000, file.name
        assert not re.search(
            r"(src|href)=|@import|url\(|fetch\(", re.sub(r"<script type.*?</script>", "", text, flags=re.S)
        )


def test_twenty_runs_end_with_a_match_under_the_mask(made):
    runs = data_of(made[1])["runs"]
    assert len(runs) == 20 and {run["note"] for run in runs} == {"a match", "no match"}
    for run in runs:
        steps, pattern = run["trace"]["steps"], run["trace"]["scene"]["grammar"]
        assert re.fullmatch(pattern, steps[-1]["text"]) and "EOS" in steps[-1]["end"]
        free = "".join(ast.literal_eval(re.sub(r" #\d+$", "", token)) for token in run["free"] if token != "EOS")
        assert free == run["trace"]["scene"]["no_mask"]
        assert bool(re.fullmatch(pattern, run["trace"]["scene"]["no_mask"])) == (run["note"] == "a match")


def test_a_trie_never_looks_up_more_than_token_by_token(made):
    data = data_of(made[3])
    texts = [text for text in VOCABULARY.texts() if text]
    first = data["walks"][0]
    assert first["naive"] == sum(2 if text[0] == "0" and len(text) > 1 else 1 for text in texts) + (
        sum(text.startswith("0x") and len(text) > 2 for text in texts)
    )
    alive = {node for node, is_alive in first["looked"] if is_alive}
    assert {prefix for node, prefix, _ in data["nodes"] if node in alive} == {"'0'", "'0x'"}
    assert all(len(walk["looked"]) <= walk["naive"] for walk in data["walks"])


def test_a_schema_to_start_from_is_json(made):
    for source, text in data_of(made[8])["examples"]:
        schema = json.loads(source)
        assert next(iter(schema["properties"])) in text and {*schema["required"]} < {*schema["properties"]} | {""}


def test_the_chains_are_the_models(made):
    words, hours = data_of(made[13])["models"]
    assert words["rows"] == [[["no", 1, 0.5], ["yes", 2, 0.5]], [["", -1, 1.0]], [["", -1, 0.25]]]
    for model, legal in ((words, 0.625), (hours, 0.5 + 0.5 * 0.4)):
        weight = {-1: 1.0}
        for node, row in reversed([*enumerate(model["rows"])]):
            weight[node] = sum(share * weight[target] for _, target, share in row)
        assert weight[0] == pytest.approx(legal) and weight[model["bent"]] == pytest.approx(1 - model["share"])
