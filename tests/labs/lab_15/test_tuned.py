"""The tuned version of ``apply`` is equal to it bit for bit; and masks on a device have a limit."""

import numpy as np
import pytest

from labkit.errors import LimitExceeded
from labkit.vocabulary import Vocabulary
from labs.lab_07_bytes_and_vocabularies.solution import TokenVocabularyIndex
from labs.lab_15_gpu_bitmask.given import token_automata as automata
from labs.lab_15_gpu_bitmask.given import tuned
from labs.lab_15_gpu_bitmask.solution import apply, pack

DTYPES = {"float32": np.float32, "float16": np.float16, "bfloat16": np.uint16}
DENSITIES = (0.0, 0.001, 0.03, 0.5, 0.97, 1.0)


def any_bits(rng, dtype, shape):
    """Return logits of random bits, infinities and NaN of both signs among them."""
    size = np.dtype(dtype).itemsize
    raw = rng.integers(0, 256, (*shape, size), dtype=np.uint8)
    raw[:, ::7, -1] = rng.choice([0x7F, 0xFF], raw[:, ::7, -1].shape)
    return raw.view(dtype).reshape(shape)


def raw_bytes(array):
    return np.ascontiguousarray(array).view(np.uint8)


def check(logits, bitmask, vocab_size, rows=None):
    """Compare ``apply`` on a copy with the tuned version in the memory of ``logits``."""
    expected = logits.copy()
    apply(expected, bitmask, vocab_size, rows)
    before = bitmask.copy()
    tuned.apply(logits, bitmask, vocab_size, rows)
    assert np.array_equal(raw_bytes(logits), raw_bytes(expected))
    assert np.array_equal(bitmask, before)


@pytest.mark.parametrize("name", DTYPES)
@pytest.mark.parametrize("density", DENSITIES)
def test_any_density_size_and_padding(name, density):
    rng = np.random.default_rng(int(density * 1000))
    for vocab_size in (1, 7, 8, 31, 32, 33, 64, 100, 1000, 4099):
        for padding in (0, 1, 31, 64):
            bitmask = pack(rng.random((3, vocab_size)) < density)
            if padding:
                bitmask[:, -1] |= np.int32(-1) << np.int32(vocab_size % 32) if vocab_size % 32 else 0
            check(any_bits(rng, DTYPES[name], (3, vocab_size + padding)), bitmask, vocab_size)


@pytest.mark.parametrize("rows", [[], [2], [5, 0, 3]], ids=str)
def test_some_rows(rows):
    rng = np.random.default_rng(1)
    bitmask = pack(rng.random((6, 300)) < 0.5)
    check(any_bits(rng, np.float32, (6, 310)), bitmask, 300, rows)
    check(any_bits(rng, np.uint16, (6, 310)), bitmask, 300, np.array(rows, np.int32))


def test_any_layout():
    rng = np.random.default_rng(2)
    bitmask = pack(rng.random((4, 90)) < 0.5)
    wide = any_bits(rng, np.float32, (8, 300))
    for part in np.s_[:4, 3:99], np.s_[::2, :90], np.s_[:4, :192:2], np.s_[3::-1, :90]:
        check(wide[part], bitmask, 90)
    check(np.asfortranarray(wide[:4, :95]), bitmask, 90)
    check(wide[:4, :90], np.asfortranarray(bitmask), 90)


def test_rows_shared_among_threads(monkeypatch):
    monkeypatch.setattr(tuned, "n_threads", lambda n_rows: 3)
    rng = np.random.default_rng(3)
    density = rng.random((40, 1)) ** 4
    check(any_bits(rng, np.float32, (40, 2050)), pack(rng.random((40, 2048)) < density), 2048)
    check(any_bits(rng, np.float16, (40, 2050)), pack(rng.random((40, 2048)) < density), 2048, [7, 1, 39])


def test_masks_that_take_too_much_memory_are_refused(monkeypatch):
    monkeypatch.setattr(automata, "MOST_WORDS", 40)
    with pytest.raises(LimitExceeded, match=r"the masks of .* states take too many words; the limit is 40"):
        automata.automaton_of([r"[0-9]{9}"], TokenVocabularyIndex(Vocabulary.bytes()))
