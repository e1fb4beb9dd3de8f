"""Tests of lab 09. The guides are test doubles: ``regex`` and brute force over a small vocabulary, calls counted.

What an engine does is counted in steps and in calls of the model, never by the clock.
"""

import json
import re
from collections import Counter
from copy import deepcopy
from itertools import product

import numpy as np
import pytest
import regex as rx
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import validate

from labkit.checking import check_array, check_equal, check_type
from labkit.checking.calls import check_call, reporting
from labkit.checking.promises import check_promises
from labkit.checking.properties import PROPERTY
from labkit.checking.showing import cut
from labkit.errors import BudgetTooSmall, QueueFull, TokenNotAllowed
from labkit.vocabulary import Vocabulary

WORDS = [b"yes", b"no", b"maybe", b"10", b".5", b"", b"[", b"]", b",", b" ", b"<pad>", b"x", b"xy", b"y", b"-", b"a"]
TOKENS = [*(str(digit).encode() for digit in range(10)), b".", *WORDS, *[b"#"] * 6, b"7", b"</s>", b"z", b"ab", b"b"]
EOS = TOKENS.index(b"</s>")
V = len(TOKENS)
SMALL = Vocabulary(TOKENS, eos_id=EOS, special_ids=[TOKENS.index(b"<pad>")])
"""38 tokens, so two words of a bitmask; the last ``7`` is token 33, EOS is token 34, and neither is the last."""

ID = {token.decode(): token_id for token_id, token in reversed(list(enumerate(TOKENS)))}
END = "<end>"


