"""Rows of logits under bitmasks: the same for vocabularies that are masked all at once, and row by row."""

import numpy as np
import pytest

from labs.lab_09_inside_an_engine.given.guides import SMALL, forbid


@pytest.mark.parametrize("rows", [[0, 1, 2, 3, 4, 5], [5, 0, 3, 2], [3, 0], [2], []])
@pytest.mark.parametrize("vocab_size", [1, 33, SMALL, SMALL + 1])
def test_what_has_no_bit_is_minus_infinity_and_nothing_else_changes(vocab_size, rows):
    dice = np.random.default_rng(vocab_size)
    logits = dice.normal(size=(6, vocab_size)).astype(np.float32)
    logits[:, 0] = np.nan  # whatever a model gives, a token without a bit never comes
    bits = dice.random((len(rows), vocab_size)) < 0.5
    bits[1:2] = bits[:1]  # two rows in one state
    words = -(-vocab_size // 32)
    padded = np.zeros((len(rows), words * 32), bool)
    padded[:, :vocab_size] = bits
    packed = np.packbits(padded, axis=1, bitorder="little").view("<i4").reshape(len(rows), words)
    expected = logits.copy()
    for row, held in zip(rows, bits, strict=True):
        for token in range(vocab_size):
            if not held[token]:
                expected[row, token] = -np.inf
    forbid(logits, rows, packed)
    np.testing.assert_array_equal(logits, expected)
