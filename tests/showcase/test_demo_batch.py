"""The demo's last scene: what 256 packed rows do to logits, against ``re`` and plain loops."""

import io
import re
from pathlib import Path

import numpy as np
import pytest
import regex
from rich.console import Console

from course.showcase.demo import Stage, batch
from labkit.vocabulary import Vocabulary

TEXTS = [*"0123456789abcdefxEUR.- ", "0x", "12", ".5", "-1", " the", "zz", "é"]
SMALL = Vocabulary([*(text.encode() for text in TEXTS), b"</s>"], eos_id=len(TEXTS))
PATTERNS = {
    "a price": r"[0-9]+(\.[0-9]{2})? ?EUR",
    "a date": "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])",
    "hexadecimal": "0x[0-9a-f]+",
}


@pytest.fixture(scope="module")
def found():
    """Forty requests over a small vocabulary."""
    return batch.masked(batch.batch_of(SMALL, 40), len(SMALL))


def test_every_row_is_what_partial_matches_leave(found):
    assert [request.what for request in found.requests[:5]] == [*PATTERNS, "free", "a price"]
    assert not found.wrong and len(found.left) == 30
    left = iter(found.left)
    for row, request in enumerate(found.requests):
        if request.guide is None:
            assert (found.bitmask[row] == -1).all() and found.favourites[row] == found.chosen[row]
            continue
        pattern = PATTERNS[request.what]
        live = [regex.fullmatch(pattern, request.text + text, partial=True) is not None for text in TEXTS]
        live.append(re.fullmatch(pattern, request.text) is not None)
        words = [sum(1 << i % 32 for i in range(len(live)) if live[i] and i // 32 == word) for word in (0, 1)]
        assert found.bitmask[row].view(np.uint32).tolist() == words[: found.bitmask.shape[1]]
        assert next(left) == sum(live) and live[found.chosen[row]]


def test_the_scene_in_words():
    for encoding in ("utf-8", "ascii"):
        raw = io.BytesIO()
        out = io.TextIOWrapper(raw, encoding=encoding)
        stage = Stage(console := Console(file=out, width=100, soft_wrap=True), console, Path())
        stage.vocabulary = SMALL
        batch.play(stage)
        out.flush()
        text = raw.getvalue().decode(encoding)
        assert "A batch of 256 (lab 14)" in text and "192 requests" in text and "WRONG" not in text
        assert max(map(len, text.splitlines())) <= 100 and text.count("  row ") == 6


def test_what_went_wrong_is_named(monkeypatch):
    monkeypatch.setattr(batch.tuned, "apply", lambda *arguments: None)
    wrong = batch.masked(batch.batch_of(SMALL, 8), len(SMALL)).wrong
    assert f"row 0 leaves {len(SMALL) + batch.PADDING} tokens" in wrong and wrong[-1] == "the kernel leaves other bits"