class Brute:
    """A guide by brute force: its states are texts, and every token is tried. It counts the calls of each kind."""

    def __init__(self, pattern, vocabulary=SMALL):
        self.pattern = pattern
        self.texts = {i: text for i, text in enumerate(vocabulary.texts()) if text and i not in vocabulary.special_ids}
        self.eos_id, self.size = vocabulary.eos_id, len(vocabulary)
        self.calls = Counter()
        self.filled, self.budgets = [], []

    def accepts(self, state):
        return state == END or re.fullmatch(self.pattern, state) is not None

    def viable(self, state):
        return {i: state + t for i, t in self.texts.items() if rx.fullmatch(self.pattern, state + t, partial=True)}

    def fewest(self, state, most=6):
        """Return the fewest tokens to a match; infinity if it needs more than a few."""
        texts = {state}
        for tokens in range(most):
            if any(map(self.accepts, texts)):
                return tokens
            texts = {longer for text in texts for longer in self.viable(text).values()}
        return float("inf")

    def ids(self, state, remaining=None):
        if state == END:
            return set()
        left = float("inf") if remaining is None else remaining
        found = {i for i, text in self.viable(state).items() if remaining is None or self.fewest(text) + 2 <= left}
        return found | ({self.eos_id} if self.accepts(state) else set())

    def words(self, state, remaining=None):
        bits = np.isin(np.arange(-(-self.size // 32) * 32), sorted(self.ids(state, remaining)))
        return np.packbits(bits, bitorder="little").view("<i4").astype(np.int32)

    def mask(self, state, remaining=None):
        self.calls["mask"] += 1
        row = self.words(state, remaining)
        row.flags.writeable = False
        return row

    def fill(self, states, out, remaining=None):
        self.calls["fill"] += 1
        self.filled.append(list(states))
        self.budgets.append(remaining)
        wanted, got = f"int32{[len(states), -(-self.size // 32)]}", f"{out.dtype}{list(out.shape)}"
        assert got == wanted, f"fill got {len(states)} of the states and an out of {got}; it must be {wanted}"
        budgets = [remaining] * len(states) if remaining is None or isinstance(remaining, int) else remaining
        for row, state, budget in zip(out, states, budgets, strict=True):
            row[:] = self.words(state, budget)
        return out  # so that what was written crosses the pipe

    def advance(self, state, token_id):
        self.calls["advance"] += 1
        if token_id not in self.ids(state):
            raise TokenNotAllowed(token_id, f"the text {state!r}")
        return END if token_id == self.eos_id else state + self.texts[token_id]

    def is_accepting(self, state):
        self.calls["is_accepting"] += 1
        return self.accepts(state)

    def tokens_to_accept(self, state):
        self.calls["tokens_to_accept"] += 1
        return self.fewest(state)

    def made(self, lab):
        """Return the guide as the lab's code takes it."""
        functions = (self.mask, self.fill, self.advance, self.is_accepting, self.tokens_to_accept)
        return lab.GuideOfFunctions("", *functions)


def at(lab, brute, text=""):
    """Return a state of its own after a text."""
    return lab.StructuredOutputState(brute.made(lab), text)


def shown(ids):
    """Return ids as a failure shows them."""
    return sorted("EOS" if i == EOS else TOKENS[i].decode() for i in ids)


def kept(logits):
    """Return the ids whose logits are not minus infinity."""
    return set(np.flatnonzero(logits != -np.inf).tolist())


def must_raise(kind, what, call):
    """Return the error of this kind that a call raises."""
    try:
        got = call()
    except kind as error:
        return error
    raise AssertionError(f"{what} must raise {kind.__name__}; yours gave {got!r}")


def noise(*seed):
    """Return logits that depend on the numbers alone."""
    return np.random.default_rng(seed).standard_normal(V, dtype=np.float32)


# TODO 1 -------------------------------------------------------------------------------------------


@pytest.mark.todo("advance_state")
def test_advance_state(lab):
    """The state moves on by one token, and the guide is asked once for each."""
    brute = Brute("[0-9]+|yes")
    state = at(lab, brute)
    for token_id, expected in ((ID["7"], "7"), (ID["10"], "710"), (EOS, END)):
        check_equal(lab.advance_state(state, token_id), None, f"advance_state by token {token_id}")
        check_equal(state.current, expected, f"the state after token {token_id}")
    check_equal(brute.calls, Counter(advance=3), "the calls of the guide")


@pytest.mark.todo("advance_state")
@pytest.mark.parametrize("token_id", [ID["no"], ID["x"], EOS, V])
def test_a_refused_token_leaves_the_state(lab, token_id):
    """If the guide raises TokenNotAllowed, so do you, and the state is where it was."""
    state = at(lab, Brute("yes|[0-9]{2}"), "1")
    with pytest.raises(TokenNotAllowed):
        lab.advance_state(state, token_id)
    check_equal(state.current, "1", f"the state after token {token_id}, which is not allowed")


@pytest.mark.todo("advance_state")
def test_the_same_grammar_twice_shares_the_guide_and_not_the_state(lab):
    """Two requests with one guide: where one of them goes, the other does not."""
    guide = Brute("[0-9]+").made(lab)
    one, other = lab.StructuredOutputState(guide), lab.StructuredOutputState(guide)
    for state, token_id in ((one, ID["1"]), (other, ID["2"]), (one, ID["3"])):
        lab.advance_state(state, token_id)
    check_equal((one.current, other.current), ("13", "2"), "the states of two requests with one guide")
    check_equal(guide.initial, "", "the initial state of the guide afterwards")
    check_equal(lab.StructuredOutputState(guide).current, "", "the state of a third request, which is new")


# TODO 2 -------------------------------------------------------------------------------------------


@pytest.mark.todo("tokens_of")
@pytest.mark.parametrize(
    ("words", "expected"),
    [([0], set()), ([1], {0}), ([-(2**31)], {31}), ([0, 1], {32}), ([6, 0, -1], {1, 2, *range(64, 96)}), ([], set())],
)
def test_the_ids_of_bits(lab, words, expected):
    """Bit t % 32 of word t // 32 is token t, the sign bit too."""
    row = np.array(words, np.int32)
    row.flags.writeable = False
    got = lab.tokens_of(row)
    check_equal(got, expected, f"tokens_of({words})")
    for token_id in got:
        check_type(token_id, int, f"each id of tokens_of({words})")


@pytest.mark.todo("tokens_of")
@given(st.sets(st.integers(0, 99)))
@PROPERTY
def test_any_set_of_ids(lab, ids):
    """Whatever bits are set, their ids come out."""
    words = [sum(1 << (i % 32) for i in ids if i // 32 == word) for word in range(4)]
    check_equal(lab.tokens_of(np.array(words, np.uint32).view(np.int32)), ids, f"tokens_of the bits {sorted(ids)}")


@pytest.mark.todo("tokens_of")
def test_allowed_tokens_of_a_state(lab):
    """A state's allowed tokens are those that ``regex`` finds viable, and EOS where the text matches."""
    for text, remaining in (("", None), ("1", None), ("1", 2), ("12", None), (END, None)):
        brute = Brute("[0-9]{1,2}(\\.5)?")
        got = at(lab, brute, text).allowed_tokens(remaining)
        check_equal(shown(got), shown(brute.ids(text, remaining)), f"allowed_tokens({remaining}) after {text!r}")


# TODO 3 -------------------------------------------------------------------------------------------

STOPS = [
    ("[0-9]", "", None, False),
    ("[0-9]", "7", None, True),
    ("[0-9]+", "7", None, False),
    ("yes|no", "yes", None, True),
    ("yx", "y", None, False),
    ("xy?", "x", None, False),
    ("[0-9]+", "7", 1, True),
    ("[0-9]+", "7", 2, False),
    ("[0-9]+", END, None, True),
    ("[0-9]+", END, 0, True),
    ("", "", None, True),
    ("[0-9]Q?", "1", None, True),
    ("1z?", "1", None, False),  # the bits of z and EOS are in one word
]


@pytest.mark.todo("is_finished")
@pytest.mark.parametrize(("pattern", "text", "remaining", "expected"), STOPS)
def test_where_nothing_can_follow(lab, pattern, text, remaining, expected):
    """True where the text is a whole match and no token of the vocabulary, and of the budget, may follow but EOS."""
    brute = Brute(pattern)
    state = at(lab, brute, text)
    what = f"is_finished after {text!r} of {pattern}, remaining={remaining}"
    with reporting(what, expected):
        got = lab.is_finished(state, remaining)
    check_equal(got, expected, what)
    check_equal(state.current, text, f"the state afterwards: {what} must leave it alone")
    assert not brute.calls["advance"], f"{what} must not advance the guide"


@pytest.mark.todo("is_finished")
def test_one_forced_token_is_not_the_end(lab):
    """In the middle of ``maybe``, a single token is allowed, and it is not EOS."""
    vocabulary = Vocabulary([b"may", b"be", b"</s>"], eos_id=2)
    for text, expected in (("", False), ("may", False), ("maybe", True)):
        check_equal(lab.is_finished(at(lab, Brute("maybe", vocabulary), text)), expected, f"is_finished after {text!r}")


def with_sign_bits(lab, allowed):
    """Return a state that allows some of 64 tokens, always, and its bitmask of two words."""
    words = [sum(1 << token % 32 for token in allowed if token // 32 == word) for word in (0, 1)]
    bitmask = np.array(words, np.uint32).view(np.int32)
    guide = lab.GuideOfFunctions(0, lambda state, remaining: bitmask, max, max, lambda state: True, max)
    return lab.StructuredOutputState(guide), bitmask


@pytest.mark.todo("is_finished")
@pytest.mark.parametrize(
    ("allowed", "expected"),
    [
        ([31], True),
        ([30, 31], False),
        ([63], True),
        ([31, 63], False),
        ([0, 31], False),
        ([], True),
        (range(64), False),
        (range(32, 64), False),
    ],
)
def test_a_word_of_a_mask_has_a_sign(lab, allowed, expected):
    """EOS may be token 31, the sign bit of its word: alone it ends the answer, beside token 30 it is one of two."""
    state, bitmask = with_sign_bits(lab, allowed)
    what = f"is_finished in an accepting state with the tokens {[*allowed]}, the words {bitmask}"
    check_equal(lab.is_finished(state), expected, what)


@pytest.mark.todo("is_finished")
def test_is_terminal_check(lab):
    """A state is terminal where the text matches; it may be terminal and not finished."""
    for text, terminal, finished in (("", False, False), ("1", True, False), ("12", True, True)):
        state = at(lab, Brute("[0-9]{1,2}"), text)
        check_equal(
            (state.is_terminal(), lab.is_finished(state)), (terminal, finished), f"after {text!r} of [0-9]{{1,2}}"
        )


# TODO 4 -------------------------------------------------------------------------------------------


@pytest.mark.todo("apply_structured_output_mask")
@pytest.mark.parametrize("remaining", [None, 1, 2, 9])
@pytest.mark.parametrize("text", ["", "1", "1."])
def test_mask_disallows_tokens(lab, text, remaining):
    """Exactly the tokens that brute force finds keep their logits."""
    brute = Brute("[0-9]+\\.5?|yes")
    got = lab.apply_structured_output_mask(noise(1), at(lab, brute, text), remaining)
    check_array(got, np.float32, (V,), "apply_structured_output_mask")
    check_equal(shown(kept(got)), shown(brute.ids(text, remaining)), f"the tokens kept after {text!r}, {remaining=}")


@pytest.mark.todo("apply_structured_output_mask")
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_mask_preserves_allowed(lab, dtype):
    """Allowed logits keep their bits and the dtype; infinite ones and NaN are no exception."""
    logits = noise(2).astype(dtype)
    logits[[ID["1"], ID["x"], ID["y"], ID["2"], EOS]] = [np.inf, np.inf, np.nan, -0.0, np.nan]
    before = logits.copy()
    with lab.in_place():
        got = lab.apply_structured_output_mask(logits, at(lab, Brute("[0-9]+")))
    check_array(got, dtype, (V,), "apply_structured_output_mask")
    legal = [i for i in range(V) if TOKENS[i].isdigit()]
    for i in legal:  # as texts first: 0.0 and -0.0 are equal, and differ
        check_equal(f"{got[i]}", f"{before[i]}", f"the logit of {TOKENS[i]!r}, a digit")
    check_equal(got[legal].tobytes(), before[legal].tobytes(), "the logits of the digits, to the last bit")
    others = np.delete(got, legal)
    check_equal(others.tolist(), [-np.inf] * len(others), "the other logits")
    check_equal(logits.tobytes(), before.tobytes(), "the model's own logits afterwards")


@pytest.mark.todo("apply_structured_output_mask")
def test_mask_empty_allowed_set(lab):
    """Where no token is allowed, all logits are minus infinity, and nothing is raised: the sampler will say so."""
    for pattern, text in (("1Q", "1"), ("1", END)):
        got = lab.apply_structured_output_mask(noise(3), at(lab, Brute(pattern), text))
        check_equal(got.tolist(), [-np.inf] * V, f"the logits after {text!r} of {pattern}")


@pytest.mark.todo("apply_structured_output_mask")
@pytest.mark.parametrize("allowed", [[31], [30, 31], [63], [0, 31, 62], [], range(64), range(32, 64)], ids=str)
def test_the_sign_bit_of_a_word_is_a_token(lab, allowed):
    """Tokens 31 and 63 are the sign bits of their words: they are kept, or masked, as all others are."""
    state, bitmask = with_sign_bits(lab, allowed)
    got = lab.apply_structured_output_mask(np.zeros(64, np.float32), state)
    check_equal(sorted(kept(got)), [*allowed], f"the tokens kept by the words {bitmask}")


def masked_calls(lab):
    """Return calls of ``apply_structured_output_mask``."""
    calls = {}
    for pattern, text, remaining, seed in (("[0-9]+", "1", None, 1), ("yes|no", "", None, 1), ("[0-9]+", "1", 1, 2)):
        brute, logits = Brute(pattern), noise(seed)
        legal = np.isin(np.arange(V), sorted(brute.ids(text, remaining)))
        expected = np.where(legal, logits, np.float32(-np.inf))
        calls[f"after {text!r} of {pattern}, {remaining=}"] = ((logits, at(lab, brute, text), remaining), expected)
    return calls


# TODO 5 -------------------------------------------------------------------------------------------


def drawn(lab, logits, params, state, draws=60, context=()):
    """Return the tokens that many seeds give."""
    return {
        lab.sample_token(logits, list(context), lab.SamplingParams(**params), lab.np.random.default_rng(seed), state)
        for seed in range(draws)
    }


@pytest.mark.todo("sample_token")
@pytest.mark.parametrize("seed", range(4))
def test_integration_with_sample_token(lab, seed):
    """At temperature 0 the likeliest legal token is taken, whatever illegal ones are likelier."""
    logits, brute = noise(5, seed), Brute("[0-9]+|yes")
    got = lab.sample_token(
        logits, [], lab.SamplingParams(temperature=0), lab.np.random.default_rng(0), at(lab, brute, "1")
    )
    check_equal(got, max(brute.ids("1"), key=lambda i: logits[i]), "the token at temperature 0")


@pytest.mark.todo("sample_token")
def test_mask_before_top_k(lab):
    """The two likeliest legal tokens are kept by top_k=2, even if three illegal ones are likelier."""
    logits = np.zeros(V, np.float32)
    logits[[ID["x"], ID["y"], ID["z"]]] = 9
    logits[[ID["4"], ID["6"]]] = 1
    got = drawn(lab, logits, {"top_k": 2}, at(lab, Brute("[0-9]")))
    check_equal(shown(got), ["4", "6"], "what top_k=2 draws, where x, y and z are likelier and illegal")


@pytest.mark.todo("sample_token")
def test_mask_before_top_p(lab):
    """The nucleus is one of legal tokens: an illegal token of probability 0.99 takes no part in it."""
    logits = np.full(V, -20, np.float32)
    logits[[ID["x"], ID["4"], ID["6"], ID["8"]]] = np.log([0.99, 0.006, 0.003, 0.001])
    for top_p, expected in ((0.5, ["4"]), (0.85, ["4", "6"])):
        got = drawn(lab, logits, {"top_p": top_p}, at(lab, Brute("[468]")), draws=90)
        check_equal(shown(got), expected, f"what top_p={top_p} draws of 4, 6 and 8, with probabilities 6, 3 and 1")


@pytest.mark.todo("sample_token")
def test_mask_before_min_p(lab):
    """min_p compares with the likeliest legal token."""
    logits = np.full(V, -20, np.float32)
    logits[[ID["x"], ID["4"], ID["6"], ID["8"]]] = np.log([0.99, 0.006, 0.003, 0.001])
    got = drawn(lab, logits, {"min_p": 0.4}, at(lab, Brute("[468]")), draws=90)
    check_equal(shown(got), ["4", "6"], "what min_p=0.4 draws of 4, 6 and 8, with probabilities 6, 3 and 1")


@pytest.mark.todo("sample_token")
def test_the_rest_is_the_engines_sampler(lab):
    """Context, parameters and generator reach the sampler: penalties count, and one number is drawn."""
    logits = np.full(V, -5, np.float32)
    logits[[ID["4"], ID["6"]]] = [3, 2.9]
    greedy, rng = {"temperature": 0, "repetition_penalty": 1.5}, lab.np.random.default_rng(7)
    state = at(lab, Brute("[0-9]"))
    check_equal(shown(drawn(lab, logits, greedy, state, 1)), ["4"], "the token if 4 was not written yet")
    check_equal(shown(drawn(lab, logits, greedy, state, 1, [ID["4"]])), ["6"], "the token after a 4, penalty 1.5")
    logits[ID["x"]] = 20  # illegal, and all but certain
    got = lab.sample_token(logits, [], lab.SamplingParams(), rng, state)
    check_type(got, int, "sample_token")
    check_equal(rng.random(), np.random.default_rng(7).random(2).tolist()[1], "the second number of the generator")
    check_equal(state.current, "", "the state afterwards: the engine advances it")


@pytest.mark.todo("sample_token")
def test_a_budget_reaches_the_mask(lab):
    """With one token left, EOS is drawn."""
    logits = noise(6)
    params, rng = lab.SamplingParams(), lab.np.random.default_rng(1)
    got = lab.sample_token(logits, [], params, rng, at(lab, Brute("[0-9]+"), "1"), 1)
    check_equal(got, EOS, "the token with remaining=1")


@pytest.mark.todo("sample_token")
def test_zero_overhead_when_none(lab):
    """Without a state nothing is masked: the tokens are those of the model."""
    logits = np.zeros(V, np.float32)
    logits[[ID["x"], ID["4"]]] = [2, 1.5]
    before = logits.copy()
    with lab.in_place():
        first, others = drawn(lab, logits, {"temperature": 0}, None, 1), drawn(lab, logits, {"top_k": 2}, None)
    check_equal(shown(first), ["x"], "the token at temperature 0, no state")
    check_equal(shown(others), ["4", "x"], "what top_k=2 draws, no state")
    check_equal(logits.tobytes(), before.tobytes(), "the logits afterwards")


@pytest.mark.todo("sample_token")
def test_no_legal_token_is_an_error(lab):
    """Where the mask leaves nothing, the sampler raises; it must not fall back on illegal tokens."""
    with pytest.raises(ValueError, match="no token may come next"):
        drawn(lab, noise(1), {}, at(lab, Brute("1Q"), "1"), 1)


# TODO 6 -------------------------------------------------------------------------------------------


def batch_of(lab, rows):
    """Return states for pairs of a guide and a text, or None; equal guides are the same object."""
    guides = {id(brute): brute.made(lab) for brute, _ in filter(None, rows)}
    return [row and lab.StructuredOutputState(guides[id(row[0])], row[1]) for row in rows]


def expected_batch(rows, logits, remaining):
    """Return the masked logits by brute force."""
    out = logits.copy()
    for place, row in enumerate(rows):
        if row is not None:
            ids = row[0].ids(row[1], None if remaining is None else remaining[place])
            out[place, [i for i in range(V) if i not in ids]] = -np.inf
    return out


def check_batch(lab, rows, remaining=None, function="mask_batch"):
    """Assert what a batch becomes, and that each guide was asked once."""
    logits = np.stack([noise(7, place) for place in range(len(rows))])
    expected = expected_batch(rows, logits, remaining)
    states = batch_of(lab, rows)
    for brute, _ in filter(None, rows):
        brute.calls.clear()
        brute.filled.clear()
    with lab.in_place():
        got = getattr(lab, function)(states, logits, remaining)
    check_equal(got, None, function)
    for place, (got, wanted) in enumerate(zip(logits, expected, strict=True)):
        row = "no constraint" if rows[place] is None else f"{rows[place][0].pattern} after {rows[place][1]!r}"
        check_equal(shown(kept(got)), shown(kept(wanted)), f"the tokens kept in row {place}: {row}")
        check_equal(got.tobytes(), wanted.tobytes(), f"the logits of row {place}: {row}")
    for brute, _ in filter(None, rows):
        check_equal(brute.calls, Counter(fill=1), f"the calls of the guide of {brute.pattern}")


NUMBER, ANSWER = "[0-9]+(\\.5)?", "yes|no|maybe"


@pytest.mark.todo("mask_batch")
def test_rows_without_a_constraint_stay(lab):
    """A row without a state keeps every bit, NaN and minus zero too; nothing is asked about it."""
    logits = np.stack([noise(1), noise(2), noise(3)])
    logits[0, :3] = [np.nan, -0.0, np.inf]
    before = logits.copy()
    brute = Brute(NUMBER)
    with lab.in_place():
        lab.mask_batch([None, at(lab, brute), None], logits)
    for row in (0, 2):
        check_equal(logits[row].tobytes(), before[row].tobytes(), f"row {row}, which has no constraint")
    check_equal(shown(kept(logits[1])), shown(brute.ids("")), "the tokens kept in row 1")


@pytest.mark.todo("mask_batch")
def test_one_call_of_fill_for_each_guide(lab):
    """Five rows, two guides, one row without: each guide is asked once, for its own rows, in their order."""
    number, answer = Brute(NUMBER), Brute(ANSWER)
    check_batch(lab, [(number, "1"), (answer, ""), None, (number, ""), (answer, "yes"), (number, "12.5")])
    check_equal(sorted(number.filled[0]), ["", "1", "12.5"], "the states that the first guide is asked about")
    check_equal(number.budgets, [None], "the remaining of the first guide's call of fill, where the batch has none")


@pytest.mark.todo("mask_batch")
@pytest.mark.parametrize("size", [1, 31, 32, 33, 64])
def test_a_row_has_as_many_words_as_the_vocabulary_needs(lab, size):
    """``out`` has ceil(V / 32) words a row: one for 32 tokens, two for 33. The last token is masked like the others."""
    brute = Brute("a", Vocabulary([b"a"] * size, eos_id=0))
    logits = np.zeros((2, size), np.float32)
    with lab.in_place(), reporting(f"mask_batch of a vocabulary of {size} tokens"):
        lab.mask_batch(batch_of(lab, [(brute, ""), (brute, "a")]), logits)
    check_equal([kept(row) for row in logits], [set(range(1, size)), {0}], f"the ids kept of {size} tokens")


@pytest.mark.todo("mask_batch")
def test_two_requests_with_different_grammars_do_not_share_a_mask(lab):
    """Two guides whose states are equal have different masks."""
    check_batch(lab, [(Brute(NUMBER), ""), (Brute(ANSWER), "")])
    check_batch(lab, [(Brute("1+"), "1"), (Brute("[1x]+"), "1"), (Brute("1"), "1")])


@pytest.mark.todo("mask_batch")
def test_each_row_has_a_budget_of_its_own(lab):
    """The budgets follow their rows: of one guide, past a row without a constraint, and of another guide."""
    number, answer = Brute("[0-9]+x?"), Brute("yx?")
    rows = [None, (number, "1"), (answer, "y"), (number, "1"), None, (number, "1"), (answer, "y")]
    check_batch(lab, rows, [None, 3, 1, 1, 7, 2, 2])
    check_batch(lab, rows[1:3], [None, 1])


@pytest.mark.todo("mask_batch")
def test_a_batch_without_constraints_costs_nothing(lab):
    """Not one call: also where the logits are read-only, so that any write shows."""
    logits = np.stack([noise(1), noise(2)])
    logits.flags.writeable = False
    check_equal(lab.mask_batch([None, None], logits), None, "mask_batch without a constraint")
    check_equal(lab.mask_batch([], np.zeros((0, V), np.float32)), None, "mask_batch of no rows")


@pytest.mark.todo("mask_batch")
def test_the_processor_masks_the_batch(lab):
    """``LogitMaskProcessor`` calls your function and counts the rows that it masks."""
    brute, logits = Brute(NUMBER), np.stack([noise(1), noise(2)])
    processor = lab.LogitMaskProcessor()
    with lab.in_place():
        processor([None, at(lab, brute, "1")], logits, [None, 1])
    check_equal(shown(kept(logits[1])), ["EOS"], "the tokens kept in row 1, with one token left")
    check_equal(processor.num_masked, 1, "the rows masked")


@pytest.mark.todo("mask_batch")
@given(
    st.lists(st.none() | st.tuples(st.integers(0, 2), st.sampled_from(["", "1", "12"])), max_size=6),
    st.lists(st.none() | st.integers(1, 4), min_size=6, max_size=6),
    st.booleans(),
)
@PROPERTY
def test_any_batch(lab, rows, remaining, limited):
    """Any rows, guides and budgets."""
    guides = [Brute("[0-9]{1,3}"), Brute("1?2?x?"), Brute("[0-9]+")]
    batch = [row and (guides[row[0]], row[1]) for row in rows]
    if batch:
        check_batch(lab, batch, remaining[: len(batch)] if limited else None)


# TODO 7 -------------------------------------------------------------------------------------------

AB = {"type": "object", "properties": {"a": {"type": "null"}, "b": {"const": 1}}}
BA = {"type": "object", "properties": {"b": {"const": 1}, "a": {"type": "null"}}}


def openai(**inner):
    """Return a response_format as OpenAI's client sends it."""
    return {"type": "json_schema", "json_schema": inner}


def read(lab, asked):
    """Return kind and value of what was read, or None; ``asked`` is for other submissions too, so pass a copy."""
    with reporting(f"read_response_format({asked})"):
        found = lab.read_response_format(deepcopy(asked))
    value = found and json.loads(found.source)
    if found:
        check_equal(found.value, value, f"the value of read_response_format({asked})")
    return found and (found.kind, value)


@pytest.mark.todo("read_response_format")
@pytest.mark.parametrize(
    "asked",
    [
        {"type": "json_schema", "schema": AB},
        openai(schema=AB),
        openai(name="ab", schema=AB),
        openai(name="ab", description="two", strict=True, schema=AB),
    ],
)
def test_response_format_json_schema(lab, asked):
    """Both shapes of a schema are the same format."""
    check_equal(read(lab, asked), ("json_schema", AB), f"read_response_format({asked})")


@pytest.mark.todo("read_response_format")
@pytest.mark.parametrize(
    ("asked", "closed"),
    [
        ({"type": "json_schema", "schema": AB}, True),
        (openai(schema=AB), True),
        (openai(schema=AB, strict=None), True),
        (openai(schema=AB, strict=True), True),
        (openai(schema=AB, strict=False), False),
        ({"type": "regex", "pattern": "a"}, True),
    ],
    ids=str,
)
def test_response_format_strict(lab, asked, closed):
    """Members that a schema does not mention are left out, unless ``strict`` is False."""
    what = f"read_response_format({asked}).closed"
    with reporting(what):
        found = lab.read_response_format(deepcopy(asked)).closed
    check_equal(found, closed, what)


@pytest.mark.todo("read_response_format")
@pytest.mark.parametrize(
    ("asked", "order"),
    [
        ({"type": "json_schema", "schema": AB}, "schema"),
        (openai(schema=AB), "schema"),
        (openai(schema=AB, order="schema", strict=False), "schema"),
        (openai(schema=AB, order="any"), "any"),
        ({"type": "regex", "pattern": "a"}, "schema"),
    ],
    ids=str,
)
def test_response_format_order(lab, asked, order):
    """Members come in the schema's order, unless ``order`` says any."""
    what = f"read_response_format({asked}).order"
    with reporting(what):
        found = lab.read_response_format(deepcopy(asked)).order
    check_equal(found, order, what)


@pytest.mark.todo("read_response_format")
@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"type": "regex", "pattern": "[0-9]+"}, ("regex", "[0-9]+")),
        ({"type": "regex", "pattern": ""}, ("regex", "")),
        ({"type": "regex", "pattern": "é\n\ud800"}, ("regex", "é\n\ud800")),
        ({"type": "choice", "choices": ["yes", "no"]}, ("choice", ["yes", "no"])),
        ({"type": "choice", "choices": ("a", "")}, ("choice", ["a", ""])),
        ({"type": "json_schema", "schema": False}, ("json_schema", False)),
        ({"type": "json_schema", "schema": {}}, ("json_schema", {})),
        (
            {"type": "json_schema", "schema": {"const": {"json_schema": {}}}},
            ("json_schema", {"const": {"json_schema": {}}}),
        ),
        ({"type": "json_object"}, ("json_object", None)),
        ({"type": "text"}, None),
    ],
)
def test_response_format_regex(lab, asked, expected):
    """Each type, with the one field that it needs; an empty or false value is a value."""
    check_equal(read(lab, asked), expected, f"read_response_format({asked})")


REFUSED = [
    {},
    {"type": None},
    {"type": "xml"},
    {"type": ["regex"], "pattern": "a"},
    {"type": "Regex", "pattern": "a"},
    {"pattern": "a"},
    {"type": "regex"},
    {"type": "regex", "pattern": None},
    {"type": "regex", "pattern": ["a"]},
    {"type": "regex", "schema": {}},
    {"type": "regex", "pattern": "a", "choices": ["a"]},
    {"type": "regex", "pattern": "a", "flags": "i"},
    {"type": "choice", "choices": []},
    {"type": "choice", "choices": "ab"},
    {"type": "choice", "choices": ["a", 1]},
    {"type": "json_schema"},
    {"type": "json_schema", "schema": "{}"},
    {"type": "json_schema", "json_schema": None},
    {"type": "json_schema", "schema": {}, "json_schema": {"schema": {}}},
    {"type": "json_schema", "json_schema": {"schema": {}}, "strict": True},
    {"type": "json_schema", "json_schema": {"schema": {}}, "order": "any"},
    openai(schema=AB, order="sorted"),
    openai(schema=AB, order=None),
    openai(name="ab"),
    openai(schema={}, pattern="a"),
    openai(json_schema={"schema": {}}),
    {"type": "json_object", "schema": {}},
    {"type": "text", "pattern": "a"},
    {"type": "text", "json_schema": {}},
    {"type": "json_object", "json_schema": {"name": "ab"}},
    {"type": "regex", "json_schema": {"pattern": "a"}},
]


@pytest.mark.todo("read_response_format")
@pytest.mark.parametrize("asked", REFUSED, ids=map(str, REFUSED))
def test_response_format_invalid_type(lab, asked):
    """An unknown type, a field that is missing, of a wrong type, or one too many: ValueError, never a guess."""
    what = f"read_response_format({asked})"
    error = must_raise(ValueError, what, lambda: lab.read_response_format(deepcopy(asked)))
    assert "response_format" in str(error), f"the text of {what}'s error names no response_format: {error}"


@pytest.mark.todo("read_response_format")
def test_a_request_that_came_as_json_text(lab):
    """A parsed request has words that equal those of your file and are other objects, so ``is`` tells nothing."""
    for asked, expected in (
        (openai(name="ab", schema=AB), ("json_schema", AB)),
        ({"type": "choice", "choices": ["a"]}, ("choice", ["a"])),
        ({"type": "text"}, None),
    ):
        check_equal(read(lab, json.loads(json.dumps(asked))), expected, f"read_response_format({asked})")
    asked = json.loads('{"type": "choice", "choices": []}')
    must_raise(ValueError, f"read_response_format({asked})", lambda: lab.read_response_format(asked))


@pytest.mark.todo("read_response_format")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (AB, BA),
        ({"const": 1}, {"const": True}),
        ({"const": 1}, {"const": 1.0}),
        ({"const": 0}, {"const": False}),
        ({"const": "1"}, {"const": 1}),
        ({"enum": [[], [[]]]}, {"enum": [[[]], []]}),
    ],
)
def test_different_schemas_are_different_formats(lab, one, other):
    """The order of properties is a part of the grammar, and ``True`` is not 1. The source tells all of it."""
    asked = [{"type": "json_schema", "schema": deepcopy(schema)} for schema in (one, other)]
    sources = [lab.read_response_format(each).source for each in asked]
    assert sources[0] != sources[1], f"{one} and {other} are two schemas; both have the source {sources[0]!r}"
    check_equal([json.loads(source) for source in sources], [one, other], "the schemas in the sources")
    check_equal(json.dumps(json.loads(sources[0])), json.dumps(one), "the first schema, with the order of its keys")


@pytest.mark.todo("read_response_format")
def test_equal_formats_have_equal_sources(lab):
    """Two requests with equal schemas give one key, also in OpenAI's two names for it."""
    asked = [
        {"type": "json_schema", "schema": deepcopy(AB)},
        openai(name="x", schema=deepcopy(AB)),
        openai(name="y", schema=deepcopy(AB)),
    ]
    sources = {lab.read_response_format(each).source for each in asked}
    check_equal(len(sources), 1, "how many sources three equal schemas have")


@pytest.mark.todo("read_response_format")
def test_the_request_stays_as_it_was(lab):
    """The caller's dict is neither changed nor kept: what it becomes later changes no format."""
    schema = {"type": "object", "properties": {"a": {"type": "null"}}}
    asked = openai(name="n", schema=schema)
    before = json.dumps(asked)
    with lab.in_place():
        found = lab.read_response_format(asked)
    check_equal(json.dumps(asked), before, "the caller's dict afterwards")
    schema["properties"]["b"] = {}
    check_equal(list(json.loads(found.source)["properties"]), ["a"], "the properties of the format, read before")


# TODO 8 -------------------------------------------------------------------------------------------

NEARLY = [
    Vocabulary([b"a", b"bc", b"</s>"], eos_id=2),
    Vocabulary([b"ab", b"c", b"</s>"], eos_id=2),
    Vocabulary([b"bc", b"a", b"</s>"], eos_id=2),
    Vocabulary([b"a", b"bc", b"</s>"], eos_id=1),
    Vocabulary([b"a", b"bc", b"</s>"], eos_id=2, special_ids=[0]),
    Vocabulary([b"a", b"bc", b"</s>"], eos_id=2, special_ids=[1]),
    Vocabulary([b"a", b"bc", b"</s>"], eos_id=1, special_ids=[2]),
    Vocabulary([b"a", b"bc", b"</s>", b""], eos_id=2),
    Vocabulary([b"a", b"b", b"c", b"</s>"], eos_id=3),
    Vocabulary([b"a", b"b\xff", b"</s>"], eos_id=2),
    Vocabulary([b"a", b"b\xfe", b"</s>"], eos_id=2),
    Vocabulary([b"a", b"", b"bc</s>"], eos_id=2),
    Vocabulary([b"a", b"bc</s>", b""], eos_id=2),
    # No byte can stand between two tokens, for each may be in a token; and a length may need more than one byte.
    *(
        Vocabulary(tokens, eos_id=2)
        for c in (b" ", b",", b"\n")
        for tokens in ([b"a" + c, b"b", b""], [b"a", c + b"b", b""])
    ),
    Vocabulary([bytes(256), b"", b"</s>"], eos_id=2),
    Vocabulary([b"", bytes(256), b"</s>"], eos_id=2),
    # A length of two digits may look like one of one digit and a token that begins with a digit.
    Vocabulary([b"1", b"xxxxxxxxx1z", b"</s>"], eos_id=2),
    Vocabulary([b"11xxxxxxxxx", b"z", b"</s>"], eos_id=2),
    # A long vocabulary's repr shows its sizes alone.
    Vocabulary([b"%d" % i for i in range(40)], eos_id=2),
    Vocabulary([b"%d" % (i or 77) for i in range(40)], eos_id=2),
]


@pytest.mark.todo("vocabulary_fingerprint")
def test_vocabularies_that_differ_have_different_fingerprints(lab):
    """Tokens, their order and their borders, EOS and the special ids: each of them changes masks."""
    prints = [lab.vocabulary_fingerprint(vocabulary) for vocabulary in NEARLY]
    check_type(prints[0], str, "vocabulary_fingerprint")
    for (one, mine), (other, theirs) in product(zip(NEARLY, prints, strict=True), repeat=2):
        if one is not other:
            pair = f"{cut(repr(one), 0, 120)} and {cut(repr(other), 0, 120)}"
            assert mine != theirs, f"{pair} have the same fingerprint {mine!r}"


@pytest.mark.todo("vocabulary_fingerprint")
def test_equal_vocabularies_have_equal_fingerprints(lab):
    """Two objects with equal content are one vocabulary, however their special ids were listed."""
    for ids in ([8, 0, 16], [16, 0, 8], [0, 8, 16, 8]):
        one = Vocabulary([b"%d" % i for i in range(20)], eos_id=3, special_ids=ids)
        other = Vocabulary([b"%d" % i for i in range(20)], eos_id=3, special_ids=[8, 16, 0])
        prints = [lab.vocabulary_fingerprint(vocabulary) for vocabulary in (one, other)]
        check_equal(prints[0], prints[1], f"the fingerprint with special ids {ids}, and with [8, 16, 0]")


# The cache: TODO 9 to 11 --------------------------------------------------------------------------


class Compiles:
    """What a cache compiles: names of guides, each compile noted; those in ``bad`` fail."""

    def __init__(self, bad=()):
        self.made = []
        self.bad = set(bad)

    def of(self, key):
        def compile_guide():
            self.made.append(key)
            if key in self.bad:
                raise ValueError(f"{key} cannot be compiled")
            return f"guide of {key}"

        return compile_guide


def cache_and_worker(lab, **sizes):
    worker = lab.Worker()
    return lab.CompileCache(worker.submit, **sizes), worker


def fetch(lab, cache, compiles, *keys):
    """Ask for keys in turn, with the student's function; return the futures."""
    return [lab.find_or_compile(cache, key, compiles.of(key)) for key in keys]


def result_of(future):
    """Return what a compile gave, or raise what it raised. Nobody waits for one that is not done: that is an error."""
    check_equal(future.done(), True, "whether the future is done: the worker has done all that was submitted to it")
    return future.result(0)


def put(cache, worker, *keys, work=True):
    """Put entries into a cache, compiled or not, without a function of the student's."""
    for key in keys:
        cache.entries.update({key: worker.submit(Compiles().of(key))})
        if work:
            worker.work()


@pytest.mark.todo("evict")
@pytest.mark.parametrize(
    ("size", "keys", "expected"),
    [(2, "abcd", "cd"), (1, "abc", "c"), (3, "abc", "abc"), (4, "abc", "abc"), (2, "", ""), (1, "a", "a")],
)
def test_the_least_recently_used_go(lab, size, keys, expected):
    """Entries leave from the front until as many are left as the cache may hold; who waits has the future."""
    cache, worker = cache_and_worker(lab, max_guides=size)
    put(cache, worker, *keys)
    cache.waiting.update(keys)
    check_equal(lab.evict(cache), None, "evict")
    check_equal("".join(cache.keys()), expected, f"the keys left of {keys!r}, with max_guides={size}")


@pytest.mark.todo("evict")
def test_a_compile_under_way_is_not_evicted(lab):
    """What still compiles stays, also if it is the oldest; compiled entries go in its place."""
    cache, worker = cache_and_worker(lab, max_guides=2)
    put(cache, worker, "a", "b", work=False)
    worker.begin()
    other = lab.Worker()
    put(cache, other, "c", "d")
    lab.evict(cache)
    check_equal(cache.keys(), ["a", "b"], "the keys left: a compiles, b waits, c and d were compiled")
    put(cache, other, "e", work=False)
    lab.evict(cache)
    check_equal(cache.keys(), ["a", "b", "e"], "the keys left of three that are not compiled yet, with max_guides=2")


@pytest.mark.todo("find_or_compile")
def test_cache_hit(lab):
    """A key that is there is not compiled again: the future is the same, and a hit is counted."""
    compiles, (cache, worker) = Compiles(), cache_and_worker(lab)
    (first,) = fetch(lab, cache, compiles, "a")
    worker.work()
    (again,) = fetch(lab, cache, compiles, "a")
    check_equal((result_of(first), result_of(again)), ("guide of a",) * 2, "the two results")
    check_equal((cache.hits, cache.misses, compiles.made), (1, 1, ["a"]), "hits, misses and compiles")
    check_equal(cache.num_waiting(), 2, "the waiting requests: each counts until it calls give_back")


@pytest.mark.todo("find_or_compile")
def test_cache_miss_different_pattern(lab):
    """Different keys have different guides; each is compiled once, by the worker alone."""
    compiles, (cache, worker) = Compiles(), cache_and_worker(lab)
    keys = [("v", "a"), ("v", "b"), ("w", "a")]
    futures = fetch(lab, cache, compiles, *keys)
    check_equal(compiles.made, [], "the compiles before the worker works")
    while worker.work():
        pass
    check_equal([result_of(future) for future in futures], [f"guide of {key}" for key in keys], "the results")
    check_equal((cache.hits, cache.misses, compiles.made), (0, 3, keys), "hits, misses and compiles")


@pytest.mark.todo("find_or_compile")
def test_one_compile_for_a_thousand_requests(lab):
    """A thousand identical requests that come while the grammar compiles cause one compile."""
    compiles, (cache, worker) = Compiles(), cache_and_worker(lab, max_compiling=1)
    futures = fetch(lab, cache, compiles, "a")
    worker.begin()
    futures += fetch(lab, cache, compiles, *["a"] * 999)
    check_equal((cache.num_compiling(), cache.num_waiting()), (1, 1000), "compiles under way, requests that wait")
    while worker.work():
        pass
    check_equal({result_of(future) for future in futures}, {"guide of a"}, "their results")
    check_equal((compiles.made, cache.hits, cache.misses), (["a"], 999, 1), "compiles, hits and misses")


@pytest.mark.todo("find_or_compile")
def test_a_hit_makes_an_entry_recent(lab):
    """What was asked for last stays longest, and the cache is bounded."""
    compiles, (cache, worker) = Compiles(), cache_and_worker(lab, max_guides=3)
    for key in "abcadbe":
        fetch(lab, cache, compiles, key)
        worker.work()
    check_equal((cache.keys(), cache.hits), (["d", "b", "e"], 1), "the keys left and the hits after a b c a d b e")
    check_equal("".join(compiles.made), "abcdbe", "what was compiled: b was evicted and came back")


@pytest.mark.todo("find_or_compile")
def test_the_queue_of_compiles_is_bounded(lab):
    """A compile too many is QueueFull, and changes nothing; a hit is always served."""
    compiles, (cache, worker) = Compiles(), cache_and_worker(lab, max_compiling=2)
    fetch(lab, cache, compiles, "a", "b")
    for _ in range(2):
        what = "the third key, with max_compiling=2 and two compiles that wait or run,"
        error = must_raise(QueueFull, what, lambda: fetch(lab, cache, compiles, "c"))
        check_equal(error.limit, 2, "the limit that QueueFull carries")
    counts = (cache.keys(), cache.hits, cache.misses, cache.num_waiting())
    check_equal(counts, (["a", "b"], 0, 2, 2), "keys, hits, misses and waiting requests after two refusals")
    fetch(lab, cache, compiles, "a")
    worker.work()
    fetch(lab, cache, compiles, "c")
    check_equal(cache.keys(), ["b", "a", "c"], "the keys once one compile is done")


@pytest.mark.todo("find_or_compile")
@pytest.mark.parametrize("limit", [1, 3])
def test_how_many_are_refused(lab, limit):
    """Of seven grammars that come at once, exactly as many are taken as may compile."""
    compiles, (cache, _) = Compiles(), cache_and_worker(lab, max_compiling=limit)
    refused = []
    for key in "abcdefg":
        try:
            fetch(lab, cache, compiles, key)
        except QueueFull:
            refused.append(key)
    check_equal("".join(refused), "abcdefg"[limit:], f"the keys refused, with max_compiling={limit}")


@pytest.mark.todo("find_or_compile")
def test_the_sizes_that_nobody_chose(lab):
    """By default 64 guides are kept and 8 compiles wait or run; more compiles than that refuse a new one too."""
    compiled, (compiling, worker) = lab.CompileCache(lab.at_once), cache_and_worker(lab)
    fetch(lab, compiled, Compiles(), *range(66))
    check_equal(compiled.keys(), list(range(2, 66)), "the keys left of 66, compiled one after another")
    fetch(lab, compiling, Compiles(), *range(8))
    for _ in range(2):
        must_raise(QueueFull, "the ninth compile at a time", lambda: fetch(lab, compiling, Compiles(), "one more"))
        put(compiling, worker, "put there by somebody else", work=False)


@pytest.mark.todo("find_or_compile")
def test_a_guide_that_is_compiled_at_once(lab):
    """A worker may be done before submit returns; its guide stays in the cache."""
    cache = lab.CompileCache(lab.at_once, max_guides=1, max_compiling=1)
    for key in "aba":
        (future,) = fetch(lab, cache, Compiles(), key)
        check_equal((result_of(future), cache.keys()), (f"guide of {key}", [key]), f"the result of {key}, and the keys")


@pytest.mark.todo("find_or_compile")
@pytest.mark.parametrize("size", [1, 2])
def test_a_guide_that_is_done_before_all_others(lab, size):
    """Where the others still compile, the new guide alone may leave the cache; who asked for it has it all the same."""
    cache, worker = lab.CompileCache(lab.at_once, max_guides=size), lab.Worker()
    put(cache, worker, *"ab"[:size], work=False)
    what = f"find_or_compile with max_guides={size}, a guide that is compiled at once, and {size} that still compile"
    with reporting(what, "guide of c"):
        (future,) = fetch(lab, cache, Compiles(), "c")
    check_equal(result_of(future), "guide of c", what)
    check_equal((cache.keys(), cache.num_waiting()), ([*"ab"[:size]], 1), f"keys and waiting requests after {what}")
    lab.give_back(cache, "c")
    check_equal(cache.num_waiting(), 0, f"the waiting requests after give_back, after {what}")


@pytest.mark.todo("give_back")
def test_a_failed_compile_is_not_kept(lab):
    """All that waited see the error. The next request has it compiled again."""
    compiles, (cache, worker) = Compiles(bad={"a"}), cache_and_worker(lab)
    futures = fetch(lab, cache, compiles, "a", "a", "b")
    while worker.work():
        pass
    for future in futures[:2]:
        with pytest.raises(ValueError, match="a cannot be compiled"):
            result_of(future)
        check_equal(lab.give_back(cache, "a"), None, "give_back")
        check_equal(cache.keys(), ["b"], "the keys after one of two requests has given the failed compile back")
    compiles.bad.clear()
    (again,) = fetch(lab, cache, compiles, "a")
    worker.work()
    check_equal((result_of(again), compiles.made), ("guide of a", ["a", "b", "a"]), "the new result, and all compiles")


@pytest.mark.todo("give_back")
def test_a_request_that_is_gone_before_its_compile_begins(lab):
    """Nobody waits for it: it is cancelled, its place in the queue is free, and nothing is ever compiled."""
    compiles, (cache, worker) = Compiles(), cache_and_worker(lab, max_compiling=1)
    (future,) = fetch(lab, cache, compiles, "a")
    lab.give_back(cache, "a")
    counts = (future.cancelled(), cache.keys(), cache.num_compiling(), cache.num_waiting())
    check_equal(counts, (True, [], 0, 0), "whether it is cancelled, the keys, compiles, waiting requests")
    (other,) = fetch(lab, cache, compiles, "b")
    worker.work()
    check_equal((result_of(other), compiles.made), ("guide of b", ["b"]), "the other's result, and the compiles")


@pytest.mark.todo("give_back")
def test_others_still_wait(lab):
    """One of two requests leaves: the compile goes on for the other."""
    compiles, (cache, worker) = Compiles(), cache_and_worker(lab)
    future, _ = fetch(lab, cache, compiles, "a", "a")
    lab.give_back(cache, "a")
    check_equal((future.cancelled(), cache.num_waiting()), (False, 1), "whether it is cancelled, waiting requests")
    worker.work()
    lab.give_back(cache, "a")
    found = (result_of(future), cache.keys(), cache.num_waiting())
    check_equal(found, ("guide of a", ["a"], 0), "result, keys, waiting")


@pytest.mark.todo("give_back")
def test_a_compile_that_runs_goes_on(lab):
    """A worker cannot be stopped in the middle; its guide serves the next request."""
    compiles, (cache, worker) = Compiles(), cache_and_worker(lab)
    fetch(lab, cache, compiles, "a")
    worker.begin()
    lab.give_back(cache, "a")
    check_equal((cache.keys(), cache.num_waiting()), (["a"], 0), "the keys and waiting requests while it runs")
    worker.work()
    (future,) = fetch(lab, cache, compiles, "a")
    check_equal((result_of(future), compiles.made, cache.hits), ("guide of a", ["a"], 1), "result, compiles and hits")


@pytest.mark.todo("give_back")
def test_giving_back_what_was_evicted(lab):
    """A key may have left the cache since; then only the count changes."""
    compiles, (cache, worker) = Compiles(), cache_and_worker(lab, max_guides=1)
    for key in "ab":
        fetch(lab, cache, compiles, key)
        worker.work()
    for key in "ab":
        lab.give_back(cache, key)
    check_equal((cache.keys(), cache.num_waiting()), (["b"], 0), "the keys and the waiting requests")
    check_equal(cache.waiting.most_common(), [], "the counts that are left: a key with 0 would stay for ever")


# The engine: TODO 12 and 13 -----------------------------------------------------------------------


class Model:
    """A model of the test: what it wants at each prompt, the adversary of every grammar; it counts its calls."""

    def __init__(self, wants="x"):
        self.calls = []
        self.wants = wants

    def __call__(self, ids):
        self.calls.append(list(ids))
        logits = np.random.default_rng([len(ids), ids[0]]).standard_normal(V).astype(np.float32)
        logits[[ID[text] for text in self.wants]] += 20
        return logits


class Grammars:
    """What a manager compiles, by brute force; the guide of each pattern, and how often each was compiled."""

    def __init__(self, lab):
        self.lab = lab
        self.made = []
        self.guides = {}

    def __call__(self, wanted):
        value = json.loads(wanted.source)
        self.made.append(value)
        if value == "(":
            raise ValueError("missing )")
        if wanted.kind == "choice":
            value = "|".join(map(re.escape, value))
        if wanted.kind == "json_schema":  # the one schema of these tests: an array of at most two digits
            value = r"\[([0-9](,[0-9])?)?\]"
        self.guides[value] = brute = Brute(value)
        return brute.made(self.lab)


class Served:
    """An engine on the student's functions, with a worker that is driven by hand."""

    def __init__(self, lab, model=None, by_hand=True, max_guides=64, max_compiling=8, **options):
        self.lab, self.model, self.grammars, self.worker = lab, model or Model(), Grammars(lab), lab.Worker()
        submit = self.worker.submit if by_hand else lab.at_once
        sizes = {"max_guides": max_guides, "max_compiling": max_compiling}
        self.manager = lab.StructuredOutputManager(SMALL, self.grammars, submit, **sizes)
        self.engine = lab.engine_of(self.model, SMALL, self.manager, **options)

    def add(self, pattern=None, *, prompt=1, max_tokens=4, fmt=None, **params):
        if pattern is not None:
            fmt = {"type": "regex", "pattern": pattern}
        params = self.lab.SamplingParams(max_tokens=max_tokens, **{"temperature": 0, **params})
        return self.engine.add_request([prompt], params, response_format=fmt)

    def answers(self, *requests):
        """Return the texts of requests, which must end within a hundred steps, or raise what made one fail."""
        for _ in range(100):
            if all(request.finish_reason for request in requests):
                return self.lab.answers(self.engine, *requests)
            self.engine.step()
        waiting = [request.request_id for request in requests if not request.finish_reason]
        raise AssertionError(f"after 100 steps these requests still wait: {', '.join(waiting)}")

    def step(self, times=1):
        """Take steps; return how many tokens each request has got, by its id."""
        outputs = [output for _ in range(times) for output in self.engine.step()]
        return dict(Counter(output.request_id for output in outputs if output.token_id is not None))

    def check_empty(self, when):
        """Assert that nothing is held of anybody: no request, ticket, waiting count or slot."""
        cache, runner = self.manager.cache, self.engine.runner
        held = (list(self.engine.requests), list(self.manager.tickets), cache.num_waiting(), cache.num_compiling())
        check_equal(held, ([], [], 0, 0), f"requests, tickets, waiting requests and compiles {when}")
        check_equal(len(runner.free_slots), runner.num_slots, f"the free slots {when}")


def request_for(lab, fmt, name="a", max_tokens=8):
    return lab.Request(name, (1,), lab.SamplingParams(max_tokens=max_tokens), fmt)


@pytest.mark.todo("admit")
def test_a_new_request_gets_a_ticket(lab):
    """The grammar is handed to the worker, and nothing is waited for."""
    served = Served(lab)
    request = request_for(lab, {"type": "regex", "pattern": "1"})
    check_equal(lab.admit(served.manager, request), None, "admit")
    check_equal(list(served.manager.tickets), ["a"], "whose tickets there are")
    key, future = served.manager.tickets["a"]
    check_equal((future.done(), served.grammars.made), (False, []), "whether it is compiled, and the compiles")
    check_equal(served.manager.cache.keys() == [key], True, "whether the ticket has the cache's key")
    check_equal(request.structured_output_state, None, "the request's state")
    served.worker.work()
    check_equal((future.done(), served.grammars.made), (True, ["1"]), "whether it is compiled now, and the compiles")


@pytest.mark.todo("admit")
def test_equal_formats_share_a_compile(lab):
    """Equal formats in either shape; the same grammar in another kind, or open, is another format."""
    served = Served(lab)
    formats = [
        {"type": "json_schema", "schema": {"type": "array"}},
        openai(name="n", schema={"type": "array"}),
        {"type": "regex", "pattern": "no"},
        {"type": "choice", "choices": ["no"]},
        {"type": "regex", "pattern": "no"},
        openai(name="n", schema={"type": "array"}, strict=False),
    ]
    for place, fmt in enumerate(formats):
        lab.admit(served.manager, request_for(lab, fmt, f"r{place}"))
    while served.worker.work():
        pass
    check_equal(served.grammars.made, [{"type": "array"}, "no", ["no"], {"type": "array"}], "what is compiled")
    check_equal(served.manager.cache.hits, 2, "the hits")


@pytest.mark.todo("admit")
def test_another_vocabulary_is_another_key(lab):
    """One format in two vocabularies of the same size: the masks of one mean nothing in the other."""
    keys = []
    for eos_id in (EOS, EOS + 1):
        manager = lab.StructuredOutputManager(Vocabulary(TOKENS, eos_id=eos_id), max, lab.Worker().submit)
        lab.admit(manager, request_for(lab, {"type": "regex", "pattern": "1"}))
        cache = lab.CompileCache(lab.at_once) if not keys else keys[0][1]
        keys.append((manager.tickets["a"][0], cache))
    for key, cache in keys:
        lab.find_or_compile(cache, key, Compiles().of("guide"))
    check_equal(keys[0][1].misses, 2, "the misses of one cache, asked with the two keys")


@pytest.mark.todo("admit")
def test_text_is_no_constraint(lab):
    """A request for text becomes one without a response_format: no ticket, no compile, no state."""
    served = Served(lab)
    request = request_for(lab, {"type": "text"})
    lab.admit(served.manager, request)
    held = (request.response_format, list(served.manager.tickets), served.manager.cache.misses)
    check_equal(held, (None, [], 0), "the response_format, the tickets and the misses")


@pytest.mark.todo("admit")
def test_what_is_refused_leaves_nothing(lab):
    """A format that cannot be read, or a full queue of compiles: the caller gets the error, and nothing is kept."""
    served = Served(lab, max_compiling=1)
    must_raise(ValueError, 'a request for {"type": "xml"}', lambda: served.add(fmt={"type": "xml"}))
    served.check_empty("after a refused format")
    first = served.add("1")
    must_raise(QueueFull, "the second grammar, with max_compiling=1,", lambda: served.add("2"))
    check_equal(list(served.engine.requests), [first.request_id], "the requests after a full queue")
    check_equal(list(served.manager.tickets), [first.request_id], "the tickets after a full queue")


@pytest.mark.todo("admit")
def test_what_a_server_holds_by_default(lab):
    """Of 66 grammars the manager keeps 64; of ten that come at once it takes 8."""
    manager, busy = (
        lab.StructuredOutputManager(SMALL, lambda wanted: wanted.source, submit)
        for submit in (lab.at_once, lab.Worker().submit)
    )
    for number in range(66):
        lab.admit(manager, request_for(lab, {"type": "regex", "pattern": str(number)}, str(number)))
    check_equal((len(manager.cache.keys()), manager.cache.misses), (64, 66), "the guides kept, and the compiles")
    refused = 0
    for number in range(10):
        try:
            lab.admit(busy, request_for(lab, {"type": "regex", "pattern": str(number)}, str(number)))
        except QueueFull:
            refused += 1
    check_equal((busy.cache.num_compiling(), refused), (8, 2), "the compiles that wait, and the requests refused")


@pytest.mark.todo("is_ready")
def test_a_request_waits_for_its_grammar(lab):
    """Not ready while it compiles; then ready, with a state of its own and no ticket, however often it is asked."""
    served = Served(lab)
    request = request_for(lab, {"type": "regex", "pattern": "[0-9]"})
    served.manager.add(request)
    for _ in range(2):
        check_equal(lab.is_ready(served.manager, request), False, "is_ready while the grammar compiles")
        check_equal(request.structured_output_state, None, "the state while the grammar compiles")
    served.worker.work()
    check_equal(lab.is_ready(served.manager, request), True, "is_ready after the compile")
    request.structured_output_state.advance(ID["7"])
    check_equal(lab.is_ready(served.manager, request), True, "is_ready when asked again, as a scheduler does")
    check_equal(request.structured_output_state.current, "7", "the state when asked again")
    held = (list(served.manager.tickets), served.manager.cache.num_waiting())
    check_equal(held, ([], 0), "the tickets and the waiting requests")


@pytest.mark.todo("is_ready")
def test_structured_state_on_request(lab):
    """Two requests with one grammar: one guide, two states, one compile."""
    served = Served(lab)
    pair = [request_for(lab, {"type": "regex", "pattern": "[0-9]+"}, name) for name in "ab"]
    for request in pair:
        served.manager.add(request)
    served.worker.work()
    for request in pair:
        check_equal(lab.is_ready(served.manager, request), True, "is_ready after the compile")
    one, other = (request.structured_output_state for request in pair)
    assert one is not other, "two requests have one state: what one writes moves the other"
    check_equal(one.guide is other.guide, True, "whether they share the guide")
    check_equal(served.grammars.made, ["[0-9]+"], "the compiles")


@pytest.mark.todo("is_ready")
@pytest.mark.parametrize(
    ("pattern", "needed"), [("[0-9]{4}x", 4), ("", 1), ("[0-9]", 2), ("maybe|[0-9]{3}", 2), ("Q", float("inf"))]
)
def test_a_budget_that_is_too_small_is_refused(lab, pattern, needed):
    """The shortest match and EOS must fit into max_tokens; a budget that is exactly enough is enough."""
    budgets = [needed - 1, needed] if needed != float("inf") else [50]
    for budget in [each for each in budgets if each > 0]:
        served = Served(lab, by_hand=False)
        request = request_for(lab, {"type": "regex", "pattern": pattern}, max_tokens=budget)
        served.manager.add(request)
        try:
            got = lab.is_ready(served.manager, request)
        except BudgetTooSmall as error:
            got = (error.budget, float(error.needed))
            left = (list(served.manager.tickets), request.structured_output_state is None)
            check_equal(left, (["a"], True), "the tickets, and whether there is no state, after BudgetTooSmall")
        expected = True if budget >= needed else (budget, float(needed))
        check_equal(got, expected, f"is_ready of {pattern!r} with max_tokens={budget}: yes, or budget and need")
        served.manager.release(request)
        held = (list(served.manager.tickets), served.manager.cache.num_waiting())
        check_equal(held, ([], 0), "the tickets and the waiting requests after release")


@pytest.mark.todo("is_ready")
def test_without_budgets_nothing_is_too_small(lab):
    """Where ``manager.budget`` is False, masks keep no tokens for the end, and a request starts with any max_tokens."""
    manager = lab.StructuredOutputManager(SMALL, Grammars(lab), lab.at_once, budget=False)
    request = request_for(lab, {"type": "regex", "pattern": "[0-9]{3}"}, max_tokens=2)
    manager.add(request)
    with reporting("is_ready of [0-9]{3} with max_tokens=2 and budget=False", True):
        got = lab.is_ready(manager, request)
    check_equal(got, True, "is_ready of [0-9]{3} with max_tokens=2 and budget=False")


@pytest.mark.todo("is_ready")
def test_a_guide_may_leave_the_cache_before_its_request_starts(lab):
    """A cache of one guide, two requests: the first one's guide is evicted before it starts; its ticket has it."""
    served = Served(lab, max_guides=1, by_hand=False)
    requests = [request_for(lab, {"type": "regex", "pattern": pattern}, pattern) for pattern in ("1", "2")]
    for request in requests:
        served.manager.add(request)
    for request in requests:
        with reporting("is_ready after the compile", True):
            check_equal(lab.is_ready(served.manager, request), True, "is_ready after the compile")
    check_equal(served.grammars.made, ["1", "2"], "the compiles")
    check_equal(served.manager.cache.num_waiting(), 0, "the waiting requests")


@pytest.mark.todo("is_ready")
def test_end_to_end_regex_simple(lab):
    """The adversary wants x; the answer is a match all the same, within its budget."""
    served = Served(lab, by_hand=False)
    patterns = ["[0-9]{2}", "(yes|no),[0-9]+", "[0-9]+x", r"-?[0-9]\.5"]
    for pattern, text in zip(patterns, served.answers(*map(served.add, patterns)), strict=True):
        assert re.fullmatch(pattern, text), f"the answer {text!r} does not match {pattern}"
    served.check_empty("after all four")


@pytest.mark.todo("is_ready")
def test_end_to_end_json_schema_simple(lab):
    """The answer is valid JSON of its schema, whichever shape the request has."""
    schema = {"type": "array", "items": {"type": "integer"}, "maxItems": 2}
    served = Served(lab, model=Model(wants=["x", "5"]), by_hand=False)
    formats = [{"type": "json_schema", "schema": schema}, openai(name="pair", strict=True, schema=schema)]
    for text in served.answers(*(served.add(fmt=fmt, prompt=i, max_tokens=7) for i, fmt in enumerate(formats))):
        validate(json.loads(text), schema)
    check_equal(served.grammars.made, [schema], "the compiles: equal schemas are one")


@pytest.mark.todo("is_ready")
def test_a_mixed_batch_gives_each_what_it_gets_alone(lab):
    """Constrained and free requests, two of them with one grammar, each with settings of its own."""
    asked = [
        {"pattern": "[0-9]{3}", "prompt": 1, "seed": 1, "temperature": 1.0},
        {"pattern": None, "prompt": 2, "seed": 2, "temperature": 1.0},
        {"pattern": "[0-9]{3}", "prompt": 3, "seed": 3, "temperature": 2.0, "top_k": 2},
        {"pattern": "(yes|no),[0-9]+", "prompt": 4, "seed": 4, "temperature": 1.0, "top_p": 0.3, "max_tokens": 6},
        {"pattern": "x+|y", "prompt": 5, "repetition_penalty": 1.5},
    ]
    alone = []
    for options in asked:
        served = Served(lab, by_hand=False)
        alone += served.answers(served.add(**options))
    served = Served(lab, by_hand=False)
    together = served.answers(*(served.add(**options) for options in asked))
    check_equal(together, alone, "the answers in one batch, beside those of each request alone")
    for options, text in zip(asked, together, strict=True):
        assert options["pattern"] is None or re.fullmatch(options["pattern"], text), f"{options} gave {text!r}"


@pytest.mark.todo("admit")
def test_no_response_format_zero_overhead(lab):
    """Requests without a format, or for text: not one call of a guide, no compile, no state, no row masked."""
    served = Served(lab, by_hand=False)
    free = [served.add(max_tokens=3), served.add(fmt={"type": "text"}, max_tokens=3)]
    check_equal(served.answers(*free), ["xxx", "xxx"], "the free answers of a model that wants x")
    manager = served.manager
    counted = (served.grammars.made, manager.processor.num_masked, manager.cache.misses, list(manager.tickets))
    check_equal(counted, ([], 0, 0, []), "compiles, rows masked, misses and tickets")
    check_equal([request.structured_output_state for request in free], [None, None], "their states")


@pytest.mark.todo("mask_batch")
def test_free_neighbours_cost_the_guide_nothing(lab):
    """In a batch of three, one constrained: the guide is filled once a step, and asked about no other row."""
    served = Served(lab, by_hand=False)
    requests = [served.add(prompt=1), served.add("[0-9]{3}", prompt=2, max_tokens=9), served.add(prompt=3)]
    served.answers(*requests)
    check_equal(served.grammars.guides["[0-9]{3}"].calls["fill"], 3, "the calls of fill for three tokens")
    check_equal(served.manager.processor.num_masked, 3, "the rows masked")
    check_equal(served.answers(requests[0], requests[2]), ["xxxx", "xxxx"], "the answers of the free requests")


@pytest.mark.todo("is_finished")
@pytest.mark.parametrize(
    ("pattern", "tokens", "max_tokens"), [("yes|no", 1, 9), ("[0-9]x", 2, 9), ("x+", 2, 3), ("[0-9]{2}x?", 2, 3)]
)
def test_no_pass_for_eos(lab, pattern, tokens, max_tokens):
    """The answer ends with its last character: one pass for each token, none for EOS, and the reason is stop."""
    served = Served(lab, by_hand=False)
    request = served.add(pattern, max_tokens=max_tokens)
    (text,) = served.answers(request)
    assert re.fullmatch(pattern, text), f"the answer {text!r} does not match {pattern}"
    check_equal(len(served.model.calls), tokens, f"the model's passes for {text!r}, with max_tokens={max_tokens}")
    check_equal((request.finish_reason, len(request.output_token_ids)), ("stop", tokens), "the reason and the tokens")


@pytest.mark.todo("is_finished")
def test_eos_is_written_where_more_could_follow(lab):
    """After ``1`` of ``[0-9]+`` the model decides: a model that wants EOS writes it, and its pass is needed."""
    model = Model(wants=["1"])
    model_or_eos = lambda ids: model(ids) + 99 * (np.arange(V) == EOS) * (len(ids) > 1)  # noqa: E731
    served = Served(lab, model=model_or_eos, by_hand=False)
    request = served.add("[0-9]+", max_tokens=9)
    check_equal(served.answers(request), ["1"], "the answer")
    check_equal((len(model.calls), request.output_token_ids[-1]), (2, EOS), "the passes, and the last token")


@pytest.mark.todo("is_ready")
def test_a_slow_grammar_delays_nobody(lab):
    """While a grammar compiles for ten steps, the others get a token at each; then it starts within one step."""
    served = Served(lab, max_num_seqs=4)
    free = served.add(max_tokens=20)
    served.add("[0-9]+")
    served.worker.work()
    slow = served.add("(yes|no)+", prompt=3)
    later = served.add(max_tokens=20, prompt=4)
    for step in range(10):
        got = served.step()
        check_equal(
            (got.get(free.request_id), got.get(later.request_id)), (1, 1), f"tokens of the others in step {step}"
        )
        check_equal(got.get(slow.request_id), None, f"tokens of the slow one in step {step}")
    served.worker.work()
    check_equal(served.step().get(slow.request_id), 1, "its tokens in the step after its compile")
    check_equal(len(free.output_token_ids), 11, "the tokens of the first request after eleven steps")


@pytest.mark.todo("is_ready")
def test_a_grammar_that_fails_ends_its_requests_alone(lab):
    """Both requests with the broken grammar end with its error; the others finish; nothing is left of anybody."""
    served = Served(lab)
    broken = [served.add("("), served.add("(", prompt=2)]
    good, free = served.add("[0-9]{2}", prompt=3), served.add(prompt=4)
    served.step()
    while served.worker.work():
        pass
    texts = served.answers(good, free)
    assert re.fullmatch("[0-9]{2}", texts[0]) and texts[1] == "xxxx", f"the answers of the others: {texts}"
    check_equal([request.finish_reason for request in broken], ["error", "error"], "the reasons of the broken ones")
    with pytest.raises(ValueError, match="missing"):
        served.answers(broken[0])
    served.check_empty("after the failure")
    served.add("(")
    check_equal(served.manager.cache.misses, 3, "the misses: a failed compile is not kept")


@pytest.mark.todo("give_back")
def test_an_aborted_request_frees_everything(lab):
    """Aborted while its grammar waits, while it compiles, and while it decodes: nothing is left but the cache."""
    served = Served(lab, max_num_seqs=2)
    running, compiling, queued = served.add("[0-9]+"), None, None
    served.worker.work()
    served.step()
    compiling, queued = served.add("x+", prompt=2), served.add("y+", prompt=3)
    served.worker.begin()
    for request in (running, compiling, queued):
        check_equal(served.engine.abort(request.request_id), True, "abort")
    check_equal(running.structured_output_state, None, "the state of the one that decoded")
    check_equal(
        (list(served.manager.tickets), served.manager.cache.num_waiting()), ([], 0), "tickets, waiting requests"
    )
    while served.worker.work():
        pass
    served.check_empty("after three aborts")
    check_equal(served.grammars.made, ["[0-9]+", "x+"], "the compiles: the last one never began")


@pytest.mark.todo("give_back")
@pytest.mark.seconds(10)
def test_many_requests_leave_nothing_behind(lab):
    """Requests of ten kinds come and go, every third aborted: no ticket, no count, no slot is left."""
    served = Served(lab, max_guides=4, by_hand=False)
    for number in range(120):
        request = served.add(f"{number % 10}[0-9]?", max_tokens=3)
        if number % 3 == 0:
            served.engine.abort(request.request_id)
        elif number % 3 == 1:
            served.answers(request)
    served.answers(*served.engine.requests.values())
    served.check_empty("after 120 requests")
    check_equal(len(served.manager.cache.keys()), 4, "the guides in a cache of four")


# TODO 14 ------------------------------------------------------------------------------------------


def encode(text):
    return [ID.get(char, ID["#"]) for char in text] or [ID["#"]]


def program_of(lab, text="", **options):
    served = Served(lab, by_hand=False, **options)
    return lab.Program(served.engine, encode, text, lab.SamplingParams(temperature=0, max_tokens=1)), served


@pytest.mark.todo("generate_part")
def test_a_program_of_three_parts(lab):
    """Each part is a match of its own constraint, follows the text so far, and can be read by its name."""
    program, served = program_of(lab, "a")
    score = lab.generate_part(program, "score", regex=r"[0-9]\.5")
    answer = lab.generate_part(program, "answer", choices=("yes", "no"))
    pair = lab.generate_part(program, "pair", json_schema={"type": "array"}, max_tokens=9)
    assert re.fullmatch(r"[0-9]\.5", score) and answer in ("yes", "no") and type(json.loads(pair)) is list
    check_equal(program.text, "a" + score + answer + pair, "the text of the program")
    check_equal({**program.answers}, {"score": score, "answer": answer, "pair": pair}, "its answers")
    check_equal(served.model.calls[0], encode("a"), "the prompt of the first part")
    assert encode("a" + score) in served.model.calls, "the second part's prompt is the text after the first part"
    served.check_empty("after three parts")


@pytest.mark.todo("generate_part")
def test_a_free_part_and_its_tokens(lab):
    """Without a constraint the model writes what it wants; max_tokens is the part's, the rest the program's."""
    program, served = program_of(lab)
    check_equal(lab.generate_part(program, "free", max_tokens=3), "xxx", "a free part of three tokens")
    check_equal((program.gen("more", max_tokens=2), program.answers["more"]), ("xx", "xx"), "a further part, by gen")
    check_equal(program.text, "xxxxx", "the text")
    check_equal(served.grammars.made, [], "the compiles")
    long = lab.generate_part(program, "long")
    check_equal(long, "x" * 64, "a part whose max_tokens is not given")


@pytest.mark.todo("generate_part")
def test_a_free_part_asks_for_nothing(lab):
    """A free part runs on an engine that has no structured outputs, and refuses any response_format."""
    program = lab.Program(lab.engine_of(Model(), SMALL), encode, "a", lab.SamplingParams(temperature=0))
    check_equal(lab.generate_part(program, "free", max_tokens=2), "xx", "a free part on an engine without grammars")


@pytest.mark.todo("generate_part")
def test_a_name_that_is_used_again(lab):
    """The later part replaces the earlier one among the answers; the text has both."""
    program, _ = program_of(lab, "a")
    parts = [lab.generate_part(program, "digit", regex=pattern) for pattern in ("4", "6")]
    check_equal(parts, ["4", "6"], "what the two calls return")
    check_equal(({**program.answers}, program.text), ({"digit": "6"}, "a46"), "the answers and the text")


@pytest.mark.todo("generate_part")
def test_the_programs_own_parameters(lab):
    """What the program says about sampling holds for each of its parts; only max_tokens is the part's."""
    served = Served(lab, by_hand=False)
    program = lab.Program(served.engine, encode, "a", lab.SamplingParams(temperature=0, stop=("xx",), max_tokens=1))
    check_equal(lab.generate_part(program, "part", max_tokens=9), "xx", "a part of a program that stops at xx")


@pytest.mark.todo("generate_part")
@pytest.mark.parametrize(
    "options",
    [
        {"regex": "1", "choices": ["1"]},
        {"regex": "", "json_schema": False},
        {"choices": [], "json_schema": {}},
        {"regex": "1", "choices": ["1"], "json_schema": True},
    ],
)
def test_two_constraints_at_once(lab, options):
    """One constraint a part: an empty pattern and the schema False count as given."""
    program, served = program_of(lab, "a")
    must_raise(ValueError, f"generate_part with {options}", lambda: lab.generate_part(program, "part", **options))
    check_equal((program.text, {**program.answers}), ("a", {}), "text and answers afterwards")
    served.check_empty("after the refusal")


@pytest.mark.todo("generate_part")
@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"regex": "("}, "missing"),
        ({"regex": "[0-9]{3}", "max_tokens": 2}, "too small"),
        ({"choices": []}, "choices"),
        ({"regex": "1", "max_tokens": 5000}, "context"),
    ],
)
def test_a_part_that_fails_changes_nothing(lab, options, error):
    """A refused or failed part raises, and the program is what it was."""
    program, served = program_of(lab, "a")
    with pytest.raises(ValueError, match=error):
        lab.generate_part(program, "part", **options)
    check_equal((program.text, {**program.answers}), ("a", {}), "text and answers afterwards")
    served.check_empty("after the failure")


