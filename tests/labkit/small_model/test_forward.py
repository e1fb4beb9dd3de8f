"""The small model's forward pass, against a Llama written formula by formula (llama.py)."""

import warnings

import numpy as np
import pytest

from labkit.small_model import CONFIG, SmallModel, random_weights
from labkit.small_model.transformer import DATA
from tests.labkit.small_model import TINY, llama, tiny

NEAR = {"rtol": 0, "atol": 3e-5}
"""Logits are of size 1 to 4; float32 adds up to within a few millionths of float64, in any order."""


@pytest.fixture(scope="module", params=[TINY, CONFIG], ids=["tiny", "full"])
def model(request):
    return SmallModel(random_weights(request.param, seed=3), request.param)


def drawn(config, count, seed=0):
    return np.random.default_rng(seed).integers(0, config.vocab_size, count)


def read(model, ids):
    """Return the logits after the last of these tokens, read alone and at once."""
    return model.forward(np.array([ids]), model.new_cache())[0]


# What it computes -------------------------------------------------------------------------------------


def test_a_prefill_scores_every_position_as_the_formulas_do(model):
    ids = drawn(model.config, 40)
    oracle = llama.logits(random_weights(model.config, seed=3), model.config, ids)
    assert oracle.std() > 0.5  # the comparison is about something
    cache = model.new_cache()
    every = model.forward(ids[None], cache, every=True)
    assert every.shape == (1, 40, model.config.vocab_size) and every.dtype == np.float32
    np.testing.assert_allclose(every[0], oracle, **NEAR)
    assert cache.lengths.tolist() == [40]


def test_the_last_position_of_all_is_within_the_formulas():
    """The whole context, through every growth of the cache."""
    ids = drawn(TINY, TINY.max_positions)
    oracle = llama.logits(random_weights(TINY, seed=5), TINY, ids)
    cache = tiny.new_cache()
    steps = np.concatenate([tiny.forward([[token]], cache) for token in ids])
    np.testing.assert_allclose(steps, oracle, **NEAR)


def test_numbers_that_make_exponentials_overflow_are_no_trouble():
    """With gates at -1,000 and scores at 10,000 the plain formulas would overflow in float32."""
    weights = random_weights(TINY, seed=1)
    for name in weights:
        if name.endswith(("q_proj.weight", "gate_proj.weight")):
            weights[name] *= 3000
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isfinite(read(SmallModel(weights, TINY), drawn(TINY, 30))).all()


def test_weights_in_float16_are_computed_with_in_float32():
    halves = {name: array.astype(np.float16) for name, array in random_weights(TINY, seed=5).items()}
    ids = drawn(TINY, 9)
    assert np.array_equal(read(SmallModel(halves, TINY), ids), read(tiny, ids))


# Batches ----------------------------------------------------------------------------------------------


def test_rows_of_different_lengths_equal_rows_alone(model):
    rows = [drawn(model.config, count, seed=count) for count in (3, 17, 1, 17, 8)]
    tokens = np.full((5, 17), -1)  # padding may be anything
    for row, ids in enumerate(rows):
        tokens[row, : len(ids)] = ids
    cache, lengths = model.new_cache(5), [len(ids) for ids in rows]
    last = model.forward(tokens, cache, lengths)
    every = model.forward(tokens, model.new_cache(5), lengths, every=True)
    assert last.shape == (5, model.config.vocab_size) and every.shape == (5, 17, model.config.vocab_size)
    for row, ids in enumerate(rows):
        alone = model.forward(ids[None], model.new_cache(), every=True)[0]
        np.testing.assert_allclose(every[row, : len(ids)], alone, **NEAR)
        np.testing.assert_allclose(last[row], alone[-1], **NEAR)
        assert np.isnan(every[row, len(ids) :]).all()
    # And then one step of decoding, each row at its own position.
    new = drawn(model.config, 5)
    for row, found in enumerate(model.forward(new[:, None], cache)):
        np.testing.assert_allclose(found, read(model, [*rows[row], new[row]]), **NEAR)


