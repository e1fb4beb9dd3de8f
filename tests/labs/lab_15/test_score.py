"""The score without a clock, and its drawings."""

from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from labkit.gpu import jit, tl
from labs.lab_15_gpu_bitmask import solution
from labs.lab_15_gpu_bitmask.score import SHARES, counts, score


@jit
def loads_everything(logits_ptr, row_stride, words_ptr, words_stride, vocab_size, n_columns, BLOCK: tl.constexpr):  # noqa: N803
    """The obvious kernel: a word for each column, every logit loaded, every logit stored."""
    row, columns = tl.program_id(0), tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = columns < n_columns
    words = tl.load(words_ptr + row * words_stride + columns // 32, mask=columns < vocab_size, other=0)
    places = logits_ptr + row * row_stride + columns
    allowed = (words >> (columns % 32)) & 1
    tl.store(places, tl.where(allowed == 1, tl.load(places, mask=inside), float("-inf")), mask=inside)


def wasteful(logits, bitmask, vocab_size, rows=None, block=128):
    grid = (len(logits), logits.shape[1] // block)
    loads_everything[grid](logits, logits.shape[1], bitmask, bitmask.shape[1], vocab_size, logits.shape[1], BLOCK=block)


@pytest.mark.parametrize("share", SHARES)
def test_the_reference_moves_the_least(share):
    found = score(solution, share)
    assert found.times_the_least == 1 and not found.picture
    assert sum(found.moved.values()) == found.least


def test_a_kernel_that_loads_everything_moves_more():
    """32 lanes load each word, and every logit is loaded and stored: right, and 3 to 46 times the least."""
    scores = [score(SimpleNamespace(apply_on_device=wasteful), share) for share in SHARES]
    assert not any(found.picture for found in scores)
    assert [round(found.times_the_least) for found in scores] == [3, 6, 46]


@pytest.mark.parametrize("error", [NotImplementedError, TypeError])
def test_a_kernel_that_breaks_off_has_no_count(error):
    """0 bytes would look like a record."""
    with pytest.raises(error):
        list(counts(SimpleNamespace(apply_on_device=Mock(side_effect=error))))
