"""Tests of lab 05. The oracles are ``re``, exhaustive search over token sequences, and tables given as data."""

import math
import re
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from labkit.automata import Fsm
from labkit.checking import Recorder, bits, check_array, check_equal, check_mask, check_type
from labkit.checking.calls import check_raises
from labkit.checking.promises import check_promises
from labkit.checking.properties import PROPERTY
from labkit.errors import BudgetTooSmall
from labkit.models import digit_lover, seeded_random
from labkit.vocabulary import Vocabulary

TOY = Vocabulary.toy()
NUMBER_TABLE = ({1: 2, 2: 3, 3: 1}, {1: 2, 2: 3, 3: 1}, {3: 3}, {3: 3})
"""The table of ``labkit.automata.decimal_fsm`` over the toy vocabulary, made by hand."""

FRACTION = r"[0-9]+\.[0-9]+"
DIGIT = "0123456789"
FRACTION_FSM = Fsm(
    (dict.fromkeys(DIGIT, 1), dict.fromkeys(DIGIT, 1) | {".": 2}, *[dict.fromkeys(DIGIT, 3)] * 2), 0, frozenset({3})
)
FRACTION_TABLE = ({3: 1}, {1: 2, 2: 3, 3: 1}, {3: 3}, {3: 3})
"""``[0-9]+\\.[0-9]+`` over the toy vocabulary: it must start with a digit."""

EOS = 4


@st.composite
def automata(draw):
    """Draw an automaton as a table: a few states and tokens, with any transitions and any accepting states."""
    n_states, n_tokens = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    state = st.integers(0, n_states - 1)
    rows = [draw(st.dictionaries(st.integers(0, n_tokens - 1), state, max_size=n_tokens)) for _ in range(n_states)]
    accepting = draw(st.sets(state))
    fsm = Fsm(tuple({} for _ in range(n_states)), initial=draw(state), accepting=frozenset(accepting))
    vocabulary = Vocabulary([*(bytes([97 + i]) for i in range(n_tokens)), b"</s>"], eos_id=n_tokens)
    return fsm, tuple(rows), vocabulary


@st.composite
def patterns(draw):
    """Draw an unambiguous pattern of lab 02's language: up to three atoms over ``a``, ``b`` and the dot.

    So its automaton has at most four states, and a shortest match at most three tokens.
    """
    kinds = {"a": "a", "b": "b", r"\.": ".", "[ab]": "ab", "[b.]": "b."}
    sources = draw(st.lists(st.sampled_from(sorted(kinds)), max_size=3))
    pluses = draw(st.lists(st.booleans(), min_size=len(sources), max_size=len(sources)))
    for i in range(len(sources) - 1):
        pluses[i] &= not set(kinds[sources[i]]) & set(kinds[sources[i + 1]])
    return "".join(source + "+" * plus for source, plus in zip(sources, pluses, strict=True))


@st.composite
def vocabularies(draw):
    """Draw one to four tokens over ``a``, ``b`` and the dot, with EOS anywhere among them."""
    tokens = draw(st.lists(st.text("ab.", min_size=1, max_size=3).map(str.encode), min_size=1, max_size=4))
    eos_id = draw(st.integers(0, len(tokens)))
    return Vocabulary([*tokens[:eos_id], b"</s>", *tokens[eos_id:]], eos_id=eos_id)


def all_matches(pattern: str, vocabulary: Vocabulary, longest: int) -> list[list[int]]:
    """Return all sequences of at most ``longest`` tokens, EOS not counted, that ``re`` matches; short ones first."""
    texts = {i: text for i, text in enumerate(vocabulary.texts()) if text}
    sequences = (ids for n in range(longest + 1) for ids in product(texts, repeat=n))
    return [list(ids) for ids in sequences if re.fullmatch(pattern, "".join(texts[i] for i in ids))]


def check_ids(ids, vocabulary: Vocabulary, what: str) -> None:
    """Assert that the ids are a list of ints that the vocabulary has."""
    check_type(ids, list, what)
    for token_id in ids:
        check_type(token_id, int, f"each id of {what}")
        assert 0 <= token_id < len(vocabulary), f"{what} returned {ids}, but there is no token {token_id}"


