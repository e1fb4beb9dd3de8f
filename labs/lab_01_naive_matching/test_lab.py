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

from labkit.checking import Recorder, bits, check_array, check_close, check_equal, check_mask, check_type, check_written
from labkit.checking.calls import check_call, check_raises, reporting
from labkit.checking.promises import check_promises
from labkit.checking.properties import PROPERTY
from labkit.models import adversary, seeded_random, uniform
from labkit.vocabulary import Vocabulary

NUMBER = r"([0-9]+)?\.[0-9]+"
TEXTS = ("a", ".", ".2", "1")
MINUS = float("-inf")
LOGITS = st.lists(st.floats(-50, 50, width=32), min_size=1, max_size=8)


def has_completion(pattern: str, text: str, alphabet: str, longest: int) -> bool:
    """Return whether some continuation of at most ``longest`` characters makes a full match, by brute force."""
    tails = ("".join(tail) for n in range(longest + 1) for tail in product(alphabet, repeat=n))
    return any(re.fullmatch(pattern, text + tail) for tail in tails)


def number_so_far(text: str) -> bool:
    """Return whether the text is a viable prefix of NUMBER, according to ``regex``."""
    return regex.fullmatch(NUMBER, text, partial=True) is not None


def naive_by_numpy(logits: Sequence[float], texts: Sequence[str], pattern: str, seed: int, steps: int) -> str:
    """Generate a text with NumPy's own sampling, ``RandomState.choice``, as an oracle for the whole lab."""
    rng = np.random.RandomState(seed)
    text = ""
    for _ in range(steps):
        weights = [
            math.exp(x) if regex.fullmatch(pattern, text + t, partial=True) else 0.0
            for x, t in zip(logits, texts, strict=True)
        ]
        text += texts[rng.choice(len(texts), p=np.array(weights) / sum(weights))]
    return text


# could_match --------------------------------------------------------------------------------------


@pytest.mark.todo("could_match")
@pytest.mark.parametrize("pattern", [NUMBER, "(a|1)*[.]", "a[.]a", "1{2,3}", "1|1[.]a"])
def test_viable_means_a_match_is_still_possible(lab, pattern):
    """A text is viable if you can put something after it and get a match. Every short text is tried with every short
    ending.
    """
    for text in ("".join(chars) for n in range(5) for chars in product("a.1", repeat=n)):
        check_call(lab, "could_match", (pattern, text), has_completion(pattern, text, "a.1", longest=3))


@pytest.mark.todo("could_match")
@pytest.mark.parametrize("text", ["pi 1.2", "1.2 or so", "1.2.", " 1", "1.2\n"])
def test_the_whole_text_has_to_fit(lab, text):
    """The whole text has to fit. A match somewhere inside it, or only at its start, won't do."""
    check_call(lab, "could_match", (NUMBER, text), False)


# build_mask ---------------------------------------------------------------------------------------


@pytest.mark.todo("build_mask")
@pytest.mark.parametrize("prefix", ["", "1", "1.", "1.2", ".", "a"])
def test_mask_of_the_example(lab, prefix):
    """Whatever's been written so far, allow exactly the tokens after which a match is still possible."""
    expected = np.array([has_completion(NUMBER, prefix + text, "a.1", longest=2) for text in TEXTS])
    got = lab.build_mask(TEXTS, prefix, number_so_far)
    check_mask(got, expected, TEXTS, f"after {prefix!r}", lambda i: f"the candidate is {prefix + TEXTS[i]!r}")


@pytest.mark.todo("build_mask")
def test_asks_once_for_each_token(lab):
    """Ask `viable` once about each token, always with the prefix in front of it. That's what being naive costs."""
    viable = Recorder(number_so_far)
    lab.build_mask(TEXTS, "1", viable)
    check_equal(Counter(viable.calls), Counter(["1a", "1.", "1.2", "11"]), "the questions asked for the prefix '1'")
    twice = Recorder(number_so_far)
    lab.build_mask(("1", "a", "1"), "1", twice)
    check_equal(Counter(twice.calls), Counter(["11", "1a", "11"]), "the questions where two ids have the text '1'")


@pytest.mark.todo("build_mask")
def test_a_token_without_text_is_never_allowed(lab):
    """Never allow a token without text (None or empty), and don't ask about it. It would add nothing, over and over."""
    viable = Recorder(lambda text: True)
    texts = (None, "1", "", ".")
    with reporting(f"build_mask({texts!r}, '1', viable), where all is viable"):
        got = lab.build_mask(texts, "1", viable)
    check_mask(got, np.array([False, True, False, True]), texts, "where all is viable")
    check_equal(sorted(viable.calls), ["1.", "11"], f"the questions asked for the tokens {texts!r} after '1'")


