"""The small model's bench, on a model small enough for a test: its work, its tables, its data. No figure is judged."""

import io
import json

import numpy as np
import pytest
from rich.console import Console

from course.showcase import measuring
from course.showcase.bench.small_model import BATCHES, CONTEXT, READ, SPANS, decoding, prefill, run_model
from labkit.small_model import ModelConfig, SmallModel, random_weights

TINY = ModelConfig(vocab_size=11, d_model=4, n_layers=1, n_heads=1, d_ff=3)


class Watched(SmallModel):
    """Notes each pass: its rows, its columns, and the lengths of the rows after it."""

    def __init__(self):
        super().__init__(random_weights(TINY), TINY)
        self.passes = []

    def forward(self, tokens, cache, lengths=None, every=False):
        logits = super().forward(tokens, cache, lengths, every)
        self.passes.append((*np.shape(tokens), cache.lengths.tolist()))
        return logits


def test_a_run_has_every_figure_in_its_tables_and_its_data():
    out = io.StringIO()
    data = run_model(Console(file=out, width=100, highlight=False), SmallModel(random_weights(TINY), TINY))
    assert json.loads(json.dumps(data)) == data
    assert [(row["start"], row["end"], row["batch"]) for row in data["decoding"]] == [
        (*span, batch) for span in SPANS for batch in BATCHES
    ]
    assert [row["tokens"] for row in data["prefill"]] == list(READ)
    assert all(value > 0 for rows in data.values() for row in rows for value in row.values())
    for row in data["decoding"]:
        assert f"{row['tokens_per_second']:,.0f}" in out.getvalue()
    for words in ("128 to 256 tokens", "640 to 768 tokens", "in one pass", "one by one", "share", "no sampling"):
        assert words in out.getvalue()


def test_streams_grow_together_from_one_length_to_another():
    model = Watched()
    decoding(model, 3, 5, 9)
    first, *steps = model.passes
    assert first == (3, 5, [5, 5, 5])
    assert steps == [(3, 1, [length] * 3) for length in (6, 7, 8, 9)] * 6  # one to warm up, five that count


def test_the_rate_counts_the_tokens_of_all_streams(monkeypatch):
    clock = iter(range(100))
    monkeypatch.setattr(measuring.time, "perf_counter", lambda: next(clock))
    assert decoding(SmallModel(random_weights(TINY), TINY), 3, 5, 9)["tokens_per_second"] == 12


def test_reading_in_one_pass_and_one_by_one_is_the_same_reading():
    model = Watched()
    prefill(model, 3)
    one_by_one, one_pass = [(1, 1, [CONTEXT + n]) for n in (1, 2, 3)], [(1, 3, [CONTEXT + 3])]
    assert model.passes == [(1, CONTEXT, [CONTEXT]), *one_by_one, *(one_by_one + one_pass) * 21]


def test_the_share_is_that_of_the_pass_in_the_steps(monkeypatch):
    clock = iter([now for turn in range(21) for now in (10 * turn, 10 * turn + 4, 10 * turn + 4, 10 * turn + 5)])
    monkeypatch.setattr(measuring.time, "perf_counter", lambda: next(clock))
    found = prefill(SmallModel(random_weights(TINY), TINY), 2)
    assert (found["one_pass"], found["one_by_one"], found["share"]) == (1, 4, pytest.approx(0.25))
