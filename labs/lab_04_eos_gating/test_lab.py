"""Tests of lab 04. The oracles are ``re``, automata and tables given as data, and models made for the tests."""

import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.automata import Fsm, decimal_fsm
from labkit.checking import Recorder, bits, check_array, check_equal, check_mask, check_type, check_written
from labkit.checking.calls import check_call, check_raises, reporting
from labkit.checking.promises import check_promises
from labkit.checking.properties import PROPERTY
from labkit.errors import NoLegalToken
from labkit.models import adversary, seeded_random
from labkit.vocabulary import Vocabulary

MINUS = float("-inf")
TOY = Vocabulary.toy()
NUMBER_TABLE = ({1: 2, 2: 3, 3: 1}, {1: 2, 2: 3, 3: 1}, {3: 3}, {3: 3})
"""The table of ``labkit.automata.decimal_fsm`` over the toy vocabulary, made by hand."""
NUMBER_MASKS = ["01110", "01110", "00010", "00011"]
"""Its masks."""

HEX = "0x[0-9a-f]+"
HEX_TEXTS = ["q", "@", "zz", "0", "x", "0x", "1", "af", "f0", "x1", "g"]
HEX_VOCABULARY = Vocabulary([*(text.encode() for text in HEX_TEXTS), b"</s>"], eos_id=11)

DIGITS = Vocabulary([b"7", b"</s>", b"42", b"x"], eos_id=1)
DIGIT_FSM = Fsm(({"7": 1, "4": 1, "2": 1}, {"7": 1, "4": 1, "2": 1}), initial=0, accepting=frozenset({1}))
DIGIT_TABLE = ({0: 1, 2: 1}, {0: 1, 2: 1})
"""``[0-9]+`` over four tokens, of which EOS is the second: its id is not the last."""

PLAN = Fsm(({}, {"7": 2, "x": 3}, {"7": 0}, {"y": 0}, {"7": 0, "x": 4}), initial=1, accepting=frozenset({0, 2}))
PLAN_TABLE = ({}, {0: 2, 3: 3}, {0: 0}, {}, {3: 4, 0: 0})
"""It starts in 1. State 0 allows EOS alone and is a target, 3 is a dead end, 4 is never reached; rows in any order."""

EOS_FIRST = Vocabulary([b"</s>", b"7", b"<pad>", b"7", b" "], eos_id=0, special_ids=[2])
"""EOS is id 0, id 2 is special too, two ids have one text, and one is white space."""
EOS_THIRD = Vocabulary([b"<s>", b"7", b"</s>", b"7"], eos_id=2, special_ids=[0])
"""Another special token comes before EOS."""
EOS_LAST = Vocabulary([b"7", b"42", b"x", b"</s>"], eos_id=3)
"""As long as ``DIGITS``, with EOS at another place."""


def names(vocabulary: Vocabulary) -> list[str]:
    """Return a name for each token, to show in messages."""
    special = {vocabulary.eos_id: "EOS"}
    return [special.get(i, "<special>") if text is None else text for i, text in enumerate(vocabulary.texts())]


def fixed(*rows):
    """Return a model that gives these logits step by step, and the last row from then on."""
    arrays = [np.array(row, np.float32) for row in rows]
    return lambda ids: arrays[min(len(ids), len(arrays) - 1)]


# mask_row -----------------------------------------------------------------------------------------


@pytest.mark.todo("mask_row")
@pytest.mark.parametrize("state", range(4))
def test_eos_is_legal_where_the_automaton_accepts(lab, state):
    """EOS is legal wherever the automaton accepts, and only there. The tokens that may follow stay legal beside it."""
    got = lab.mask_row(decimal_fsm(), NUMBER_TABLE, state, TOY)
    check_mask(got, bits(NUMBER_MASKS[state]), names(TOY), f"in state {state} of ([0-9]+)?\\.[0-9]+")