@PROPERTY
@given(st.lists(st.text("ab", max_size=3), min_size=1, max_size=9), st.text("ab", max_size=3), st.integers(0, 511))
@pytest.mark.todo("build_mask")
@pytest.mark.seconds(10)
def test_each_bit_is_the_answer_about_its_own_token(lab, texts, prefix, some):
    """Each bit answers for the token with its id, even if another token has the same text."""
    yes = {prefix + text for i, text in enumerate(texts) if some >> i & 1}
    expected = np.array([text != "" and prefix + text in yes for text in texts])
    check_mask(lab.build_mask(texts, prefix, lambda text: text in yes), expected, texts, f"after {prefix!r}")


# apply_mask ---------------------------------------------------------------------------------------


@pytest.mark.todo("apply_mask")
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_allowed_logits_keep_every_bit(lab, dtype):
    """Leave allowed logits exactly as they are, even minus zero. Only the forbidden ones become minus infinity."""
    info = np.finfo(dtype)
    logits = np.array([-0.0, info.smallest_subnormal, info.max, info.min, np.inf, np.inf, 0.1], dtype)
    allowed, before = bits("1111010"), logits.copy()
    with lab.in_place():
        masked = lab.apply_mask(logits, allowed)
    check_array(
        masked, dtype, (7,), f"apply_mask of {np.dtype(dtype).name} logits (a sum with another dtype widens them)"
    )
    for token_id, (logit, got) in enumerate(zip(before, masked, strict=True)):
        what = f"logit {token_id} is {logit} and {'allowed' if allowed[token_id] else 'not allowed'}: after apply_mask"
        right = logit if allowed[token_id] else dtype(-np.inf)
        if got.tobytes() != right.tobytes():
            raise AssertionError(f"{what}\n    expected {right}\n    yours    {got}")
    check_equal(logits.tolist(), before.tolist(), "the caller's logits afterwards: the model may still need them")


@pytest.mark.todo("apply_mask")
def test_nothing_is_broadcast(lab):
    """If the mask isn't as long as the logits, somebody made a mistake. Raise an error, and don't guess."""
    lab.apply_mask(np.zeros(2, np.float32), np.array([True, False]))
    for allowed in ([True], [True, False, True], [[True, False]]):
        call = lambda allowed=allowed: lab.apply_mask(np.zeros(2, np.float32), np.array(allowed))  # noqa: E731
        check_raises(call, ValueError, f"apply_mask([0, 0], {allowed})", "shape")


# softmax ------------------------------------------------------------------------------------------


def exponentials_over_their_sum(logits: Sequence[float]) -> list[float]:
    """Return the softmax of small logits, computed with Python's own floats."""
    weights = [math.exp(x) for x in logits]
    return [weight / math.fsum(weights) for weight in weights]


@PROPERTY
@given(LOGITS)
@pytest.mark.todo("softmax")
def test_softmax_is_exponentials_over_their_sum(lab, logits):
    """Divide each exponential by the sum of them all. Convert to float64 first, or twelve digits won't agree."""
    probs, expected = lab.softmax(np.array(logits, np.float32)), exponentials_over_their_sum(logits)
    check_close(probs, expected, f"softmax({logits})", rtol=1e-4, atol=1e-30)
    check_array(probs, np.float64, (len(logits),), "softmax of float32 logits")
    check_close(probs, expected, f"softmax({logits}), to twelve digits: float64 from the first step on")


@pytest.mark.todo("softmax")
@pytest.mark.parametrize("logits", [[MINUS, 5, MINUS, 5], [1000, 1001], [-1000, -999], [30000, 30001]], ids=str)
def test_softmax_of_large_and_masked_logits(lab, logits):
    """A masked token gets exactly 0. The others get their share, although exp(1000) overflows and exp(-1000) is 0."""
    with np.errstate(all="ignore"):
        probs = lab.softmax(np.array(logits, np.float32))
    small = [logit - logits[-1] for logit in logits]
    check_close(probs, exponentials_over_their_sum(small), f"softmax({logits})", rtol=1e-4)


# sample -------------------------------------------------------------------------------------------