def can_finish(table, accepting, state: int, tokens: int) -> bool:
    """Return whether at most this many tokens lead from the state to an accepting one, by exhaustive search."""
    if tokens < 0:
        return False
    return state in accepting or any(
        can_finish(table, accepting, target, tokens - 1) for target in set(table[state].values())
    )


def fewest(table, accepting, state: int) -> float:
    """Return the fewest tokens to an accepting state, by trying every number in turn."""
    return next((n for n in range(len(table) + 1) if can_finish(table, accepting, state, n)), math.inf)


def within(budget: int, model):
    """Return the model, which fails the test where it is asked for one token more than the budget has."""

    def logits(ids):
        assert len(ids) < budget, f"with a budget of {budget} the model is asked for one more token after {list(ids)}"
        return model(ids)

    return logits


# finish_reason ------------------------------------------------------------------------------------


@pytest.mark.todo("finish_reason")
@pytest.mark.parametrize(
    ("ids", "eos_id", "expected"),
    [
        *[([3, 2, 4], 4, "stop"), ([4], 4, "stop"), ([4, 3, 4], 4, "stop"), ([7, 0], 0, "stop")],
        *[([3, 3], 4, "length"), ([], 4, "length"), ([4, 3], 4, "length"), ([0, 7], 0, "length")],
        ([7, int("1000")], int("1000"), "stop"),  # two equal ids may be different objects
    ],
)
def test_the_last_token_decides(lab, ids, eos_id, expected):
    """Say `stop` if the last id is EOS, whichever id that is (it may be 0), and `length` otherwise."""
    check_equal(lab.finish_reason(ids, eos_id), expected, f"finish_reason({ids}, {eos_id=})")


@pytest.mark.todo("finish_reason")
def test_truncation_caveat_is_real(lab):
    """This model loves digits, so lab 04 cuts it off: the text could have become a match. Say `length`."""
    text, reason = lab.plain_answer(digit_lover(TOY), FRACTION_FSM, FRACTION_TABLE, TOY, 6)
    check_equal((text, reason), ("111111", "length"), "the digit lover's answer under lab 04's mask, cut at 6 tokens")
    assert re.fullmatch(FRACTION, text) is None and re.fullmatch(FRACTION, text + ".1")


# read_number --------------------------------------------------------------------------------------


@pytest.mark.todo("read_number")
@pytest.mark.parametrize(
    ("text", "reason", "expected"),
    [
        *[("12.5", "stop", 12.5), (".1234567", "stop", 0.1234567), ("12", "length", None), ("12.", "length", None)],
        *[("", "length", None), ("12.5", "abort", None), ("12.5", "STOP", None)],
    ],
)
def test_a_cut_answer_is_suspect(lab, text, reason, expected):
    """Only `stop` promises you the whole answer: `12` may be what's left of `12.5`, and you'd never know."""
    reason = "".join(reason)  # a text of its own, as it comes out of an answer
    check_equal(lab.read_number(text, reason), expected, f"read_number({text!r}, {reason!r})")


# predecessors -------------------------------------------------------------------------------------


@settings(PROPERTY, max_examples=50)
@given(automata())
@pytest.mark.todo("predecessors")
def test_the_reversed_transitions(lab, automaton):
    """State p comes before state q if some token leads from p to q. So reverse each transition, loops too."""
    _, table, _ = automaton
    got = lab.predecessors(table)
    expected = [{p for p, row in enumerate(table) if q in row.values()} for q in range(len(table))]
    check_equal(got, expected, f"predecessors({table})")


# tokens_to_accept ---------------------------------------------------------------------------------


DISTANCES = {
    "a[bc]d over ab, a, cd: after ab it needs a d, but no token is one": (
        (({0: 2, 1: 1}, {2: 3}, {}, {}), frozenset({3})),
        [2, 1, math.inf, 0],
    ),
    "a short path and a long one, whichever is met first": (
        (({0: 1, 1: 2}, {0: 4}, {0: 3}, {0: 4}, {}, {0: 3, 1: 6}, {0: 1}), frozenset({4})),
        [2, 1, 2, 1, 0, 2, 2],
    ),
    "a chain that is longer than Python's stack": (
        ((*({0: state + 1} for state in range(2000)), {}), {2000}),
        range(2000, -1, -1),
    ),
}


