"""Tests of lab 05. The oracles are ``re``, exhaustive search over token sequences, and tables given as data."""

import math
import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.automata import Fsm, decimal_fsm
from labkit.checking import Recorder, check_array, check_equal, check_mask, check_type
from labkit.errors import BudgetTooSmall
from labkit.models import adversary, digit_lover, seeded_random
from labkit.properties import PROPERTY
from labkit.vocabulary import Vocabulary

TOY = Vocabulary.toy()
NUMBER_TABLE = ({1: 2, 2: 3, 3: 1}, {1: 2, 2: 3, 3: 1}, {3: 3}, {3: 3})
"""The table of ``labkit.automata.decimal_fsm`` over the toy vocabulary, by hand."""

FRACTION = r"[0-9]+\.[0-9]+"
FRACTION_FSM = Fsm(
    transitions=(
        dict.fromkeys("0123456789", 1),
        {**dict.fromkeys("0123456789", 1), ".": 2},
        *[dict.fromkeys("0123456789", 3)] * 2,
    ),
    initial=0,
    accepting=frozenset({3}),
)
FRACTION_TABLE = ({3: 1}, {1: 2, 2: 3, 3: 1}, {3: 3}, {3: 3})
"""``[0-9]+\\.[0-9]+`` over the toy vocabulary: it must begin with a digit."""

EOS = 4


@st.composite
def machines(draw):
    """A machine that is only its table: a few states, a few tokens, arrows anywhere, any states accepting."""
    n_states, n_tokens = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    state = st.integers(0, n_states - 1)
    rows = [draw(st.dictionaries(st.integers(0, n_tokens - 1), state, max_size=n_tokens)) for _ in range(n_states)]
    accepting = draw(st.sets(state))
    fsm = Fsm(tuple({} for _ in range(n_states)), initial=draw(state), accepting=frozenset(accepting))
    vocabulary = Vocabulary([*(bytes([97 + i]) for i in range(n_tokens)), b"</s>"], eos_id=n_tokens)
    return fsm, tuple(rows), vocabulary


def can_finish(table, accepting, state: int, tokens: int) -> bool:
    """Exhaustive search: whether at most this many tokens lead from the state to an accepting one."""
    if tokens < 0:
        return False
    return state in accepting or any(
        can_finish(table, accepting, target, tokens - 1) for target in set(table[state].values())
    )


def fewest(table, accepting, state: int) -> float:
    """The fewest tokens to an accepting state, by trying every number in turn."""
    return next((n for n in range(len(table) + 1) if can_finish(table, accepting, state, n)), math.inf)


# TODO 1 -------------------------------------------------------------------------------------------


@pytest.mark.todo(1)
@pytest.mark.parametrize(
    ("ids", "expected"), [([3, 2, 4], "stop"), ([4], "stop"), ([3, 3], "length"), ([], "length"), ([4, 3], "length")]
)
def test_the_last_token_tells(lab, ids, expected):
    """EOS at the end is the only sign that the model came to its end."""
    check_equal(lab.finish_reason(ids, EOS), expected, f"finish_reason({ids}, eos_id=4)")


@pytest.mark.todo(1)
def test_eos_is_any_id(lab):
    """Also 0, which is a false number and a good id."""
    check_equal(lab.finish_reason([7, 0], 0), "stop", "finish_reason([7, 0], eos_id=0)")
    check_equal(lab.finish_reason([0, 7], 0), "length", "finish_reason([0, 7], eos_id=0)")


@pytest.mark.todo(1)
def test_truncation_caveat_is_real(lab):
    """The digit lover never comes to the dot: its answer is the beginning of a match, is none, and says length."""
    text, reason = lab.plain_answer(digit_lover(TOY), FRACTION_FSM, FRACTION_TABLE, TOY, 6)
    check_equal((text, reason), ("111111", "length"), "the digit lover's answer under lab 04's mask, cut at 6 tokens")
    assert re.fullmatch(FRACTION, text) is None and re.fullmatch(FRACTION, text + ".1")


# TODO 2 -------------------------------------------------------------------------------------------


@pytest.mark.todo(2)
@pytest.mark.parametrize(
    ("text", "reason", "expected"),
    [("12.5", "stop", 12.5), ("12", "length", None), ("12.", "length", None), (".5", "stop", 0.5)],
)
def test_a_cut_answer_is_suspect(lab, text, reason, expected):
    """``12`` of a cut ``12.5`` parses, and is wrong: the reason decides, and not the text."""
    check_equal(lab.read_number(text, reason), expected, f"read_number({text!r}, {reason!r})")


