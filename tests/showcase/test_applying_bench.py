"""The bench's part ``apply``, on batches small enough for a test. No figure is judged."""

import io
import json

import numpy as np
import pytest
from rich.console import Console

from course.showcase.bench import applying
from course.showcase.bench.applying import LEAST, LINES, OURS, TUNED, batch_of, measure, run_apply


@pytest.fixture(scope="module")
def applied():
    """What the bench printed, its data, and whether all was right."""
    out = io.StringIO()
    data, right = run_apply(Console(file=out, width=100), rows=3, columns=256)
    return out.getvalue(), data, right


def test_every_method_is_in_the_data_at_every_density(applied):
    text, data, right = applied
    assert right and "WRONG" not in text and json.loads(json.dumps(data)) == data
    assert [each["allowed"] for each in data["densities"]] == [0.001, 0.5, 0.97]
    for each in data["densities"]:
        assert {OURS, LEAST, LINES, "lab 14, clear", "NumPy, boolean index"} <= each["seconds"].keys()
        assert all(len(turns) == applying.TURNS for turns in each["seconds"].values())
        assert each["ratio_to_kept"][OURS] == 1
    assert all(method in text for method in data["densities"][0]["seconds"])


def test_what_must_move():
    batch = batch_of(0.97, rows=4, columns=320)
    forbidden = batch.forbidden
    assert batch.least_bytes == 4 * 10 * 4 + 4 * forbidden.sum()
    lines = sum(forbidden[row, start : start + 16].any() for row in range(4) for start in range(0, 320, 16))
    assert batch.line_bytes == 4 * 10 * 4 + 64 * lines


def test_a_method_that_leaves_other_logits_is_named(monkeypatch):
    monkeypatch.setattr(applying.tuned, "apply", lambda logits, bitmask, size, rows=None: logits.fill(0))
    assert measure(0.5, rows=2, columns=64, turns=1).wrong == [OURS, TUNED]
    out = io.StringIO()
    _, right = run_apply(Console(file=out, width=100), rows=2, columns=64)
    assert not right and f"WRONG: {OURS} at 50.0% leaves other logits" in out.getvalue()


def test_what_is_not_installed_is_named(monkeypatch):
    monkeypatch.setattr(applying, "find_spec", lambda name: None)
    out = io.StringIO()
    data, right = run_apply(Console(file=out, width=200), rows=2, columns=64)
    assert right and "Not installed, so not compared: torch, xgrammar" in out.getvalue()
    assert len(data["densities"][0]["seconds"]) == 6


def test_a_batch_is_the_same_each_time():
    one, other = batch_of(0.5, rows=2, columns=64), batch_of(0.5, rows=2, columns=64)
    assert np.array_equal(one.logits, other.logits) and np.array_equal(one.bitmask, other.bitmask)