@pytest.mark.todo("tokens_to_accept")
@pytest.mark.parametrize("about", DISTANCES)
def test_distances(lab, about):
    """Count the tokens on the shortest path to an accepting state. If no path leads there, it's infinitely far."""
    arguments, expected = DISTANCES[about]
    got = lab.tokens_to_accept(*arguments)
    check_array(got, np.float64, (len(expected),), "tokens_to_accept")
    check_equal(got.tolist(), [float(distance) for distance in expected], f"tokens_to_accept of {about}")


@PROPERTY
@given(automata())
@pytest.mark.todo("tokens_to_accept")
def test_the_fewest_tokens_by_exhaustive_search(lab, automaton):
    """For any table and any accepting states, find the same distances as if you'd tried every path."""
    fsm, table, _ = automaton
    got = lab.tokens_to_accept(table, fsm.accepting)
    check_array(got, np.float64, (len(table),), "tokens_to_accept")
    expected = [float(fewest(table, fsm.accepting, state)) for state in range(len(table))]
    check_equal(got.tolist(), expected, f"tokens_to_accept({table}, {sorted(fsm.accepting)})")


# budget_row ---------------------------------------------------------------------------------------


@PROPERTY
@given(automata(), st.integers(1, 7), st.integers(0, 4), st.sets(st.integers(0, 4), max_size=1))
@pytest.mark.todo("budget_row")
def test_no_more_tokens_are_forbidden_than_needed(lab, automaton, remaining, state, gone):
    """Forbid a token only if the text couldn't end in time after it. What the row forbids already stays forbidden."""
    fsm, table, vocabulary = automaton
    state %= len(table)
    row = np.zeros(len(vocabulary), np.bool_)
    row[[*table[state], *[vocabulary.eos_id] * (state in fsm.accepting)]] = True
    row[[token_id for token_id in gone if token_id < len(row)]] = False
    distance = np.array([fewest(table, fsm.accepting, s) for s in range(len(table))], np.float64)
    expected, before = row.copy(), row.copy()
    for token_id, target in table[state].items():
        expected[token_id] &= can_finish(table, fsm.accepting, target, remaining - 2)
    with lab.in_place():
        got = lab.budget_row(row, table[state], distance, remaining)

    def why(token_id):
        if token_id not in table[state] or not before[token_id]:
            return "EOS stays as it was" if token_id == vocabulary.eos_id else "it was forbidden before"
        left = float(distance[table[state][token_id]])
        return f"after it you need {left:g} token{'s' * (left != 1)} and EOS" if left < math.inf else "it's a dead end"

    texts = [text or "EOS" for text in vocabulary.texts()]
    what = f"in state {state} of {table}, accepting {sorted(fsm.accepting)}, with remaining={remaining}"
    check_mask(got, expected, texts, what, why)
    check_equal(row.tolist(), before.tolist(), "the caller's row afterwards")


@pytest.mark.todo("budget_row")
@pytest.mark.parametrize(("remaining", "expected"), [(1, [0, 0, 0]), (2, [0, 0, 1]), (3, [0, 1, 1]), (4, [1, 1, 1])])
def test_each_token_is_judged_alone(lab, remaining, expected):
    """Judge each token alone: after 'a' there are two tokens to go, after 'b' one, after 'c' none. EOS stays legal."""
    got = lab.budget_row(bits("1111"), {0: 0, 1: 1, 2: 2}, np.array([2.0, 1.0, 0.0]), remaining)
    what = f"budget_row(all true, {{0: 0, 1: 1, 2: 2}}, [2, 1, 0], remaining={remaining})"
    check_mask(got, np.array([*expected, 1], np.bool_), ["a", "b", "c", "EOS"], what)


# generate_within ----------------------------------------------------------------------------------


def check_refused(call, budget: int, needed: float, what: str) -> None:
    """Assert that the call, described by ``what``, raises BudgetTooSmall with this budget and this need."""
    error = check_raises(call, BudgetTooSmall, what)
    check_equal((error.budget, float(error.needed)), (budget, float(needed)), f"the refusal of {what}")


