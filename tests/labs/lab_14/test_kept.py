"""Rows kept from step to step mask bit for bit what `apply` of the lab masks."""

import numpy as np
import pytest

from labs.lab_14_gpu_bitmask.given.kept import apply_kept, keep_row
from labs.lab_14_gpu_bitmask.solution import apply, pack
from tests.labs.lab_14.test_tuned import DENSITIES, DTYPES, any_bits, raw_bytes


@pytest.mark.parametrize("name", DTYPES)
@pytest.mark.parametrize("density", DENSITIES)
def test_any_density_size_and_padding(name, density):
    rng = np.random.default_rng(int(density * 1000))
    for vocab_size in (1, 8, 31, 33, 64, 1000, 4099):
        for padding in (0, 1, 64):
            bitmask = pack(rng.random((4, vocab_size)) < density)
            logits = any_bits(rng, DTYPES[name], (4, vocab_size + padding))
            expected = logits.copy()
            apply(expected, bitmask, vocab_size, [0, 1, 3])
            rows = [keep_row(words, vocab_size) for words in bitmask]
            apply_kept(logits, [rows[0], rows[1], None, rows[3]])
            assert np.array_equal(raw_bytes(logits), raw_bytes(expected))


@pytest.mark.parametrize(
    ("density", "kind"), [(0.0, "allowed"), (0.01, "allowed"), (0.5, "words"), (0.99, "masked"), (1.0, "masked")]
)
def test_what_is_kept_of_a_row(density, kind):
    allowed = np.random.default_rng(3).random((1, 4000)) < density
    kept = keep_row(pack(allowed)[0], 4000)
    assert kept.kind == kind
    told = {"allowed": allowed[0], "masked": ~allowed[0], "words": np.zeros(4000, bool)}[kind]
    assert kept.ids.tolist() == np.flatnonzero(told).tolist()


def test_a_row_is_used_again_and_again():
    row = keep_row(pack(np.eye(1, 70, 5, dtype=bool))[0], 70)
    for _ in range(3):
        logits = np.arange(140, dtype=np.float32).reshape(2, 70)
        apply_kept(logits, [row, row])
        assert np.flatnonzero(np.isfinite(logits)).tolist() == [5, 75] and logits[1, 5] == 75


def test_bad_arguments():
    row = keep_row(np.array([4], np.int32), 32)
    with pytest.raises(ValueError, match="1 rows for 2 rows of logits"):
        apply_kept(np.zeros((2, 32), np.float32), [row])
    with pytest.raises(ValueError, match="float64"):
        apply_kept(np.zeros((1, 32)), [row])