@pytest.mark.todo(2)
def test_a_finished_answer_that_is_no_number_is_a_fault(lab):
    """Under a mask it cannot happen; where it does, nobody must look away."""
    check_equal(lab.read_number("1.5", "stop"), 1.5, "read_number('1.5', 'stop')")
    with pytest.raises(ValueError, match="convert"):
        lab.read_number("twelve", "stop")


# TODO 3 -------------------------------------------------------------------------------------------


@PROPERTY
@given(machines())
@pytest.mark.todo(3)
def test_the_arrows_turned_round(lab, machine):
    """State p is before state q if and only if some token leads from p to q."""
    _, table, _ = machine
    got = lab.predecessors(table)
    check_type(got, list, "predecessors")
    expected = [{p for p, row in enumerate(table) if q in row.values()} for q in range(len(table))]
    check_equal([set(each) for each in got], expected, f"predecessors({table})")


# TODO 4 -------------------------------------------------------------------------------------------


@pytest.mark.todo(4)
def test_the_distances_of_the_example(lab):
    """From the start ``.2`` is one token; behind the dot one digit is missing; behind that nothing."""
    got = lab.tokens_to_accept(NUMBER_TABLE, decimal_fsm().accepting)
    check_array(got, np.float64, (4,), "tokens_to_accept")
    check_equal(got.tolist(), [1.0, 1.0, 1.0, 0.0], "tokens_to_accept of ([0-9]+)?\\.[0-9]+ over the toy vocabulary")


@pytest.mark.todo(4)
def test_alive_in_characters_and_out_of_reach_by_tokens(lab):
    """Without a token that begins with the dot, no sequence of tokens finishes, though the machine is alive."""
    got = lab.tokens_to_accept(({3: 1}, {3: 1}, {3: 3}, {3: 3}), frozenset({3}))
    check_equal(got.tolist(), [math.inf, math.inf, 1.0, 0.0], "tokens_to_accept without a token for the dot")


@PROPERTY
@given(machines())
@pytest.mark.todo(4)
def test_the_fewest_tokens_by_exhaustive_search(lab, machine):
    """Every table, every set of accepting states, the empty one too."""
    fsm, table, _ = machine
    got = lab.tokens_to_accept(table, fsm.accepting)
    check_array(got, np.float64, (len(table),), "tokens_to_accept")
    expected = [float(fewest(table, fsm.accepting, state)) for state in range(len(table))]
    check_equal(got.tolist(), expected, f"tokens_to_accept({table}, {sorted(fsm.accepting)})")


@pytest.mark.todo(4)
def test_a_long_chain(lab):
    """Two thousand states in a row: no recursion, and no number counted twice."""
    table = (*({0: state + 1} for state in range(2000)), {})
    got = lab.tokens_to_accept(table, {2000})
    check_equal(got.tolist(), [float(2000 - state) for state in range(2001)], "tokens_to_accept of a chain")


# TODO 5 -------------------------------------------------------------------------------------------


@PROPERTY
@given(machines(), st.integers(1, 7), st.data())
@pytest.mark.todo(5)
def test_no_more_tokens_are_forbidden_than_needed(lab, machine, remaining, data):
    """Each allowed token can still finish, each forbidden one cannot: by exhaustive search."""
    fsm, table, vocabulary = machine
    state = data.draw(st.integers(0, len(table) - 1))
    row = np.zeros(len(vocabulary), np.bool_)
    row[[*table[state]]] = True
    row[vocabulary.eos_id] = state in fsm.accepting
    distance = np.array([fewest(table, fsm.accepting, s) for s in range(len(table))], np.float64)
    expected, before = row.copy(), row.copy()
    for token_id, target in table[state].items():
        expected[token_id] = can_finish(table, fsm.accepting, target, remaining - 2)
    got = lab.budget_row(row, table[state], distance, remaining)
    texts = [text or "EOS" for text in vocabulary.texts()]
    what = f"in state {state} of {table}, accepting {sorted(fsm.accepting)}, with {remaining} tokens remaining"
    check_mask(
        got, expected, texts, what, lambda i: f"behind it {distance[table[state][i]]:g} tokens and EOS are needed"
    )
    check_equal(row.tolist(), before.tolist(), "the caller's row afterwards")


@pytest.mark.todo(5)
def test_a_forbidden_token_stays_forbidden(lab):
    """The budget only takes away."""
    got = lab.budget_row(np.array([False, True, True]), {0: 0, 1: 0}, np.array([0.0]), 9)
    check_mask(got, np.array([False, True, True]), ["a", "b", "EOS"], "with a row that forbids 'a'")


# TODO 6 -------------------------------------------------------------------------------------------