@pytest.mark.todo("generate_within")
@pytest.mark.parametrize("budget", [4, 5, 9])
def test_truncation_caveat_is_real_and_closed(lab, budget):
    """Let the digit lover use its whole budget, and end with a match. Stop at EOS: the table has no entry for it."""
    ids = lab.generate_within(within(budget, digit_lover(TOY)), FRACTION_FSM, FRACTION_TABLE, TOY, budget)
    check_ids(ids, TOY, f"generate_within(digit_lover, …, {budget})")
    text = TOY.decode(ids)
    assert re.fullmatch(FRACTION, text), f"with a budget of {budget} the digit lover wrote {text!r}, no match"
    check_equal(
        (ids[-1], len(ids)), (EOS, budget), f"with a budget of {budget} the ids are {ids}: the last id, and how many"
    )


@PROPERTY
@given(automata(), st.integers(0, 8), st.integers(0, 10**6), st.booleans())
@pytest.mark.todo("generate_within")
def test_no_answer_is_ever_cut(lab, automaton, budget, seed, greedy):
    """Unless you refuse the budget, write a whole match and EOS within it, whatever the model wants."""
    fsm, table, vocabulary = automaton
    needed = fewest(table, fsm.accepting, fsm.initial) + 1
    model = Recorder(within(budget, seeded_random(len(vocabulary), seed)))
    us = np.random.default_rng(seed).random(budget).tolist()
    arguments = (model, fsm, table, vocabulary, budget, None if greedy else us)
    what = f"generate_within: from state {fsm.initial} of {table}, accepting {sorted(fsm.accepting)}, budget {budget}"
    if needed > budget:
        check_refused(lambda: lab.generate_within(*arguments), budget, needed, what)
        check_equal(model.calls, [], "the model calls before the refusal")
        return
    ids, state = lab.generate_within(*arguments), fsm.initial
    check_ids(ids, vocabulary, what)
    assert 0 < len(ids) <= budget and ids[-1] == vocabulary.eos_id, f"{what} returned {ids}: no EOS in time"
    for token_id in ids[:-1]:
        assert token_id in table[state], f"{what} returned {ids}: token {token_id} is not allowed in state {state}"
        state = table[state][token_id]
    assert state in fsm.accepting, f"{what} returned {ids}, which ends in state {state}, and that does not accept"
    check_equal(model.calls, [ids[:n] for n in range(len(ids))], "the model calls")


@settings(PROPERTY, max_examples=30)
@given(patterns(), vocabularies(), st.integers(0, 10**6))
@pytest.mark.todo("generate_within")
@pytest.mark.seconds(10)
def test_every_match_that_fits_can_be_written(lab, pattern, vocabulary, number):
    """If the budget is just enough for a match and EOS, the model can still write that match. Don't take it away."""
    matches = all_matches(pattern, vocabulary, 3)
    assume(matches)
    match = matches[number % len(matches)]
    spelling = np.eye(len(vocabulary), dtype=np.float32)[[*match, vocabulary.eos_id]]
    model = within(len(match) + 1, lambda ids: spelling[len(ids)])
    got = lab.generate_match(model, pattern, vocabulary, len(match) + 1)
    what = f"{pattern!r} over {vocabulary.texts()}, a budget of {len(match) + 1}, and a model that spells {match}"
    check_equal(got, [*match, vocabulary.eos_id], what)


@pytest.mark.todo("generate_within")
def test_the_models_logits_stay_as_they_are(lab):
    """Leave the model's array alone, because it may give you the same one at each step."""
    row = np.array([3.0, 1.0, 2.0, 9.0, 0.0], np.float32)
    lab.generate_within(within(5, lambda ids: row), FRACTION_FSM, FRACTION_TABLE, TOY, 5)
    check_equal(row.tolist(), [3.0, 1.0, 2.0, 9.0, 0.0], "the model's own array afterwards")


@pytest.mark.todo("generate_within")
def test_a_large_vocabulary_with_a_large_eos_id(lab):
    """Recognise EOS by its id. Here it's 300, and each of the three hundred tokens before it is a `1`."""
    vocabulary = Vocabulary([b"1"] * 300 + [b"</s>"], eos_id=300)
    ids = lab.generate_match(within(3, digit_lover(vocabulary)), "1+", vocabulary, 3)
    check_ids(ids, vocabulary, "generate_match(digit_lover, '1+', 300 tokens, 3)")
    check_equal((vocabulary.decode(ids), ids[-1], len(ids)), ("11", 300, 3), f"text, last id and length of {ids}")


