"""What the small model refuses: it names the place and the limit, and leaves the cache as it was."""

import numpy as np
import pytest

from labkit.small_model import KvCache, ModelConfig
from tests.labkit.small_model import tiny

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
    ([[True]], None, "tokens must be whole numbers, not bool"),
    ([["a"]], None, "tokens must be whole numbers, not <U1"),
    ([[1, 2], [3]], [2, 1], "tokens must be a rectangle of whole numbers"),
    ([[1], [2]], [1], r"lengths must have the shape \[2\], one for each row, not \[1\]"),
    ([[1], [2]], 1, r"lengths must have the shape \[2\], one for each row, not \[\]"),
    ([[1], [2]], [1, 2], "row 1 has 2 real tokens, says lengths; it must be 0 to 1, the columns"),
    ([[1], [2]], [-1, 1], "row 0 has -1 real tokens, says lengths; it must be 0 to 1, the columns"),
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
