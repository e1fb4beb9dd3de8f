"""The small model's cache: whatever is done to it, a row's next logits are those of its tokens read alone."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.checking.properties import PROPERTY
from labkit.small_model import KvCache, ModelConfig
from tests.labkit.small_model import NEAR, TINY, tiny


def ids(count, seed=0):
    return np.random.default_rng(seed).integers(0, TINY.vocab_size, count)


def filled(*rows):
    width = max(map(len, rows))
    tokens = np.array([[*row, *[0] * (width - len(row))] for row in rows])
    cache = tiny.new_cache(len(rows))
    tiny.forward(tokens, cache, [len(row) for row in rows])
    return cache


def assert_holds(cache, *rows):
    """Check that the next logits are those of each row read alone; the cache is left as it was."""
    assert cache.lengths.tolist() == [len(row) for row in rows]
    found = tiny.forward([[3]] * len(rows), cache)
    for row, tokens in enumerate(rows):
        alone = tiny.forward([[*tokens, 3]], tiny.new_cache())[0]
        np.testing.assert_allclose(found[row], alone, **NEAR)
        cache.truncate(row, len(tokens))


def test_room_grows_by_doubling_up_to_the_models_positions():
    cache, seen = tiny.new_cache(), []
    for _ in range(TINY.max_positions):
        tiny.forward([[0]], cache)
        seen.append(cache.capacity)
    assert sorted(set(seen)) == [64, 100]
    assert cache.keys.shape == cache.values.shape == (2, 1, 3, 100, 4)
    small = KvCache(ModelConfig(max_positions=10))
    assert small.capacity == 10


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda cache: cache.truncate(2, 0), "there is no row 2 in a cache of 2 rows"),
        (lambda cache: cache.truncate(-1, 0), "there is no row -1 in a cache of 2 rows"),
        (lambda cache: cache.truncate(1, 6), "row 1 holds 5 tokens: it cannot be truncated to 6"),
        (lambda cache: cache.truncate(0, -1), "row 0 holds 3 tokens: it cannot be truncated to -1"),
        (lambda cache: cache.take([0, 2]), "there is no row 2 in a cache of 2 rows"),
        (lambda cache: cache.take([-1]), "there is no row -1 in a cache of 2 rows"),
        (lambda cache: cache.take([]), "a cache needs at least one row, not 0"),
        (lambda cache: KvCache.join([]), "there is no cache to join"),
        (lambda cache: KvCache.join([cache, KvCache()]), r"cache 1 belongs to another model than cache 0: Model.*1024"),
        (lambda cache: KvCache(batch=0), "a cache needs at least one row, not 0"),
    ],
)
def test_bad_input_is_told_and_changes_nothing(act, said):
    cache = filled(ids(3), ids(5))
    with pytest.raises(ValueError, match=said):
        act(cache)
    assert_holds(cache, ids(3), ids(5))


# Any order of things ----------------------------------------------------------------------------------

TOKEN = st.integers(0, TINY.vocab_size - 1)
ACTIONS = st.lists(st.sampled_from(["forward", "forward", "truncate", "copy", "take", "join"]), min_size=1, max_size=7)


@PROPERTY
@given(ACTIONS, st.data())
def test_after_anything_each_row_is_its_tokens(actions, data):
    """A list of lists of ids is the model of the cache."""
    cache, rows = tiny.new_cache(5), [[]] * 5
    for action in actions:
        cache, rows = ACT[action](cache, rows, data.draw)
    assert_holds(cache, *rows)


def feed_in_vain(cache):
    """Feed tokens to a cache that nobody asks again: they must not matter to those made of it."""
    tiny.forward([[1, 2, 3]] * cache.batch, cache)


def _forward(cache, rows, draw):
    """Read none, one or many new tokens in each row; those of one token are read together."""
    counts = [draw(st.sampled_from([0, 1, 1, 1, 9])) for _ in rows]
    new = [draw(st.lists(TOKEN, min_size=count, max_size=count)) for count in counts]
    width = max(1, *counts)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = tiny.forward([[*row, *[0] * (width - len(row))] for row in new], cache, counts)
    rows = [[*row, *more] for row, more in zip(rows, new, strict=True)]
    for row, count, logits in zip(rows, counts, found, strict=True):
        assert count or np.isnan(logits).all()
        if count:
            np.testing.assert_allclose(logits, tiny.forward([row], tiny.new_cache())[0], **NEAR)
    return cache, rows


def _truncate(cache, rows, draw):
    row = draw(st.integers(0, len(rows) - 1))
    length = draw(st.integers(0, len(rows[row])))
    cache.truncate(row, length)
    return cache, [each[:length] if at == row else each for at, each in enumerate(rows)]


def _copy(cache, rows, draw):
    copy = cache.copy()
    cache, other = (copy, cache) if draw(st.booleans()) else (cache, copy)
    feed_in_vain(other)
    return cache, rows


def _take(cache, rows, draw):
    chosen = draw(st.lists(st.integers(0, len(rows) - 1), min_size=1, max_size=4))
    taken = cache.take(chosen)
    feed_in_vain(cache)
    return taken, [rows[row] for row in chosen]


def _join(cache, rows, draw):
    more = draw(st.lists(TOKEN, min_size=1, max_size=4))
    parts = [(cache, rows), (filled(more), [more])][:: draw(st.sampled_from([1, -1]))]
    joined = KvCache.join(part for part, _ in parts)
    feed_in_vain(cache)
    return joined, [row for _, held in parts for row in held]


ACT = {"forward": _forward, "truncate": _truncate, "copy": _copy, "take": _take, "join": _join}
