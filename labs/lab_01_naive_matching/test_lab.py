"""Tests of lab 01. The oracles are ``re`` by brute force, ``regex`` itself, NumPy's own sampling, and plain data."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from labkit.checking import Recorder, check_array, check_equal, check_mask, check_type
from labkit.models import adversary, seeded_random, uniform
from labkit.properties import PROPERTY
from labkit.vocabulary import Vocabulary

NUMBER = r"([0-9]+)?\.[0-9]+"
TEXTS = ("a", ".", ".2", "1")
LOGITS = st.lists(st.floats(-50, 50, width=32), min_size=1, max_size=8)


def has_completion(pattern: str, text: str, alphabet: str, longest: int) -> bool:
    """Brute force: whether some continuation of at most ``longest`` characters makes a full match."""
    tails = ("".join(tail) for n in range(longest + 1) for tail in product(alphabet, repeat=n))
    return any(re.fullmatch(pattern, text + tail) for tail in tails)


def number_so_far(text: str) -> bool:
    """The test's own predicate for NUMBER."""
    return regex.fullmatch(NUMBER, text, partial=True) is not None


def naive_by_numpy(logits: Sequence[float], texts: Sequence[str], pattern: str, seed: int, steps: int) -> str:
    """The whole lab in the words of the course's first example: RandomState, choice, and a loop."""
    rng = np.random.RandomState(seed)
    text = ""
    for _ in range(steps):
        weights = [
            math.exp(x) if regex.fullmatch(pattern, text + t, partial=True) else 0.0
            for x, t in zip(logits, texts, strict=True)
        ]
        text += texts[rng.choice(len(texts), p=np.array(weights) / sum(weights))]
    return text


# TODO 1 -------------------------------------------------------------------------------------------


@pytest.mark.todo(1)
def test_finds_the_number_in_an_answer(lab):
    """Search looks anywhere in the answer, over several lines."""
    answer = "Here are the first ten digits of pi:\n\n3.141592653\n\nAnything else?"
    check_equal(lab.find_answer(NUMBER, answer), "3.141592653", f"find_answer({NUMBER!r}, {answer!r})")


@pytest.mark.todo(1)
def test_gives_the_whole_match_not_a_group(lab):
    """The pattern has a group; the answer is what the whole pattern covers."""
    check_equal(lab.find_answer(r"(\w+)@(\w+)", "write to ada@home, please"), "ada@home", "find_answer with two groups")


@pytest.mark.todo(1)
def test_parsing_afterwards_fails(lab):
    """Why the lab exists: an answer in words has no match, and the first match may be the wrong one."""
    check_equal(lab.find_answer(NUMBER, "It is three point one four."), None, "find_answer in an answer without digits")
    chatty = "By version 2.0 of my notes it is 3.14."
    check_equal(lab.find_answer(NUMBER, chatty), "2.0", f"find_answer({NUMBER!r}, {chatty!r})")


@pytest.mark.todo(1)
def test_an_empty_match_is_a_match(lab):
    """A pattern may match the empty string: that is an answer, and not the lack of one."""
    check_equal(lab.find_answer("[0-9]*", "none here"), "", "find_answer('[0-9]*', 'none here')")


# TODO 2 -------------------------------------------------------------------------------------------


@pytest.mark.todo(2)
@pytest.mark.parametrize(("text", "expected"), [(".2", True), ("1.2", True), ("1.2a", False)])
def test_partial_matches_of_the_example(lab, text, expected):
    """The three texts of the course's first example."""
    check_equal(lab.could_match(NUMBER, text), expected, f"could_match({NUMBER!r}, {text!r})")


@pytest.mark.todo(2)
@pytest.mark.parametrize("pattern", [NUMBER, "(a|1)*[.]", "a[.]a", "1{2,3}", "a|1[.]"])
def test_could_match_agrees_with_brute_force(lab, pattern):
    """Every text of up to four characters over three letters, against all its continuations."""
    for text in ("".join(chars) for n in range(5) for chars in product("a.1", repeat=n)):
        expected = has_completion(pattern, text, "a.1", longest=3)
        check_equal(lab.could_match(pattern, text), expected, f"could_match({pattern!r}, {text!r})")


@pytest.mark.todo(2)
@pytest.mark.parametrize("text", ["pi 1.2", "1.2 or so", "1.2.", " 1", "1.2\n"])
def test_could_match_uses_up_the_whole_text(lab, text):
    """A match somewhere inside, or at the beginning, is no beginning of a full match."""
    check_equal(lab.could_match(NUMBER, text), False, f"could_match({NUMBER!r}, {text!r})")


