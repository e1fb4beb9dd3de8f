"""The engines behind one interface, on a few tokens; and the labs' own sources, which come before MaskBench's."""

import io
import json
import re

import jsonschema
import numpy as np
import pytest
from rich.console import Console

from course.showcase.bench import adapters
from course.showcase.bench.adapters import Buffer, MaskEngine, Walk
from course.showcase.bench.maskbench import run_maskbench
from course.showcase.bench.sources import FIGURES, SOURCES, run_sources
from labkit.vocabulary import Vocabulary
from tests.bridges.extras import needs

BYTES = Vocabulary.bytes()
TWINS = Vocabulary([b"a", b"b", b"ab", b"c", b"a", b"b", b"</s>"], eos_id=6, special_ids=[5])
EXTRAS = {"ours": (), "xgrammar": ("xgrammar", "torch"), "llguidance": ("llguidance",)}
INSTALLED = [pytest.param(name, marks=needs(*EXTRAS[name], extra="requirements/bench.txt")) for name in EXTRAS]


def encode(text):
    return list(text.encode())


@pytest.mark.parametrize("name", INSTALLED)
def test_an_engine_masks_and_walks_through_its_adapter(name):
    """All ids of equal bytes, no special token like one of them; a token that is refused is not consumed."""
    engine, buffer = getattr(adapters, name)(TWINS, encode), Buffer(7)
    walk, found = engine.compile("(ab|a)c?")(buffer), []
    for token_id in (0, 3, None):
        walk.fill()
        found.append({*np.flatnonzero(buffer.bits()).tolist()})
        if token_id is not None:
            assert name == "ours" or walk.advance(5) is False
            assert walk.advance(token_id) is True
    assert found == [{0, 2, 4}, {1, 3, 6}, {6}]
    with pytest.raises((ValueError, RuntimeError)):
        engine.compile("(")


def test_the_texts_match_their_sources():
    for language, text in SOURCES.values():
        if isinstance(language, str):
            assert re.fullmatch(language, text)
        else:
            jsonschema.validate(json.loads(text), language, jsonschema.Draft202012Validator)


def test_the_sources_alone_need_no_checkout(tmp_path):
    out = io.StringIO()
    console = Console(file=out, width=150)
    assert run_maskbench(console, None, tmp_path / "results.jsonl", vocabulary=BYTES, encode=encode) == []
    text = out.getvalue()
    assert "ours, open (mask_engine) made the vocabulary ready in" in text and not [*tmp_path.iterdir()]
    for name in SOURCES:
        for figure in FIGURES:
            assert re.search(rf"{name}: {figure} +[\d.]+ [mµ]?s", text)


def test_an_engine_that_refuses_a_text_is_an_error():
    shy = MaskEngine("shy", "1", lambda language: lambda buffer: Walk(lambda: None, lambda token_id: False))
    with pytest.raises(ValueError, match="shy refuses a token of a text that matches 0x"):
        run_sources(Console(file=io.StringIO()), [shy], BYTES, encode)
