"""The score without a clock, and its drawings."""

from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest

from course.student.core.catalog import find_lab
from course.student.core.wrong_answers import bank
from labkit.gpu import jit, tl
from labkit.gpu.drawing import bytes_picture, masked_picture
from labs.lab_15_gpu_bitmask import solution
from labs.lab_15_gpu_bitmask.score import SHARES, counts, drawing, score


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


def test_the_drawing_is_there_while_the_kernel_is_wrong():
    answers = {answer.name: answer.submission() for answer in bank(find_lab(15))}
    names = ("the_tail_decides_about_padding", "the_store_ignores_the_last_column", "shifted_but_not_masked")
    for name, words in zip(names, ("", "", "wrong:"), strict=True):
        namespace = {"__name__": name}
        exec(compile(answers[name], name, "exec"), namespace)
        text = drawing(SimpleNamespace(**namespace))
        assert "least" in text and words in text


@pytest.mark.parametrize("error", [NotImplementedError, TypeError])
def test_a_kernel_that_breaks_off_has_no_count(error):
    """0 bytes would look like a record."""
    with pytest.raises(error):
        list(counts(SimpleNamespace(apply_on_device=Mock(side_effect=error))))


def test_a_count_says_that_the_masks_are_wrong():
    idle = list(counts(SimpleNamespace(apply_on_device=Mock())))
    assert all(count.what.endswith("allowed, but the masks are wrong") and not count.yours for count in idle)


def test_masked_picture():
    wanted = np.zeros((2, 70), bool)
    wanted[1, 64:] = True
    assert masked_picture(wanted, wanted, ~wanted) == ""
    lines = masked_picture(wanted, np.zeros_like(wanted), np.ones_like(wanted)).splitlines()
    assert lines[0] == "row 1, columns 64 to 69:  !!!!!!" and lines[1].startswith(". kept")
    many = masked_picture(np.ones((3, 320), bool), np.zeros((3, 320), bool), np.ones((3, 320), bool)).splitlines()
    assert len(many) == 8 and many[6] == "and 24 words more"
    seven = masked_picture(np.ones((1, 224), bool), np.zeros((1, 224), bool), np.ones((1, 224), bool)).splitlines()
    assert seven[6] == "and 1 word more"


def test_bytes_picture():
    assert bytes_picture(0, {}).splitlines()[-1].endswith("0 bytes")
    assert bytes_picture(10, {"a": 10}).endswith("10 bytes, 1.00 times the least")