@pytest.mark.todo("mask_row")
def test_eos_is_where_the_vocabulary_says(lab):
    """EOS can have any id, so ask the vocabulary. It may be the only legal token. In a dead end, allow nothing."""
    ends, end_table = Fsm(({"7": 1}, {}, {}), initial=0, accepting=frozenset({1})), ({0: 1}, {}, {})
    ring, ring_table = Fsm(({"7": 1}, {"x": 0}), initial=0, accepting=frozenset({0})), ({0: 1}, {3: 0})
    for fsm, table, state, expected in [
        *[(DIGIT_FSM, DIGIT_TABLE, 0, "1010"), (DIGIT_FSM, DIGIT_TABLE, 1, "1110")],
        *[(ends, end_table, 1, "0100"), (ends, end_table, 2, "0000")],
        *[(ring, ring_table, 0, "1100"), (ring, ring_table, 1, "0001")],
    ]:
        got = lab.mask_row(fsm, table, state, DIGITS)
        what = f"in state {state}, accepting {sorted(fsm.accepting)}, with the table {table}"
        check_mask(got, bits(expected), names(DIGITS), what)


# mask_rows ----------------------------------------------------------------------------------------


@pytest.mark.todo("mask_rows")
def test_a_row_for_each_state(lab):
    """Return a row for each state, in the order of the states, with EOS in it where it belongs."""
    rows = lab.mask_rows(decimal_fsm(), NUMBER_TABLE, TOY)
    check_array(rows, np.bool_, (4, 5), "mask_rows")
    for state, expected in enumerate(NUMBER_MASKS):
        check_mask(rows[state], bits(expected), names(TOY), f"row {state}")


# mask_logits --------------------------------------------------------------------------------------


@pytest.mark.todo("mask_logits")
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_allowed_logits_keep_every_bit(lab, dtype):
    """Leave allowed logits exactly as they are, and the caller's array too. All others become minus infinity."""
    logits = np.array([-0.0, np.finfo(dtype).smallest_subnormal, np.inf, np.finfo(dtype).max, np.nan, np.inf], dtype)
    row, before = bits("110101"), logits.tobytes()
    allowed = logits[row].tobytes()
    with lab.in_place():
        masked = lab.mask_logits(logits, row.copy())
    check_array(masked, dtype, (6,), "mask_logits")
    check_equal(masked[row].tobytes(), allowed, "the bytes of the allowed logits")
    check_equal(masked[~row].tolist(), [-np.inf, -np.inf], "the logits that are not allowed")
    check_equal(logits.tobytes(), before, "the bytes of the caller's logits afterwards")


@pytest.mark.todo("mask_logits")
def test_a_row_that_allows_nothing_is_refused(lab):
    """If a mask allows nothing, or isn't as long as the logits, raise an error. One allowed token is enough."""
    check_equal(lab.mask_logits(np.zeros(2), bits("01")).tolist(), [-np.inf, 0.0], "one allowed token")
    for row in ("00", "1", "111"):
        call = lambda row=row: lab.mask_logits(np.zeros(2), bits(row))  # noqa: E731
        check_raises(call, ValueError, f"mask_logits of [0, 0] and the mask {row}")


# choose -------------------------------------------------------------------------------------------


@pytest.mark.todo("choose")
@pytest.mark.parametrize(
    ("masked", "u", "expected"),
    [
        *[([0, -np.inf, np.log(3)], u, expected) for u, expected in ((0.0, 0), (0.2, 0), (0.5, 2), (0.99, 2))],
        # computed in the dtype of the logits, id 0 would have all of the probability
        (np.array([10, 0], np.float16), 0.99997, 1),
        (np.array([20, 0], np.float32), 1 - 1e-9, 1),
        # no u draws what is forbidden, first or last: not 0, nor the highest, which is also the float sum of ten 0.1
        ([-np.inf, 0], 0.0, 1),
        ([0] * 10 + [-np.inf], 1 - 2**-53, 9),
    ],
)
def test_a_u_decides_by_probability(lab, masked, u, expected):
    """With a u, even 0.0, draw by probability, in float64 as in lab 01. Never draw a token of probability 0."""
    masked = np.asarray(masked)
    parts = np.exp(masked.astype(float) - masked.max())
    chances = ", ".join(f"{part:.5g}" for part in parts / parts.sum())
    what = f"choose of {masked.dtype} logits whose probabilities are {chances}, with u = {u!r}"
    with reporting(what, expected):
        got = lab.choose(masked, u)
    check_equal(got, expected, what)


@pytest.mark.todo("choose")
@pytest.mark.parametrize("u", [None, 0.5])
def test_minus_infinity_alone_is_refused(lab, u):
    """Return a plain int. If every logit is minus infinity, keep the lines that refuse."""
    check_equal(lab.choose(np.array([-np.inf, 0], np.float32), u), 1, f"choose([-inf, 0], {u})")
    nothing = np.full(3, -np.inf, np.float32)
    call = lambda: lab.choose(nothing, u)  # noqa: E731
    check_raises(call, ValueError, f"choose([-inf, -inf, -inf], {u})", "nothing to choose from")