@pytest.mark.todo(6)
@pytest.mark.parametrize("budget", [4, 5, 9])
def test_truncation_caveat_is_real_and_closed(lab, budget):
    """The digit lover, which writes digits until it is cut, now ends in a match, and uses the budget to its end."""
    ids = lab.generate_within(digit_lover(TOY), FRACTION_FSM, FRACTION_TABLE, TOY, budget)
    text = TOY.decode(ids)
    assert re.fullmatch(FRACTION, text), f"with a budget of {budget} the digit lover wrote {text!r}, which is no match"
    check_equal((ids[-1], len(ids)), (EOS, budget), f"the last id of {ids}, and how many there are")


@PROPERTY
@given(machines(), st.integers(1, 8), st.integers(0, 10**6), st.booleans())
@pytest.mark.todo(6)
def test_no_answer_is_ever_cut(lab, machine, budget, seed, greedy):
    """Any machine, any model, any budget that is not refused: EOS behind an accepting state, within the budget."""
    fsm, table, vocabulary = machine
    needed = fewest(table, fsm.accepting, fsm.initial) + 1
    model, us = Recorder(seeded_random(len(vocabulary), seed)), np.random.default_rng(seed).random(budget).tolist()
    arguments = (model, fsm, table, vocabulary, budget, None if greedy else us)
    if needed > budget:
        with pytest.raises(BudgetTooSmall) as caught:
            lab.generate_within(*arguments)
        check_equal(
            (caught.value.budget, float(caught.value.needed)), (budget, float(needed)), "what the refusal carries"
        )
        check_equal(model.calls, [], "the calls of the model before the refusal")
        return
    ids, state = lab.generate_within(*arguments), fsm.initial
    check_type(ids, list, "generate_within")
    assert 0 < len(ids) <= budget and ids[-1] == vocabulary.eos_id, (
        f"{ids} does not end with EOS within {budget} tokens"
    )
    for token_id in ids[:-1]:
        assert token_id in table[state], f"{ids}: token {token_id} is not allowed in state {state} of {table}"
        state = table[state][token_id]
    assert state in fsm.accepting, (
        f"{ids} ends in state {state}, which does not accept (those that do: {sorted(fsm.accepting)})"
    )
    check_equal(model.calls, [ids[:n] for n in range(len(ids))], "the calls of the model")


@pytest.mark.todo(6)
@pytest.mark.parametrize("seed", range(3))
def test_with_budget_to_spare_nothing_changes(lab, seed):
    """Where the plain mask would have finished in time, the budget mask gives the same tokens."""
    us = np.random.default_rng(seed).random(40).tolist()
    model, ids, state = seeded_random(5, seed), [], 0
    while EOS not in ids:
        legal = [i in NUMBER_TABLE[state] or (i == EOS and state == 3) for i in range(5)]
        odds = np.exp(model(ids).astype(float)) * legal
        ids.append(int(np.flatnonzero(np.cumsum(odds) > us[len(ids)] * odds.sum())[0]))
        state = NUMBER_TABLE[state].get(ids[-1], state)
    got = lab.generate_within(model, decimal_fsm(), NUMBER_TABLE, TOY, 40, us)
    check_equal(got, ids, f"the ids with a budget of 40, seed {seed}")


@pytest.mark.todo(6)
def test_the_adversary_is_on_time_too(lab):
    """It wants what is never allowed; what the mask leaves still ends in a match."""
    for budget, seed in product((3, 4, 6), range(3)):
        us = np.random.default_rng(seed).random(budget).tolist()
        ids = lab.generate_within(adversary(TOY, ["a"]), FRACTION_FSM, FRACTION_TABLE, TOY, budget, us)
        text = TOY.decode(ids)
        assert re.fullmatch(FRACTION, text) and ids[-1] == EOS, f"with a budget of {budget}: {text!r}, ids {ids}"


@pytest.mark.todo(6)
@pytest.mark.parametrize(
    ("table", "budget", "needed"), [(FRACTION_TABLE, 2, 3), (({3: 1}, {3: 1}, {}, {}), 99, math.inf)]
)
def test_a_hopeless_budget_is_refused_up_front(lab, table, budget, needed):
    """Too few tokens for any match, or no way out for any number of them: an error before the first token."""
    model = Recorder(digit_lover(TOY))
    with pytest.raises(BudgetTooSmall) as caught:
        lab.generate_within(model, FRACTION_FSM, table, TOY, budget)
    check_equal((caught.value.budget, float(caught.value.needed)), (budget, float(needed)), "what the refusal carries")
    check_equal(model.calls, [], "the calls of the model")