@pytest.mark.todo("sample")
@pytest.mark.parametrize(("u", "expected"), [(0.0, 1), (0.2, 1), (0.25, 3), (0.7, 3), (0.75, 4), (0.999, 4)])
def test_u_lands_in_one_tokens_piece(lab, u, expected):
    """Each token has a piece of the line from 0 to 1. Return the one u lands in; on a border, that's the next. A
    probability of 0 has no piece.
    """
    probs = np.array([0.0, 0.25, 0.0, 0.5, 0.25, 0.0])
    what = f"sample({probs.tolist()}, {u})"
    with reporting(what):
        got, *others = (lab.sample(probs, u) for _ in range(20))
    drawn = f"the first of 20 calls of {what} returned {got!r}, later ones {others}: u alone must decide"
    assert all(other == got for other in others), drawn
    check_equal(got, expected, what)


@PROPERTY
@given(st.lists(st.integers(0, 64), min_size=1, max_size=10).filter(any), st.integers(0, 2**20 - 1))
@pytest.mark.todo("sample")
def test_sample_by_the_definition(lab, weights, numerator):
    """Weights and u are whole numbers here, so there's no rounding: return the first id whose sum is larger than u."""
    total = sum(weights)
    reaches = [sum(weights[: i + 1]) * 2**20 > numerator * total for i in range(len(weights))]
    exact = [sum(weights[: i + 1]) * 2**20 == numerator * total for i in range(len(weights))]
    if not any(exact) or total & (total - 1) == 0:  # a border is only exact where the division is
        got = lab.sample(np.array(weights) / total, numerator / 2**20)
        check_equal(got, reaches.index(True), f"sample of weights {weights}, u = {numerator}/2**20")


@pytest.mark.todo("sample")
@pytest.mark.parametrize("zeros", [0, 3])
def test_rounding_never_runs_off_the_end(lab, zeros):
    """Ten times 0.1 adds up to 0.9999999999999999. Even the largest u must still give you the last possible token."""
    probs = np.array([0.1] * 10 + [0.0] * zeros)
    got = lab.sample(probs, 0.9999999999999999)
    sums = "their running sums end at 0.9999999999999999, which does not exceed this u, unless they are divided by it"
    check_equal(got, 9, f"sample({probs.tolist()}, 0.9999999999999999): {sums}")


@pytest.mark.todo("sample")
@pytest.mark.parametrize("seed", [0, 12349])
def test_you_draw_what_numpy_draws(lab, seed):
    """With the same numbers u, draw the same ids as NumPy's own sampling."""
    probs = np.random.default_rng(seed).dirichlet(np.ones(50))
    us = np.random.RandomState(seed).random_sample(200).tolist()
    expected = np.random.RandomState(seed).choice(50, size=200, p=probs).tolist()
    ends = np.cumsum(probs)
    for u, token_id in zip(us, expected, strict=True):
        piece = f"the piece of id {token_id} lies from {ends[token_id] - probs[token_id]:.4f} to {ends[token_id]:.4f}"
        check_equal(lab.sample(probs, u), token_id, f"sample of 50 probabilities with u = {u:.4f}: {piece}")


@pytest.mark.todo("sample")
@pytest.mark.parametrize("u", [-0.1, 1.0, 1.5, math.nan])
def test_u_lies_between_0_and_1(lab, u):
    """If u is below 0, or isn't below 1, that's the caller's mistake, so raise an error."""
    check_equal(lab.sample(np.array([1.0]), 0.5), 0, "sample([1.0], 0.5)")
    check_raises(lambda: lab.sample(np.array([1.0]), u), ValueError, f"sample([1.0], {u})", "u must lie in")


# generate -----------------------------------------------------------------------------------------


def text_of(ids: Sequence[int]) -> str:
    """Return the text that generated ids spell."""
    check_type(ids, list, "generate")
    return "".join(TEXTS[i] for i in ids)


@pytest.mark.todo("generate")
@pytest.mark.parametrize(("seed", "expected"), [(12349, "11.21111"), (1, ".2111111"), (7, ".111111")])
def test_replays_the_first_example(lab, seed, expected):
    """With equal logits, seven steps and this seed, write what NumPy's own loop writes."""
    assert naive_by_numpy([1.0] * 4, TEXTS, NUMBER, seed, 7) == expected
    us = np.random.RandomState(seed).random_sample(7).tolist()
    got = text_of(lab.generate(uniform(4), TEXTS, number_so_far, us))
    check_equal(got, expected, f"the text of 7 steps, seed {seed}")


