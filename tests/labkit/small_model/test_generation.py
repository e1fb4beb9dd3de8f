"""Answers of the small model: many at a time as one at a time, masked, within a budget, and what is refused."""

import math
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
import regex

from labkit.errors import NoLegalToken
from labkit.small_model.config import CONFIG
from labkit.small_model.generation import Generator, Request, sample
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import SmallModel
from labkit.small_model.weights import random_weights
from mask_engine import compile_guide

TOKENIZER = Tokenizer.load()
RANDOM = Generator(SmallModel(random_weights()), TOKENIZER.vocabulary)
EARLY = Generator(SmallModel.load("early"), TOKENIZER.vocabulary)

PROMPTS = ["teal as a hex colour", "Write 5 March 2024 as YYYY-MM-DD.", "Tell me a sentence.", "x", "Hi! " * 30]


def text_of(answer):
    return TOKENIZER.decode(answer.ids)


def requests(**options):
    return [Request(TOKENIZER.prompt(text), 24, seed=i, **options) for i, text in enumerate(PROMPTS)]


@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("batch", [2, 32])
def test_many_at_a_time_give_what_one_at_a_time_gives(temperature, batch):
    asked = requests(temperature=temperature)
    together = Generator(EARLY.model, EARLY.vocabulary, batch).answer(asked)
    assert together == [EARLY.answer([request])[0] for request in asked]


def test_greedy_is_the_likeliest_token_at_each_step():
    """The oracle reads the whole text again for each token, with a new cache."""
    prompt, model = TOKENIZER.prompt(PROMPTS[1]), EARLY.model
    (answer,) = EARLY.answer([Request(prompt, 16, temperature=0, forced=[50, 48])])
    for place in range(2, len(answer.ids)):
        assert answer.ids[place] == model.forward([[*prompt, *answer.ids[:place]]], model.new_cache())[0].argmax()


@pytest.mark.parametrize("pattern", ["#[0-9a-f]{6}", "(yes|no)", "[a-z]{3,}", "[ -~]{5}é+"])
def test_under_a_mask_an_answer_that_stopped_matches(pattern):
    guide = compile_guide(TOKENIZER.vocabulary, regex=pattern)
    for within in (False, True):
        for answer in RANDOM.answer(requests(constraint=guide, within_budget=within)):
            partial = regex.fullmatch(pattern, text_of(answer), partial=True)
            assert partial or answer.finish_reason != "stop"
            if answer.finish_reason == "stop":
                assert regex.fullmatch(pattern, text_of(answer))


def test_samples_come_as_often_as_their_probability():
    logits = np.array([0.0, 1.0, -np.inf, 2.0], np.float32)
    rng = np.random.default_rng(5)
    drawn = Counter(sample(logits, 2.0, rng) for _ in range(20_000))
    weights = [math.exp(x / 2) for x in (0, 1, -math.inf, 2)]
    for token, weight in enumerate(weights):
        assert drawn[token] / 20_000 == pytest.approx(weight / sum(weights), abs=0.015)
    assert 2 not in drawn


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (Request([], 4), "request 0 has an empty prompt"),
        (Request([5], 4, temperature=-1), "temperature has to be 0 or more, not -1"),
        (Request([5] * 1000, 100), rf"1000 tokens and 100 more: 1100; the model's context is {CONFIG.max_positions}"),
        (Request([5, 1024], 4), "1024"),
    ],
)
def test_what_cannot_be_answered_is_said(request_, message):
    with pytest.raises(ValueError, match=message):
        RANDOM.answer([request_])


def test_a_mask_without_a_token_is_an_error_that_tells_the_text():
    assert RANDOM.answer([]) == []
    nothing = SimpleNamespace(initial=0, mask=lambda state, remaining=None: np.zeros(32, np.int32))
    with pytest.raises(NoLegalToken, match="after the text ''"):
        RANDOM.answer([Request([5], 4, constraint=nothing)])


@pytest.mark.parametrize("at", [0.0, np.nextafter(1.0, 0)])
def test_a_token_of_probability_nought_is_never_drawn_at_the_edges(at):
    logits, fixed = np.array([-np.inf, 3.0, -np.inf, 1.0, -np.inf], np.float32), SimpleNamespace(random=lambda: at)
    assert sample(logits, 1.0, fixed) in (1, 3)