# constrained_generate -----------------------------------------------------------------------------


@pytest.mark.todo("constrained_generate")
@pytest.mark.parametrize("seed", range(4))
def test_constrained_output_always_matches(lab, seed):
    """This model would rather write q, @ and zz. Under your mask, it ends with a whole hexadecimal number."""
    fsm, table = lab.prepare(HEX, HEX_VOCABULARY)
    model = adversary(HEX_VOCABULARY, wants=["q", "@", "zz"])
    us = np.random.default_rng(seed).random(40).tolist()
    ids = lab.constrained_generate(model, fsm, table, HEX_VOCABULARY, 40, us)
    check_type(ids, list, "constrained_generate")
    text = HEX_VOCABULARY.decode(ids)
    assert re.fullmatch(HEX, text), f"the adversary wrote {text!r} (seed {seed}), which does not match {HEX!r}"


@pytest.mark.todo("constrained_generate")
def test_fuzzed_preferences_never_violate(lab):
    """These are fifty greedy models, each with its own tastes. Under [0-9]+, let them write nothing but digits."""
    texts = ["1", "22", "x", "3x", "-", "907", "a", "0"]
    vocabulary = Vocabulary([*(text.encode() for text in texts), b"</s>"], eos_id=8)
    fsm, table = lab.prepare("[0-9]+", vocabulary)
    for seed in range(50):
        logits = np.random.default_rng(seed).permutation(9).astype(np.float32)
        ids = lab.constrained_generate(fixed(logits), fsm, table, vocabulary, 6)
        check_type(ids, list, "constrained_generate")
        text = vocabulary.decode(ids)
        assert re.fullmatch("[0-9]+", text), f"preference {seed} wrote {text!r}, which is not a number"


@pytest.mark.todo("constrained_generate")
def test_eos_only_when_accepting(lab):
    """This model wants to stop right away. Make it write a digit first, and ask it even when only EOS is left."""
    model = Recorder(fixed([0, 9, 1, 5]))
    ids = lab.constrained_generate(model, DIGIT_FSM, ({0: 1, 2: 1}, {}), DIGITS, 9)
    check_written(
        ids, [2, 1], names(DIGITS), "the ids of a model that wants EOS, then 'x', then '42', of a table for one digit"
    )
    check_equal(model.calls, [[], [2]], "the model calls: one for each emitted token, EOS included")


@PROPERTY
@given(st.integers(0, 10**6), st.booleans())
@pytest.mark.todo("constrained_generate")
def test_each_step_emits_the_legal_token_that_it_should(lab, seed, greedy):
    """At each step, ask the model once, and write the legal token with the highest logit, or the one u draws."""
    model, us = seeded_random(4, seed), np.random.default_rng(seed).random(5).tolist()
    expected: list[int] = []
    while len(expected) < 5 and 1 not in expected:
        legal = [True, bool(expected), True, False]
        odds = np.where(legal, np.exp(model(expected).astype(float)), 0)
        sampled = np.flatnonzero(np.cumsum(odds) > us[len(expected)] * odds.sum())[0]
        expected.append(int(odds.argmax() if greedy else sampled))
    asked = Recorder(model)
    got = lab.constrained_generate(asked, DIGIT_FSM, DIGIT_TABLE, DIGITS, 5, None if greedy else us)
    how = f"for [0-9]+ with the random model {seed}, {'greedy' if greedy else f'us = {us}'}"
    check_written(got, expected, names(DIGITS), f"the ids {how}")
    check_equal(asked.calls, [expected[:n] for n in range(len(expected))], f"the model calls {how}")


@pytest.mark.todo("constrained_generate")
def test_a_vocabulary_of_many_tokens(lab):
    """Compare ids with `==`. Two large ids can be equal without being the same object."""
    vocabulary = Vocabulary([b"7", *[b"x"] * 400, b"</s>"], eos_id=401)
    likes_the_end = np.arange(402, dtype=np.float32)
    got = lab.constrained_generate(lambda ids: likes_the_end, DIGIT_FSM, ({0: 1}, {0: 1}), vocabulary, 5)
    check_written(got, [0, 401], names(vocabulary), "the ids of a model that wants EOS, whose id is 401")


