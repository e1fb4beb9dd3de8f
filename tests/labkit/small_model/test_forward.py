"""The small model's forward pass, against what PyTorch computed with the shipped weights."""

import warnings

import numpy as np
import pytest

from labkit.small_model import CONFIG, KvCache, ModelConfig, SmallModel, random_weights
from labkit.small_model.transformer import DATA
from tests.labkit.small_model import NEAR, TINY, tiny


@pytest.fixture(scope="module", params=[TINY, CONFIG], ids=["tiny", "full"])
def model(request):
    return SmallModel(random_weights(request.param, seed=3), request.param)


def drawn(config, count, seed=0):
    return np.random.default_rng(seed).integers(0, config.vocab_size, count)


def read(model, ids):
    """Return the logits after the last of these tokens, read alone and at once."""
    return model.forward(np.array([ids]), model.new_cache())[0]


# What it computes -------------------------------------------------------------------------------------


def test_a_prefill_and_single_steps_score_as_the_training_framework_did():
    """Of ids ``[b, k]`` the file has the logits at some places, ``[b, p, V]``; course/upkeep/training writes it."""
    with np.load(DATA / "logits_fixture.npz", allow_pickle=False) as file:
        ids, places, logits = (file[name] for name in ("ids", "places", "logits"))
    assert ids.dtype == np.int32 and logits.dtype == np.float32
    assert logits.shape == (len(ids), len(places), CONFIG.vocab_size) and logits.std() > 1
    model = SmallModel.load("final")
    cache = model.new_cache(len(ids))
    every = model.forward(ids, cache, every=True)
    assert every.shape == (*ids.shape, CONFIG.vocab_size) and every.dtype == np.float32
    assert cache.lengths.tolist() == [ids.shape[1]] * len(ids)
    np.testing.assert_allclose(every[:, places], logits, rtol=0, atol=1e-4)
    cache = model.new_cache(len(ids))
    steps = np.stack([model.forward(column[:, None], cache) for column in ids.T], axis=1)
    np.testing.assert_allclose(steps[:, places], logits, rtol=0, atol=1e-4)


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


@pytest.mark.parametrize("last", [[1, 1, 0], [3, 2, 0], [1, 2, 0]], ids=str)
def test_the_last_tokens_of_each_row(last):
    """As drafts need it: row by row, without padding; the rows of many columns give those of their last ones."""
    tokens, lengths = drawn(TINY, 12).reshape(3, 4), [4, 2, 0]
    found = tiny.forward(tokens, tiny.new_cache(3), lengths, last=last)
    every = tiny.forward(tokens, tiny.new_cache(3), lengths, every=True)
    expected = [every[row, n - k : n] for row, (n, k) in enumerate(zip(lengths, last, strict=True))]
    np.testing.assert_allclose(found, np.concatenate(expected), **NEAR)


@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.uint64, list])
def test_ids_of_any_whole_type_are_only_read(dtype):
    ids, lengths = drawn(TINY, 5), np.array([5])
    given = [ids.tolist()] if dtype is list else ids[None].astype(dtype)
    lengths.flags.writeable = False
    if dtype is not list:
        given.flags.writeable = False
    assert np.array_equal(tiny.forward(given, tiny.new_cache(), lengths)[0], read(tiny, ids))


# What is refused names the place and the limit, and leaves the cache as it was ---------------------------

BAD = [
    ([[11]], None, "token id 11 in row 0, column 0 lies outside the vocabulary of 11 tokens"),
    ([[1, 2, -1]], None, "token id -1 in row 0, column 2 lies outside the vocabulary of 11 tokens"),
    ([[1, 99], [99, 4]], [1, 2], "token id 99 in row 1, column 0 lies outside the vocabulary of 11 tokens"),
    ([[0] * 94], None, r"row 0 would hold 101 tokens \(7 and 94 more\), the model has 100 positions"),
    ([[0] * 97] * 2, [5, 96], r"row 1 would hold 103 tokens \(7 and 96 more\), the model has 100 positions"),
    ([1, 2], None, r"tokens must have the shape \[1, k\], .* not \[2\]"),
    ([[1], [2], [3]], [1, 1, 1], r"tokens must have the shape \[2, k\], .* not \[3, 1\]"),
    (np.zeros((1, 0), int), None, r"k of at least 1, not \[1, 0\]"),
    ([[1.0]], None, "tokens must be whole numbers, not float64"),
    ([[1, 2], [3]], [2, 1], "tokens must be a rectangle of whole numbers"),
    ([[1], [2]], [1], r"lengths must have the shape \[2\], one for each row, not \[1\]"),
    ([[1], [2]], [1, 2], "row 1 has 2 real tokens, says lengths; it must be 0 to 1, the columns"),
    ([[1], [2]], [0.5, 1], "lengths must be whole numbers, not float64"),
]


@pytest.mark.parametrize(("tokens", "lengths", "said"), BAD, ids=[said for *_, said in BAD])
def test_bad_input_is_told_and_changes_nothing(tokens, lengths, said):
    cache = tiny.new_cache(1 if lengths is None else 2)
    tiny.forward(np.ones((cache.batch, 7), int), cache)
    keys = cache.keys.copy()
    with pytest.raises(ValueError, match=said):
        tiny.forward(tokens, cache, lengths)
    assert cache.lengths.tolist() == [7] * cache.batch and np.array_equal(cache.keys, keys)


def test_the_cache_of_another_model():
    with pytest.raises(ValueError, match=r"the cache belongs to another model: .*vocab_size=1024"):
        tiny.forward([[0]], KvCache())
    alike = KvCache(ModelConfig(vocab_size=11, d_model=12, n_layers=2, n_heads=3, d_ff=7, max_positions=100))
    assert tiny.forward([[0]], alike).shape == (1, 11)


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ({"n_layers": 0}, "n_layers must be a whole number of at least 1, not 0"),
        ({"d_ff": 3.5}, "d_ff must be a whole number of at least 1, not 3.5"),
        ({"rope_theta": 0.0}, "rope_theta must be above 0, not 0.0"),
        ({"norm_eps": float("nan")}, "norm_eps must be above 0, not nan"),
        ({"d_model": 12, "n_heads": 4}, "d_model 12 must be n_heads 4 times an even number"),
    ],
)
def test_sizes_that_no_model_has(sizes, said):
    with pytest.raises(ValueError, match=said):
        ModelConfig(**sizes)