# Promises of every function ---------------------------------------------------------------------------


def ids_calls(lab):
    """Return calls of ``tokens_of``."""
    return {
        "of [5]": ((np.int32([5]),), {0, 2}),
        "of [0, -1]": ((np.int32([0, -1]),), set(range(32, 64))),
        "of [0]": ((np.int32([0]),), set()),
        "of [5] again": ((np.int32([5]),), {0, 2}),
    }


def finished_calls(lab):
    """Return calls of ``is_finished``."""
    return {
        f"after {text!r} of {pattern}, {remaining=}": ((at(lab, Brute(pattern), text), remaining), expected)
        for pattern, text, remaining, expected in STOPS[:8]
    }


@pytest.mark.parametrize(
    ("name", "calls"),
    [
        pytest.param("tokens_of", ids_calls, marks=pytest.mark.todo("tokens_of"), id="tokens_of"),
        pytest.param("is_finished", finished_calls, marks=pytest.mark.todo("is_finished"), id="is_finished"),
        pytest.param(
            "apply_structured_output_mask",
            masked_calls,
            marks=pytest.mark.todo("apply_structured_output_mask"),
            id="apply",
        ),
    ],
)
def test_calls_leave_everything_else_alone(lab, name, calls):
    """Arguments stay as they are, results are new objects, and no call remembers another."""
    check_promises(lab, name, calls(lab))


@pytest.mark.todo("vocabulary_fingerprint")
def test_a_fingerprint_remembers_nothing(lab):
    """Vocabularies in turn, and the first once more."""
    prints = [lab.vocabulary_fingerprint(vocabulary) for vocabulary in [*NEARLY[:3], *NEARLY[:3]]]
    check_equal(prints[:3], prints[3:], "the fingerprints of three vocabularies, asked for twice")
    check_call(lab, "vocabulary_fingerprint", (NEARLY[0],), prints[0])