@pytest.mark.todo("constrained_generate")
def test_the_limit_holds_when_sampling_too(lab):
    """Write at most `max_tokens` ids, EOS included, however many numbers u there are. With 0, write none."""
    us, loves_7 = [0.5] * 9, fixed([9, 0, 0, 0])
    for limit, numbers in product((0, 1, 3), (us, None)):
        with lab.in_place():
            ids = lab.constrained_generate(loves_7, DIGIT_FSM, DIGIT_TABLE, DIGITS, limit, numbers)
        how = f"the ids for max_tokens={limit} and {'nine' if numbers else 'no'} numbers u"
        check_written(ids, [0] * limit, names(DIGITS), how)
    check_equal(us, [0.5] * 9, "the caller's numbers u afterwards")


@pytest.mark.todo("constrained_generate")
def test_a_state_without_a_legal_token_is_an_error(lab):
    """In a dead end, raise an error with the state and text, before you ask the model. At the limit, just stop."""
    needs_y, table = Fsm(({"y": 2}, {"7": 0}, {}), initial=1, accepting=frozenset({2})), ({}, {0: 0}, {})
    about = "with max_tokens=1, which is used up where a dead end begins,"
    check_call(lab, "constrained_generate", (fixed([1, 1, 1, 1]), needs_y, table, DIGITS, 1), [0], about)
    model = Recorder(fixed([1, 1, 1, 1]))
    what = "constrained_generate, after '7', where the pattern needs a 'y' and no token has one,"
    call = lambda: lab.constrained_generate(model, needs_y, table, DIGITS, 5)  # noqa: E731
    error = check_raises(call, NoLegalToken, what)
    check_equal((error.state, error.text), (0, "7"), "the state and the text that the error carries")
    check_equal(model.calls, [[]], "the model calls")


@pytest.mark.todo("constrained_generate")
@pytest.mark.parametrize(
    ("pattern", "tokens"),
    [("0x[0-9a-f]+", ["0x", "af"]), ("[0-9]+x", ["0", "1", "x"]), ("[a-f]+g", ["af", "g"])],
    ids=str,
)
def test_a_compiled_pattern_from_end_to_end(lab, pattern, tokens):
    """With your labs 02 and 03, a model that spells out a match can write it, and EOS after it."""
    fsm, table = lab.prepare(pattern, HEX_VOCABULARY)
    expected = [*map(HEX_TEXTS.index, tokens), HEX_VOCABULARY.eos_id]
    spells = fixed(*np.eye(12)[expected])
    ids = lab.constrained_generate(spells, fsm, table, HEX_VOCABULARY, 9)
    check_written(
        ids, expected, names(HEX_VOCABULARY), f"the ids of a model that wants {tokens} and EOS under {pattern!r}"
    )


# Promises of every function ---------------------------------------------------------------------------

RULED = ("0100", "1001", "1100", "0000", "1001")


def row(fsm: Fsm, table, state: int, vocabulary: Vocabulary, digits: str):
    """Return the arguments of a call of mask_row, and a judge of the mask, which names a wrong token."""
    held = f", accepting {sorted(fsm.accepting)}, with the table {table}"
    judge = lambda got, what: check_mask(got, bits(digits), names(vocabulary), what + held)  # noqa: E731
    return (fsm, table, state, vocabulary), judge