@pytest.mark.todo("generate_within")
@pytest.mark.parametrize(
    ("table", "budget", "needed"), [(FRACTION_TABLE, 2, 3), (({3: 1}, {3: 1}, {}, {}), 99, math.inf)]
)
def test_a_hopeless_budget_is_refused_up_front(lab, table, budget, needed):
    """If no match fits the budget, say so before you ask the model for anything."""
    model = Recorder(within(budget, digit_lover(TOY)))
    what = f"generate_within with a budget of {budget}, where {needed:g} tokens are needed"
    check_refused(lambda: lab.generate_within(model, FRACTION_FSM, table, TOY, budget), budget, needed, what)
    check_equal(model.calls, [], "the model calls")


# Promises of every function ---------------------------------------------------------------------------

PLAN = Fsm(({}, {"7": 2, "x": 3}, {"7": 0}, {"y": 0}, {"7": 0}), initial=1, accepting=frozenset({0, 2}))
PLAN_TABLE = ({}, {3: 3, 0: 2}, {0: 0}, {}, {0: 0})
"""It starts in 1. State 0 allows EOS alone and is a target, 3 is a dead end, 4 is never reached; rows in any order."""

DIGITS = Vocabulary([b"7", b"</s>", b"<pad>", b"x"], eos_id=1, special_ids=[2])
RING_TABLE = ({0: 1}, {0: 2}, {0: 3}, {0: 0})
FOUR = np.array([3.0, 0.0, math.inf, 1.0])