# TODO 3 -------------------------------------------------------------------------------------------


@pytest.mark.todo(3)
@pytest.mark.parametrize("prefix", ["", "1", "1.", "1.2", ".", "a"])
def test_mask_of_the_example(lab, prefix):
    """The four tokens of the example, behind every kind of prefix; brute force says which may follow."""
    expected = np.array([has_completion(NUMBER, prefix + text, "a.1", longest=2) for text in TEXTS])
    got = lab.build_mask(TEXTS, prefix, number_so_far)
    check_mask(got, expected, TEXTS, f"after {prefix!r}", lambda i: f"the candidate is {prefix + TEXTS[i]!r}")


@pytest.mark.todo(3)
def test_asks_once_for_each_token(lab):
    """The cost of the naive mask is one question a token: no more, no fewer, about prefix and token together."""
    viable = Recorder(number_so_far)
    lab.build_mask(TEXTS, "1", viable)
    check_equal(Counter(viable.calls), Counter(["1a", "1.", "1.2", "11"]), "the questions asked for the prefix '1'")


@pytest.mark.todo(3)
def test_a_token_without_text_is_never_allowed(lab):
    """None is no text, and the empty text would be a step that goes nowhere: neither is asked about."""
    viable = Recorder(lambda text: True)
    texts = (None, "1", "", ".")
    check_mask(lab.build_mask(texts, "1", viable), np.array([False, True, False, True]), texts, "where all is viable")
    check_equal(sorted(viable.calls), ["1.", "11"], "the questions asked")


@PROPERTY
@given(st.lists(st.text("ab", max_size=3), min_size=1, max_size=9), st.text("ab", max_size=3), st.data())
@pytest.mark.todo(3)
def test_each_bit_is_the_answer_about_its_own_token(lab, texts, prefix, data):
    """Any predicate, any vocabulary: duplicates included, in the order of the ids."""
    yes = data.draw(st.sets(st.sampled_from([prefix + text for text in texts])))
    expected = np.array([text != "" and prefix + text in yes for text in texts])
    check_mask(lab.build_mask(texts, prefix, lambda text: text in yes), expected, texts, f"after {prefix!r}")


# TODO 4 -------------------------------------------------------------------------------------------


@pytest.mark.todo(4)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_allowed_logits_keep_every_bit(lab, dtype):
    """Minus zero, tiny and huge logits come out as they went in; the rest is minus infinity."""
    info = np.finfo(dtype)
    logits = np.array([-0.0, info.smallest_subnormal, info.max, info.min, 1.5, np.inf, 0.1], dtype)
    allowed = np.array([True, True, True, True, False, True, False])
    masked = lab.apply_mask(logits.copy(), allowed)
    check_array(masked, dtype, (7,), "apply_mask")
    check_equal(masked[allowed].tobytes(), logits[allowed].tobytes(), "the bytes of the allowed logits")
    check_equal(masked[~allowed].tolist(), [-np.inf, -np.inf], "the logits that are not allowed")


@pytest.mark.todo(4)
def test_the_callers_logits_stay_as_they_are(lab):
    """The model may hand out a row that it still needs."""
    logits = np.array([1.0, 2.0, 3.0], np.float32)
    lab.apply_mask(logits, np.array([False, True, False]))
    check_equal(logits.tolist(), [1.0, 2.0, 3.0], "the caller's logits after apply_mask")


@pytest.mark.todo(4)
def test_nothing_is_broadcast(lab):
    """A mask of another length is an error, not a guess."""
    lab.apply_mask(np.zeros(2, np.float32), np.array([True, False]))
    for allowed in ([True], [True, False, True], [[True, False]]):
        with pytest.raises(ValueError, match="shape"):
            lab.apply_mask(np.zeros(2, np.float32), np.array(allowed))


# TODO 5 -------------------------------------------------------------------------------------------


@PROPERTY
@given(LOGITS)
@pytest.mark.todo(5)
def test_softmax_is_exponentials_over_their_sum(lab, logits):
    """Against Python's own floats, to twelve digits: the work is done in float64."""
    weights = [math.exp(x) for x in logits]
    expected = np.array(weights) / math.fsum(weights)
    probs = lab.softmax(np.array(logits, np.float32))
    check_array(probs, np.float64, (len(logits),), "softmax")
    assert np.allclose(probs, expected, rtol=1e-12, atol=0), f"softmax({logits}) gave {probs}, expected {expected}"