def promises():
    """Return calls of each function with different answers."""
    calls = {
        "in state 1 of [0-9]+, EOS 1": row(DIGIT_FSM, DIGIT_TABLE, 1, DIGITS, "1110"),
        "in state 1 of [0-9]+, EOS 3": row(DIGIT_FSM, ({0: 1, 1: 1}, {0: 1, 1: 1}), 1, EOS_LAST, "1101"),
        "in state 1, EOS 0": row(DIGIT_FSM, ({3: 1, 1: 1}, {1: 1}), 1, EOS_FIRST, "11000"),
        "in state 0, EOS 0": row(DIGIT_FSM, ({3: 1, 1: 1}, {1: 1}), 0, EOS_FIRST, "01010"),
        "in state 1, EOS 2": row(DIGIT_FSM, ({1: 1, 3: 1}, {1: 1, 3: 1}), 1, EOS_THIRD, "0111"),
    }
    for state, digits in enumerate(RULED):
        calls[f"in state {state} of an automaton that starts in 1"] = row(PLAN, PLAN_TABLE, state, DIGITS, digits)
    two, own = np.array([1.0, 2.0, 3.0], np.float32), np.array([MINUS, 2, -0.0])
    level, no_digit, wants_x = fixed([0, 0, 0, 0]), fixed([MINUS, 1, MINUS, 1]), fixed([1, 2, 3, 9])
    backwards = fixed([9, 1, 1, 1], [1, 9, 1, 1])
    return {
        "mask_row": calls | {"in NumPy's state 2": row(PLAN, PLAN_TABLE, np.int64(2), DIGITS, "1100")},
        "mask_rows": {
            "of [0-9]+, EOS 1": ((DIGIT_FSM, DIGIT_TABLE, DIGITS), np.stack([bits("1010"), bits("1110")])),
            "of five states": ((PLAN, PLAN_TABLE, DIGITS), np.stack([bits(r) for r in RULED])),
            "of [0-9]+, EOS 0": ((DIGIT_FSM, ({1: 1}, {3: 1}), EOS_FIRST), np.stack([bits("01000"), bits("10010")])),
            "of one state": ((Fsm(({},), 0, frozenset({0})), ({},), DIGITS), np.stack([bits("0100")])),
        },
        "mask_logits": {
            "of float32": ((two, bits("101")), np.array([1, MINUS, 3], np.float32)),
            "of the same logits and another mask": ((two, bits("011")), np.array([MINUS, 2, 3], np.float32)),
            "of a mask without a token": ((two, bits("000")), ValueError),
            "of a mask with all tokens": ((two, bits("111")), np.array([1, 2, 3], np.float32)),
            "of a model's own minus infinity": ((own, bits("101")), np.array([MINUS, MINUS, -0.0])),
            "of one token": ((np.array([7], np.float16), bits("1")), np.array([7], np.float16)),
            "of one allowed token, which the model rules out": ((np.array([MINUS, 2]), bits("10")), np.full(2, MINUS)),
        },
        "choose": {
            "of logits 1e-60 apart": ((np.array([0.0, 1e-60, MINUS]), None), 1),
            "of 300 logits, of which a hundred are the highest": ((np.arange(300.0) % 3, None), 2),
            "of [1, 3, 3]": ((np.array([1, 3, 3], np.float32), None), 1),
            "of [3, 1, 3] in float16": ((np.array([3, 1, 3], np.float16), None), 0),
            "of one token, as low as a float": ((np.array([MINUS, -3e38, MINUS], np.float32), None), 1),
            "of [0, -inf, log 3] and 0.5": ((np.array([0, MINUS, np.log(3)]), 0.5), 2),
            "of [0, -inf, log 3] and NumPy's 0.2": ((np.array([0, MINUS, np.log(3)]), np.float32(0.2)), 0),
        },
        "constrained_generate": {
            "of [0-9]+": ((wants_x, DIGIT_FSM, DIGIT_TABLE, DIGITS, 3), [2, 2, 2]),
            "of an automaton that starts in 1": ((backwards, PLAN, PLAN_TABLE, DIGITS, 5), [0, 1]),
            "that ends where only EOS is left": ((fixed([9, 1, 1, 1]), PLAN, PLAN_TABLE, DIGITS, 5), [0, 0, 1]),
            "into a dead end": ((wants_x, PLAN, PLAN_TABLE, DIGITS, 5), NoLegalToken),
            "of a model that rules out every legal token": ((no_digit, DIGIT_FSM, DIGIT_TABLE, DIGITS, 3), ValueError),
            "of another vocabulary": ((wants_x, DIGIT_FSM, ({0: 1, 1: 1}, {0: 1, 1: 1}), EOS_LAST, 3), [1, 3]),
            "with a tuple of numbers u": ((wants_x, DIGIT_FSM, DIGIT_TABLE, DIGITS, 2, (0.0, 0.9)), [0, 2]),
            "with an array": ((level, DIGIT_FSM, DIGIT_TABLE, DIGITS, np.int64(2), np.array([0.1, 0.5])), [0, 1]),
        },
    }


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.todo(name), id=name) for name in promises()])
def test_calls_leave_everything_else_alone(lab, name):
    """Answer each call right, with a new result. Leave its arguments alone, and remember nothing of other calls."""
    check_promises(lab, name, promises()[name])