@pytest.mark.todo("generate")
def test_asks_the_model_once_for_each_token(lab):
    """Ask the model once for each token you write, with the ids so far. Nothing else here is as expensive."""
    model = Recorder(uniform(4))
    ids = lab.generate(model, TEXTS, number_so_far, [0.1, 0.9, 0.5, 0.2])
    check_equal(model.calls, [[], [1], [1, 3], [1, 3, 3]], "what the model was called with, call by call")
    check_written(ids, [1, 3, 3, 3], TEXTS, "the ids of a model without preferences for u = 0.1, 0.9, 0.5, 0.2")


@pytest.mark.todo("generate")
@pytest.mark.parametrize("seed", range(5))
def test_every_prefix_stays_viable(lab, seed):
    """Whatever the model prefers, a match is still possible after every token that you write."""
    us = np.random.default_rng(seed).random(12).tolist()
    ids = lab.generate(seeded_random(4, seed), TEXTS, number_so_far, us)
    check_equal(len(ids), 12, "the number of tokens for 12 numbers u, where a token may always follow")
    for length in range(len(ids)):
        prefix, token = text_of(ids[:length]), TEXTS[ids[length]]
        what = f"step {length + 1} wrote {token!r} after {prefix!r}, and no number starts with {prefix + token!r}"
        assert has_completion(NUMBER, prefix + token, ".1", longest=2), what


@pytest.mark.todo("generate")
def test_the_adversary_cannot_have_its_way(lab):
    """This model gives a forbidden token nearly all its probability, and under your mask it still can't write it."""
    model = adversary(Vocabulary([b"a", b".", b".2", b"1", b"</s>"], eos_id=4), wants=["a"])
    ids = lab.generate(lambda ids: model(ids)[:4], TEXTS, number_so_far, [0.3] * 6)
    check_equal(len(ids), 6, "the number of tokens for 6 numbers u, where a token may always follow")
    assert 0 not in ids, f"the model wants 'a', id 0, which may never come; yours gave the ids {ids}: {text_of(ids)!r}"


@pytest.mark.todo("generate")
def test_the_mask_comes_before_softmax(lab):
    """Mask the logits, not the probabilities: beside a forbidden logit of 1,000, softmax rounds every allowed token to
    zero.
    """
    logits = np.array([1000.0, 0.0, 0.0, 0.0], np.float32)
    ids = lab.generate(lambda ids: logits.copy(), TEXTS, number_so_far, [0.1, 0.5, 0.9])
    check_equal(text_of(ids), ".11", "the text of 3 steps where 'a' has logit 1,000 and the others 0")


@pytest.mark.todo("generate")
@pytest.mark.parametrize(("only", "steps"), [("1.1", 9), ("1.11", 3)])
def test_ends_where_nothing_may_follow(lab, only, steps):
    """When nothing may follow, stop without asking the model. If a single token may, ask all the same."""
    model = Recorder(uniform(4))
    ids = lab.generate(model, TEXTS, only.startswith, [0.5] * steps)
    check_equal(text_of(ids), "1.1", f"the text of {steps} steps where only {only!r} is viable")
    check_equal(model.calls, [[], [3], [3, 1]], "what the model was called with, call by call")


# Promises of every function ---------------------------------------------------------------------------

SPACES = (" ", None, "b", "", "b", "a", "ba", "  ")
"""White space alone, two ids with one text, and ids without text in the middle."""


def among(*viable_texts: str):
    """Return a predicate that is true for prefixes of these texts."""
    return lambda text: any(each.startswith(text) for each in viable_texts)


def row(texts, prefix: str, viable, digits: str):
    """Return the arguments of a call of build_mask, and a judge of the mask, which names a wrong token."""
    asked = lambda i: f"the candidate is {prefix + texts[i]!r}" if texts[i] else "it has no text"  # noqa: E731
    return (texts, prefix, viable), lambda got, what: check_mask(got, bits(digits), texts, what, asked)