@pytest.mark.todo(5)
@pytest.mark.parametrize("shift", [1000.0, -1000.0, 30000.0])
def test_softmax_of_large_logits(lab, shift):
    """exp(1000) is beyond every float; the probabilities are not."""
    probs = lab.softmax(np.array([shift, shift + 1.0], np.float32))
    expected = [1 / (1 + math.e), math.e / (1 + math.e)]
    assert np.allclose(probs, expected, rtol=1e-12), f"softmax of {shift} and {shift + 1}: {probs}, expected {expected}"


@pytest.mark.todo(5)
def test_masked_tokens_get_exactly_zero(lab):
    """Not 1e-30: a token of probability zero is never sampled."""
    probs = lab.softmax(np.array([-np.inf, 5.0, -np.inf, 5.0], np.float32))
    check_equal(probs.tolist(), [0.0, 0.5, 0.0, 0.5], "softmax([-inf, 5, -inf, 5])")


@pytest.mark.todo(5)
def test_softmax_refuses_a_row_of_minus_infinity(lab):
    """Such a row would come out as NaN, and sampling from it as garbage. One finite logit is enough."""
    check_equal(lab.softmax(np.array([-np.inf, -7.0])).tolist(), [0.0, 1.0], "softmax([-inf, -7])")
    with pytest.raises(ValueError, match="finite"):
        lab.softmax(np.full(3, -np.inf))


# TODO 6 -------------------------------------------------------------------------------------------


@pytest.mark.todo(6)
@pytest.mark.parametrize(("u", "expected"), [(0.0, 1), (0.2, 1), (0.25, 3), (0.7, 3), (0.75, 4), (0.999, 4)])
def test_the_smallest_id_whose_cumulative_probability_exceeds_u(lab, u, expected):
    """On a border the next piece begins, and ids of probability zero are never chosen."""
    probs = np.array([0.0, 0.25, 0.0, 0.5, 0.25, 0.0])
    check_equal(lab.sample(probs, u), expected, f"sample({probs.tolist()}, {u})")


@PROPERTY
@given(st.lists(st.integers(0, 64), min_size=1, max_size=10).filter(any), st.integers(0, 2**20 - 1))
@pytest.mark.todo(6)
def test_sample_by_the_definition(lab, weights, numerator):
    """Weights and u are integers here, so the definition can be checked without any rounding."""
    total = sum(weights)
    reaches = [sum(weights[: i + 1]) * 2**20 > numerator * total for i in range(len(weights))]
    exact = [sum(weights[: i + 1]) * 2**20 == numerator * total for i in range(len(weights))]
    if not any(exact) or total & (total - 1) == 0:  # a border is only exact where the division is
        got = lab.sample(np.array(weights) / total, numerator / 2**20)
        check_equal(got, reaches.index(True), f"sample of weights {weights}, u = {numerator}/2**20")


@pytest.mark.todo(6)
@pytest.mark.parametrize("zeros", [0, 3])
def test_rounding_never_runs_off_the_end(lab, zeros):
    """Ten times 0.1 adds up to 0.9999999999999999: the largest u must still find the last token that may come."""
    probs = np.array([0.1] * 10 + [0.0] * zeros)
    check_equal(lab.sample(probs, 0.9999999999999999), 9, f"sample of ten times 0.1 and {zeros} zeros, u just below 1")


@pytest.mark.todo(6)
@pytest.mark.parametrize("seed", [0, 12349])
def test_replays_the_stream_of_numpy(lab, seed):
    """With the same stream of u, the ids are those of numpy.random.choice."""
    probs = np.random.default_rng(seed).dirichlet(np.ones(50))
    us = np.random.RandomState(seed).random_sample(200)
    expected = np.random.RandomState(seed).choice(50, size=200, p=probs).tolist()
    check_equal([lab.sample(probs, float(u)) for u in us], expected, f"200 samples, seed {seed}")


@pytest.mark.todo(6)
@pytest.mark.parametrize("u", [-0.1, 1.0, 1.5, math.nan])
def test_u_lies_between_0_and_1(lab, u):
    """A u out of range is a mistake of the caller, and said to be one."""
    check_equal(lab.sample(np.array([1.0]), 0.5), 0, "sample([1.0], 0.5)")
    with pytest.raises(ValueError, match="u must lie in"):
        lab.sample(np.array([1.0]), u)