def promises():
    """Return calls of each function with different answers."""
    far = math.inf
    any_order = {3: 3, 0: 1, 2: 0}
    likes = lambda row, budget=9: within(budget, lambda ids: np.array(row, np.float64))  # noqa: E731
    level, seven = [0, 0, 0, 0], [9, 1, 5, 5]
    ring = Fsm(({}, {}, {}, {}), initial=3, accepting=frozenset({0, 2}))
    one_state = Fsm(({},), initial=0, accepting=frozenset({0}))
    return {
        "finish_reason": {
            "of [5, 9], EOS 9": (([5, 9], 9), "stop"),
            "of [5, 9], EOS 5": (([5, 9], 5), "length"),
            "of the tuple (5, 0), EOS 0": (((5, 0), 0), "stop"),
            "of the tuple (0, 5), EOS 0": (((0, 5), 0), "length"),
            "of no ids": (((), 0), "length"),
            "of [1000], EOS 1000": (([int("1000")], int("1000")), "stop"),
        },
        "read_number": {
            "of '12', length": (("12", "length"), None),
            "of '12', stop": (("12", "stop"), 12.0),
            "of '0', stop": (("0", "stop"), 0.0),
            "of '12', stop_sequence": (("12", "stop_sequence"), None),
            "of '12', no reason": (("12", ""), None),
            "of '12.', stop": (("12.", "stop"), 12.0),
            "of '1,5', eos_token": (("1,5", "eos_token"), None),
            "of '1,5', stop": (("1,5", "stop"), ValueError),
            "of no text, stop": (("", "stop"), ValueError),
        },
        "predecessors": {
            "of [0-9]+\\.[0-9]+": ((FRACTION_TABLE,), [set(), {0, 1}, {1}, {1, 2, 3}]),
            "of a ring of four states": ((RING_TABLE,), [{3}, {0}, {1}, {2}]),
            "of a table with states that no token leads to": ((PLAN_TABLE,), [{2, 4}, set(), {1}, {1}, set()]),
            "of one state without tokens": ((({},),), [set()]),
        },
        "tokens_to_accept": {
            "of a ring, accepting {0}": ((RING_TABLE, {0}), np.array([0.0, 3.0, 2.0, 1.0])),
            "of a ring, accepting the list [2, 0]": ((RING_TABLE, [2, 0]), np.array([0.0, 1.0, 0.0, 1.0])),
            "of [0-9]+\\.[0-9]+, accepting the tuple (0,)": ((FRACTION_TABLE, (0,)), np.array([0.0, far, far, far])),
            "of [0-9]+\\.[0-9]+, accepting {3}": ((FRACTION_TABLE, frozenset({3})), np.array([2.0, 1.0, 1.0, 0.0])),
            "of a dead end and a state that is never reached": ((PLAN_TABLE, {0}), np.array([0.0, 2.0, 1.0, far, 1.0])),
            "of a ring that never accepts": ((RING_TABLE, set()), np.array([far] * 4)),
            "of a chain, numbered forwards": (((*({0: i + 1} for i in range(6)), {}), {6}), np.arange(7.0)[::-1]),
            "of a chain, numbered backwards": ((({}, *({0: i} for i in range(60))), [0, 0]), np.arange(61.0)),
            "of one state": ((({},), {0}), np.array([0.0])),
        },
        "budget_row": {
            "with remaining=2": ((bits("1111"), {0: 1, 2: 0, 3: 3}, FOUR, 2), bits("1100")),
            "with remaining=3, transitions in any order": ((bits("1111"), any_order, FOUR, 3), bits("1101")),
            "with remaining=5, where all fits": ((bits("1111"), any_order, FOUR, 5), bits("1111")),
            "with remaining=5 and other distances": ((bits("1111"), any_order, FOUR + 1, 5), bits("1101")),
            "with remaining=NumPy's 2": ((bits("1011"), any_order, FOUR, np.int64(2)), bits("1000")),
            "with a target that is never near the end": ((bits("111"), {0: 2, 1: 3}, FOUR, 10**6), bits("011")),
            "with EOS 0 and remaining=1": ((bits("111"), {2: 1, 1: 1}, FOUR, 1), bits("100")),
            "with a token that was forbidden": ((bits("101"), {1: 1, 0: 0}, FOUR, 9), bits("101")),
            "with EOS 0 that is not legal": ((bits("011"), {2: 1, 1: 0}, FOUR, 4), bits("001")),
            "with finite distances alone, where all fits": ((bits("111"), {0: 1, 1: 0}, FOUR[:2], 9), bits("111")),
            "with EOS alone": ((bits("0100"), {}, FOUR, 1), bits("0100")),
            "with one token, which is EOS": ((bits("1"), {}, FOUR, 9), bits("1")),
        },
        "generate_within": {
            "of an automaton that starts in 1": ((likes(seven), PLAN, PLAN_TABLE, DIGITS, 9), [0, 0, 1]),
            "with a budget of 2": ((likes(seven, 2), PLAN, PLAN_TABLE, DIGITS, np.int64(2)), [0, 1]),
            "with a budget of 1": ((likes(seven, 1), PLAN, PLAN_TABLE, DIGITS, 1), BudgetTooSmall),
            "of a ring with four states": ((likes(seven, 4), ring, RING_TABLE, DIGITS, 4), [0, 0, 0, 1]),
            "of [0-9]+\\.[0-9]+": ((within(4, digit_lover(TOY)), FRACTION_FSM, FRACTION_TABLE, TOY, 4), [3, 3, 2, 4]),
            "with a tuple of numbers u": ((likes(level), PLAN, PLAN_TABLE, DIGITS, 9, (0.9, 0.1, 0.9)), [0, 0, 1]),
            "with a list of numbers u": ((likes(level), PLAN, PLAN_TABLE, DIGITS, 9, [0.9, 0.9, 0.0]), [0, 1]),
            "with an array": ((likes(level), PLAN, PLAN_TABLE, DIGITS, 9, np.array([0.0, 0.9, 0.0])), [0, 1]),
            "of an initial state that accepts": ((likes(seven, 1), one_state, ({},), DIGITS, 1), [1]),
            "of a model that rules the rest out": ((likes([-far, 0, 0, 0]), PLAN, PLAN_TABLE, DIGITS, 9), ValueError),
            "of a model with logits 1e-17 apart": ((likes([0, 1e-17, 0, 0]), PLAN, PLAN_TABLE, DIGITS, 9), [0, 1]),
        },
    }


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.todo(name), id=name) for name in promises()])
def test_calls_leave_everything_else_alone(lab, name):
    """Answer each call right, with a new result. Leave its arguments alone, and remember nothing of other calls."""
    check_promises(lab, name, promises()[name])