@pytest.mark.parametrize(
    "lengths", [[1, 1, 1, 0, 1], [1, 1, 1, 0, 4], [1, 0, 1, 9, 1], [9, 1, 1, 0, 0], [1, 1, 1, 1, 1]], ids=str
)
def test_most_rows_get_one_token_and_others_none_or_many(model, lengths):
    """Those of one token are read together; a row that has nothing yet, or waits, neither harms nor is harmed."""
    held = [drawn(model.config, count, seed=count) for count in (7, 0, 30, 2, 12)]
    cache, width = model.new_cache(5), max(map(len, held))
    before = np.array([[*ids, *[0] * (width - len(ids))] for ids in held])
    model.forward(before, cache, [len(ids) for ids in held])
    new = drawn(model.config, 45).reshape(5, 9)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = model.forward(new, cache, lengths)
    for row, length in enumerate(lengths):
        assert length or np.isnan(found[row]).all()
        if length:
            np.testing.assert_allclose(found[row], read(model, [*held[row], *new[row, :length]]), **NEAR)
    assert cache.lengths.tolist() == [len(ids) + length for ids, length in zip(held, lengths, strict=True)]


@pytest.mark.parametrize("last", [[1, 1, 0], [3, 2, 0], [1, 2, 0]], ids=str)
def test_the_last_tokens_of_each_row(last):
    """As drafts need it: row by row, without padding; the rows of many columns give those of their last ones."""
    tokens, lengths = drawn(TINY, 12).reshape(3, 4), [4, 2, 0]
    found = tiny.forward(tokens, tiny.new_cache(3), lengths, last=last)
    every = tiny.forward(tokens, tiny.new_cache(3), lengths, every=True)
    expected = [every[row, n - k : n] for row, (n, k) in enumerate(zip(lengths, last, strict=True))]
    np.testing.assert_allclose(found, np.concatenate(expected), **NEAR)


@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.int64, np.uint64, list])
def test_ids_of_any_whole_type(dtype):
    ids = drawn(TINY, 5)
    given = [ids.tolist()] if dtype is list else ids[None].astype(dtype)
    assert np.array_equal(tiny.forward(given, tiny.new_cache())[0], read(tiny, ids))


def test_tokens_and_lengths_are_only_read():
    tokens, lengths = drawn(TINY, 8).reshape(2, 4), np.array([2, 4])
    tokens.flags.writeable = lengths.flags.writeable = False
    tiny.forward(tokens, tiny.new_cache(2), lengths)


# The shipped weights, against what PyTorch computed with them (course/upkeep/training writes it) -----------


def test_a_prefill_and_single_steps_score_as_the_training_framework_did():
    """The file has ids ``[b, k]``, some places among them ``[p]``, and the logits there, ``[b, p, V]``."""
    with np.load(DATA / "logits_fixture.npz", allow_pickle=False) as file:
        ids, places, logits = (file[name] for name in ("ids", "places", "logits"))
    assert ids.dtype == np.int32 and logits.dtype == np.float32
    assert logits.shape == (len(ids), len(places), CONFIG.vocab_size) and logits.std() > 1
    model = SmallModel.load("final")
    every = model.forward(ids, model.new_cache(len(ids)), every=True)
    np.testing.assert_allclose(every[:, places], logits, rtol=0, atol=1e-4)
    cache = model.new_cache(len(ids))
    steps = np.stack([model.forward(column[:, None], cache) for column in ids.T], axis=1)
    np.testing.assert_allclose(steps[:, places], logits, rtol=0, atol=1e-4)


def test_the_two_checkpoints_are_different_models():
    ids = [[72, 105, 33]]
    final, early = (model.forward(ids, model.new_cache()) for model in map(SmallModel.load, ("final", "early")))
    assert np.isfinite(final).all() and np.isfinite(early).all() and abs(final - early).max() > 0.1
