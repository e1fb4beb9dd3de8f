"""What lab 14 is given: a matcher that moves, a model that keeps its cache, rounds of an answer, and short rules."""

import math

import numpy as np
import pytest

from labkit.errors import BudgetTooSmall
from labkit.matchers import Matcher
from labkit.small_model import SmallModel
from labkit.small_model.drafting import DraftReader, draft_freely
from labkit.small_model.tokenizer import Tokenizer
from labkit.vocabulary import Vocabulary
from labs.lab_14_drafts.measuring import proposal
from labs.lab_14_drafts.solution import forced_draft, generate, longest_path, overlap, sees, tokens_a_pass
from mask_engine import compile_guide

TOY = Vocabulary.toy()
DIGITS = compile_guide(TOY, regex="[0-9]{1,3}")


def test_a_matcher_takes_back_no_more_than_it_accepted():
    matcher = Matcher(DIGITS, len(TOY), TOY.eos_id)
    assert matcher.accept(3) and matcher.accept(TOY.eos_id) and not matcher.accept(3) and not matcher.mask().any()
    with pytest.raises(ValueError, match="3 tokens can't be taken back: 2 were accepted"):
        matcher.rollback(3)
    matcher.rollback(1)
    assert matcher.tokens == [3] and matcher.mask().sum() == 2


def test_a_reader_reads_only_what_it_has_not_read():
    model, start = SmallModel.load(), Tokenizer.load().prompt("Hex code of violet?")
    reader, draft = DraftReader(model), [3, 7, 200]
    expected = model.forward([[*start, *draft]], model.new_cache(), every=True)[0, -4:]
    assert np.allclose(reader.score(start, draft), expected, atol=1e-3)
    assert np.allclose(reader.score([*start, 3], [7, 9])[:2], expected[1:3], atol=1e-3)  # the draft was cut and changed
    assert np.allclose(reader.after([*start, 3, 7]), expected[2], atol=1e-3)
    assert (reader.passes, reader.rows) == (3, 8)


def test_no_answer_fits():
    with pytest.raises(BudgetTooSmall, match="a budget of 2 tokens is too small: a match needs 4"):
        generate(compile_guide(TOY, regex="[0-9]{3}"), None, None, [], TOY.eos_id, 2, lambda: 0.0)


def test_the_best_path_ends_with_the_models_own_token():
    assert longest_path([], [], [4]) == [4]
    assert longest_path([-1, 0, 0], [1, 2, 3], [1, 3, 9, 8]) == [1, 3, 8]
    assert longest_path([-1, 0], [1, 2], [0, 2, 2]) == [0]


def test_a_free_draft_and_a_drafter_that_there_is_not():
    draft, q_rows = draft_freely(lambda ids: np.arange(3.0) * len(ids), [7], 2, lambda: 0.99)
    assert draft == [2, 2] and q_rows.shape == (2, 3)
    with pytest.raises(ValueError, match="no drafter 'nobody'"):
        proposal("nobody", None, 4, lambda: 0.0)


def test_two_distributions_share_the_smaller_part():
    p, q = np.array([4, 3, 1, 0]) / 8, np.array([1, 1, 2, 4]) / 8
    assert overlap(p, q) == overlap(q, p) == 3 / 8 and overlap(p, p) == 1


@pytest.mark.parametrize("length", [0, 1, 5])
@pytest.mark.parametrize("rate", [0.0, 0.25, 0.9, 1.0])
def test_the_mean_over_all_outcomes(rate, length):
    exactly = [rate**n * (1 - rate) for n in range(length)] + [rate**length]
    expected = math.fsum((n + 1) * share for n, share in enumerate(exactly))
    assert math.isclose(tokens_a_pass(rate, length), expected)


@pytest.mark.parametrize(
    ("pattern", "length", "remaining", "expected"),
    [("[0-9]", 9, 9, [3, 4]), ("[0-9]", 1, 9, [3]), ("[0-9]{1,3}", 9, 9, [3]), ("[0-9]{1,3}", 9, 2, [3, 4])],
)
def test_a_mask_of_one_token_is_forced(pattern, length, remaining, expected):
    guide = compile_guide(TOY, regex=pattern)
    assert forced_draft(guide, guide.initial, len(TOY), TOY.eos_id, length, remaining) == expected


def test_a_node_sees_its_path():
    assert sees([-1, -1, 0, 1, 2]).astype(int).tolist() == [
        *[[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [1, 0, 1, 0, 0], [0, 1, 0, 1, 0]],
        [1, 0, 1, 0, 1],
    ]