# TODO 7 -------------------------------------------------------------------------------------------


def text_of(ids: Sequence[int], texts: Sequence[str | None] = TEXTS) -> str:
    """The text that the ids spell."""
    check_type(ids, list, "generate")
    for token_id in ids:
        check_type(token_id, int, "each id of generate")
    return "".join(texts[i] or "" for i in ids)


@pytest.mark.todo(7)
@pytest.mark.parametrize(("seed", "expected"), [(12349, "11.21111"), (1, ".2111111"), (7, ".111111")])
def test_replays_the_first_example(lab, seed, expected):
    """Equal logits, the four tokens, seven steps, a seed: the text is the one that NumPy's own loop gives."""
    assert naive_by_numpy([1.0] * 4, TEXTS, NUMBER, seed, 7) == expected
    us = np.random.RandomState(seed).random_sample(7).tolist()
    got = text_of(lab.generate(uniform(4), TEXTS, number_so_far, us))
    check_equal(got, expected, f"the text of 7 steps, seed {seed}")


@pytest.mark.todo(7)
@pytest.mark.parametrize("seed", range(5))
def test_every_prefix_stays_viable(lab, seed):
    """Whatever the model prefers, each prefix of the output can still become a number."""
    us = np.random.default_rng(seed).random(12).tolist()
    ids = lab.generate(seeded_random(4, seed), TEXTS, number_so_far, us)
    check_equal(len(text_of(ids)) >= 12, True, "generate gives one token for each u here, so at least 12 characters")
    for length in range(len(ids) + 1):
        prefix = text_of(ids[:length])
        assert has_completion(NUMBER, prefix, ".1", longest=2), f"the output begins {prefix!r}, which is a dead end"


@pytest.mark.todo(7)
def test_the_adversary_cannot_have_its_way(lab):
    """A model that gives nearly all its probability to a token that is not allowed."""
    model = adversary(Vocabulary([b"a", b".", b".2", b"1", b"</s>"], eos_id=4), wants=["a"])
    ids = lab.generate(lambda ids: model(ids)[:4], TEXTS, number_so_far, [0.3] * 6)
    assert len(ids) == 6 and 0 not in ids, f"six tokens without 'a' (id 0); yours: {ids}"


@pytest.mark.todo(7)
def test_a_forbidden_token_may_hold_all_the_probability(lab):
    """Beside a forbidden logit of 1,000 the allowed ones round to nothing, so the mask comes before softmax."""
    logits = np.array([1000.0, 0.0, 0.0, 0.0], np.float32)
    ids = lab.generate(lambda ids: logits.copy(), TEXTS, number_so_far, [0.1, 0.5, 0.9])
    check_equal(text_of(ids), ".11", "the text of 3 steps where 'a' has logit 1,000 and the others 0")


@pytest.mark.todo(7)
def test_the_models_preferences_count(lab):
    """Among the allowed tokens the model's own probabilities decide, step by step."""
    logits = [9.0, -1.0, 0.5, 2.0]
    us = np.random.RandomState(5).random_sample(30).tolist()
    expected = naive_by_numpy(logits, TEXTS, NUMBER, seed=5, steps=30)
    got = text_of(lab.generate(lambda ids: np.array(logits, np.float32), TEXTS, number_so_far, us))
    check_equal(got, expected, "the text of 30 steps with logits 9, -1, 0.5, 2")


@pytest.mark.todo(7)
def test_asks_the_model_once_for_each_token(lab):
    """The model is the expensive part: one call for each token emitted, with the ids so far."""
    model = Recorder(seeded_random(4, seed=3))
    ids = lab.generate(model, TEXTS, number_so_far, [0.1, 0.9, 0.5, 0.2])
    check_equal(model.calls, [ids[:n] for n in range(4)], "the calls of the model")


@pytest.mark.todo(7)
def test_ends_where_nothing_may_follow(lab):
    """Behind a full match that nothing can extend, generation ends, and the model is not asked for more."""
    model = Recorder(uniform(4))
    ids = lab.generate(model, TEXTS, lambda text: "1.1".startswith(text), [0.5] * 9)
    check_equal(text_of(ids), "1.1", "the text where only '1.1' is viable")
    check_equal(len(model.calls), 3, "the number of calls of the model")
