"""The cost curves: vocabularies of any size, the fit, and a small run."""

import io

import pytest
from rich.console import Console

from course.showcase.bench.engines import curves
from course.showcase.bench.engines.adapters import ours
from course.showcase.bench.engines.curves import longest_match, resized, run_curves
from labkit.vocabulary import Vocabulary

BYTES = Vocabulary(
    [*(bytes([byte]) for byte in range(256)), b"ab", b"abc", b"<s>", b"</s>"], eos_id=259, special_ids=[258]
)


@pytest.mark.parametrize("size", [2, 100, 259, 260, 600, 2000])
def test_a_vocabulary_of_any_size(size):
    texts = [*BYTES.token_bytes[:258]]
    got = resized(BYTES, size)
    assert len(got) == size and got.eos_id == size - 1 and got.special_ids == frozenset([size - 1])
    assert list(got.token_bytes[:-1]) == (texts * 9)[: size - 1]


@pytest.mark.parametrize("text", ["", "abcab", "aab", "é ab", "cba"])
def test_the_tokenizer_writes_the_text_in_longest_tokens(text):
    ids = longest_match(BYTES)(text)
    tokens = [BYTES.token_bytes[i] for i in ids]
    assert b"".join(tokens) == text.encode()
    assert all(len(token) == 3 for token, rest in zip(tokens, rests(tokens), strict=True) if rest.startswith(b"abc"))
    assert not {258, 259} & set(ids)


def rests(tokens):
    return [b"".join(tokens[n:]) for n in range(len(tokens))]


def test_a_small_run(monkeypatch):
    monkeypatch.setattr(curves, "SIZES", (257, 600))
    monkeypatch.setattr(curves, "WORDS", (2, 4))
    monkeypatch.setattr(curves, "GROUPS", (1, 2))
    monkeypatch.setattr(curves, "ROWS", (1, 3))
    monkeypatch.setattr(curves, "make_ready", lambda vocabulary, encode: [lambda: (ours(vocabulary, encode), 1.0)])
    console = Console(file=io.StringIO(), width=100)
    data = run_curves(console, BYTES)
    printed = console.file.getvalue()
    assert all(
        title in printed for title in ("tokens in the vocabulary", "words in a choice", "rows in the batch", "n^")
    )
    assert data["versions"] == {"ours": "labs.assembled"}
    sizes = {(point["curve"], point["size"]) for point in data["points"]}
    assert sizes == {
        *(("vocabulary", 257), ("vocabulary", 600), ("states", 2), ("states", 4)),
        *(("length", 18), ("length", 36), ("batch", 1), ("batch", 3)),
    }
    for point in data["points"]:
        wanted = {"batch"} if point["curve"] == "batch" else {"first_mask", "cold_mask"}
        assert wanted <= set(point["figures"])
        assert all(figure > 0 for kind in wanted for figure in point["figures"][kind].values())