def promises():
    """Return calls of each function with different answers."""
    three = np.array([1, 2, 3], np.float32)
    tenths = np.array([0.1] * 10)
    level, likes_a = np.zeros(8, np.float32), np.array([0, 0, 0, 0, 0, 99, 0, 0], np.float32)
    no_b, in_turn = np.array([0, 0, MINUS, 0, MINUS, 0, 0, 0]), lambda ids: np.eye(8)[2 + 2 * len(ids)] * 99
    return {
        "could_match": {
            "of '1.' and a number": ((NUMBER, "1."), True),
            "of 'A' and small letters": (("[a-z]+", "A"), False),
            "of no text": ((NUMBER, ""), True),
            "of no text and the empty pattern": (("", ""), True),
            "of a space and the empty pattern": (("", " "), False),
            "of a space and a space": ((" b", " "), True),
            "of '1' and two digits": (("[0-9]{2}", "1"), True),
            "of '111' and two digits": (("[0-9]{2}", "111"), False),
        },
        "build_mask": {
            "of spaces, and of one text twice": row(SPACES, "", among("  ", "b"), "10101001"),
            "of another predicate": row(SPACES, "", among("ba"), "00101010"),
            "of another prefix": row(SPACES, "b", among("ba", "b "), "10000100"),
            "of a list with other ids": row(list(SPACES[::-1]), "", among("ba"), "01010100"),
            "of a prefix that is white space": row(SPACES, " ", among("  "), "10000000"),
            "where nothing is viable": row(SPACES, "x", among("b"), "00000000"),
            "of no tokens": row((), "", among("b"), ""),
            "of one token": row(["b"], "", among("b"), "1"),
        },
        "apply_mask": {
            "of float32": ((three, bits("101")), np.array([1, MINUS, 3], np.float32)),
            "of the same logits and another mask": ((three, bits("011")), np.array([MINUS, 2, 3], np.float32)),
            "of a mask with all tokens": ((three, bits("111")), np.array([1, 2, 3], np.float32)),
            "of a mask without a token": ((three, bits("000")), np.array([MINUS] * 3, np.float32)),
            "of a model's own minus infinity": ((np.array([MINUS, 2.0]), bits("10")), np.array([MINUS, MINUS])),
            "of no tokens": ((np.zeros(0), bits("")), np.zeros(0)),
            "of one token": ((np.array([7], np.float16), bits("1")), np.array([7], np.float16)),
        },
        "softmax": {
            "of two equal logits and minus infinity": ((np.array([3, MINUS, 3], np.float32),), np.array([0.5, 0, 0.5])),
            "of the same in float64": ((np.array([MINUS, 3.0, 3.0]),), np.array([0, 0.5, 0.5])),
            "of four logits in float16": ((np.array([7, 7, 7, 7], np.float16),), np.array([0.25] * 4)),
            "of one token": ((np.array([-900.0]),), np.array([1.0])),
            "of logits 2,000 apart": ((np.array([0.0, 2000.0]),), np.array([0.0, 1.0])),
            "of minus infinity alone": ((np.array([MINUS, MINUS]),), ValueError),
        },
        "sample": {
            "of [1/4, 0, 3/4] and 0.25": ((np.array([0.25, 0, 0.75]), 0.25), 2),
            "of [0.7, 0.2, 0.1] and 0.25": ((np.array([0.7, 0.2, 0.1]), 0.25), 0),
            "of ten times 0.1 and 0.5": ((tenths, 0.55), 5),
            "of ten times 0.1 and the largest u": ((tenths, 0.9999999999999999), 9),
            "of one token": ((np.array([1.0]), np.float64(0.5)), 0),
            "of a u of 0": ((np.array([0.0, 1.0]), 0), 1),
            "of a u of 1": ((np.array([0.0, 1.0]), 1.0), ValueError),
        },
        "generate": {
            "of 'ba b'": ((lambda ids: level, SPACES, among("ba b"), [0.1, 0.9, 0.5, 0.9, 0.5]), [2, 5, 0, 4]),
            "of another predicate": ((lambda ids: level, SPACES, among("b b"), [0.1, 0.9, 0.5, 0.9]), [2, 0, 4]),
            "of a model that likes one token": ((lambda ids: likes_a, list(SPACES), among("aaa"), [0.5] * 2), [5, 5]),
            "with a tuple of numbers u": ((lambda ids: level, SPACES, among("ba b"), (0.9, 0.0)), [6, 0]),
            "with an array of numbers u": ((lambda ids: level, SPACES, among("ba b"), np.array([0.0, 0.9])), [2, 5]),
            "of a model with its own minus infinity": ((lambda ids: no_b, SPACES, among("ba b"), [0.0, 0.9]), [6, 0]),
            "of a model that reads what was written": ((in_turn, ("b",) * 8, lambda text: True, [0.5] * 3), [2, 4, 6]),
            "where nothing is viable": ((lambda ids: level, SPACES, lambda text: False, [0.5]), []),
            "without numbers u": ((lambda ids: level, SPACES, among("b"), []), []),
        },
    }


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.todo(name), id=name) for name in promises()])
def test_calls_leave_everything_else_alone(lab, name):
    """Answer each call right, with a new result. Leave its arguments alone, and remember nothing of other calls."""
    check_promises(lab, name, promises()[name])
