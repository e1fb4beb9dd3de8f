"""An answer to lab 05's exercise in testing, which kills the whole bank. To run it, from the repository's root:

    python3 -m course properties 05 --file solutions/properties/lab_05_truncation.py

As in lab 04's answer, the data are small, and each part shows some mistake. EOS is id 1, an automaton starts in state
2, another has two ends, loops, a detour and a trap, and every budget is just enough or just too small.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.automata import Fsm
from labkit.checking import Recorder, check_equal
from labkit.errors import BudgetTooSmall
from labkit.vocabulary import Vocabulary

TOKENS = Vocabulary([b"7", b"</s>", b".", b".7"], eos_id=1)
FRACTION = Fsm(({"7": 1}, {"7": 1, ".": 2}, {"7": 3}, {"7": 3}), initial=0, accepting=frozenset({3}))
TABLE = ({0: 1}, {0: 1, 2: 2, 3: 3}, {0: 3}, {0: 3})

BACKWARDS = Fsm(({}, {"7": 0, ".": 3}, {"7": 1}, {"x": 0}), initial=2, accepting=frozenset({0}))
BACKWARDS_TABLE: tuple[dict[int, int], ...] = ({}, {0: 0, 2: 3}, {0: 1}, {})
"""An automaton that starts in state 2 and ends in 0. State 3 needs an `x`, which no token has."""

MAZE = ({0: 1, 2: 4}, {0: 2}, {0: 3}, {0: 3}, {0: 5}, {2: 5, 0: 0}, {0: 6})
"""A table that ends in 3 and 5, with a detour (0 to 3 through 1 and 2), a return (5 to 0), loops, and a trap (6)."""

DETOURS: tuple[dict[int, int], ...] = ({}, {0: 0}, {0: 0}, {0: 2}, {0: 3, 2: 1}, {0: 1}, {0: 5, 2: 2})
"""A table that ends in 0. States 4 and 6 are two tokens away, and three by a detour, which is met first in one."""


NUMBER = Fsm(({"7": 1}, {"7": 1}), initial=0, accepting=frozenset({1}))
NUMBER_TABLE = ({0: 1}, {0: 1})


def within(budget: int, logits: NDArray[np.float64]) -> Any:
    """Return a model with these logits, which fails where it is asked for one token more than the budget has."""

    def model(ids: Sequence[int]) -> NDArray[np.float64]:
        assert len(ids) < budget, f"asked for one more token after {ids}, with a budget of {budget}"
        return logits

    return model


def refused(call: Any, error: type[Exception]) -> Exception | None:
    """Return the error of this class that the call raises, or None if it returns."""
    try:
        call()
    except error as raised:
        return raised
    return None


def check_reasons_and_numbers(lab: Any) -> None:
    """Check that only EOS at the end is a stop, only a stop is read, and a finished non-number is an error."""
    answers: list[tuple[Sequence[int], int]] = [([3, 1], 1), ([1, 3], 1), ([3, 0], 0), ([], 1), ((3, 1), 1)]
    reasons = [lab.finish_reason(ids, eos_id=eos_id) for ids, eos_id in answers]
    check_equal(reasons, ["stop", "length", "stop", "length", "stop"], "the reasons")
    check_equal(answers[0], ([3, 1], 1), "the caller's ids afterwards")
    check_equal(lab.finish_reason([int("1000")], int("1000")), "stop", "a large EOS id")
    read = [lab.read_number("12.5", reason) for reason in ("length", "stop", "abort", "stop_sequence")]
    check_equal(read, [None, 12.5, None, None], "what is read of 12.5")
    check_equal([lab.read_number(text, "stop") for text in ("0", "7")], [0.0, 7.0], "what is read of 0 and 7")
    assert refused(lambda: lab.read_number("12.", "length"), ValueError) is None
    assert refused(lambda: lab.read_number("1x", "stop"), ValueError), "1x is finished, but no error is raised"


def check_distances(lab: Any) -> None:
    """Check one automaton with every feature, and a long one."""
    turned = [{5}, {0}, {1}, {2, 3}, {0}, {4, 5}, {6}]
    check_equal(lab.predecessors(MAZE), turned, "predecessors")
    check_equal(lab.predecessors(({}, {}, {0: 0})), [{2}, set(), set()], "predecessors of a smaller table")
    found = lab.predecessors(({}, {}))
    check_equal(found[0] is found[1], False, "whether two states share one set")
    distances = [2.0, 2.0, 1.0, 0.0, 1.0, 0.0, np.inf]
    ends = {3, 5}
    check_equal(lab.tokens_to_accept(MAZE, ends).tolist(), distances, "two ends")
    check_equal(ends, {3, 5}, "the caller's accepting states afterwards")
    check_equal(lab.tokens_to_accept(MAZE, [5, 3]).tolist(), distances, "two ends in a list")
    check_equal(lab.tokens_to_accept(MAZE, {0})[:3].tolist(), [0.0, np.inf, np.inf], "another end")
    check_equal(lab.tokens_to_accept(MAZE, {3}).tolist(), [3.0, 2.0, 1.0, 0.0, 5.0, 4.0, np.inf], "one end")
    check_equal(lab.tokens_to_accept(DETOURS, {0}).tolist(), [0.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0], "the shortest path")
    backwards = ({}, *({0: state} for state in range(5)))
    check_equal(lab.tokens_to_accept(backwards, {0}).tolist(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], "numbered from the end")
    long = (*({0: state + 1} for state in range(3000)), {})
    check_equal(lab.tokens_to_accept(long, {3000})[0].item(), 3000.0, "a long automaton")


def check_budget_rows(lab: Any) -> None:
    """Check every bit for budgets around the border: EOS stays, forbidden tokens too, and the caller's row."""
    row, transitions = np.array([True, True, False, True]), {0: 0, 2: 2, 3: 1}
    distance = np.array([2.0, 1.0, 0.0])
    bits = {1: [0, 1, 0, 0], 2: [0, 1, 0, 0], 3: [0, 1, 0, 1], 4: [1, 1, 0, 1]}
    for remaining, expected in bits.items():
        got = lab.budget_row(row, transitions, distance, remaining)
        check_equal(got.astype(int).tolist(), expected, f"remaining={remaining}")
    check_equal(row.astype(int).tolist(), [1, 1, 0, 1], "the caller's row afterwards")
    some = lab.budget_row(np.ones(4, bool), {0: 0, 2: 2, 3: 1}, distance, 3)
    check_equal(some.astype(int).tolist(), [0, 1, 1, 1], "two paths that fit, one longer than the other")
    turned = lab.budget_row(row, {3: 0, 0: 1}, np.array([np.inf, 0.0]), 3)
    check_equal(turned.astype(int).tolist(), [1, 1, 0, 0], "transitions in another order, and an infinite distance")
    check_equal(lab.budget_row(row, {0: 0}, distance, 9) is row, False, "whether the caller's row is returned")
    none = lab.budget_row(np.array([True, False, True, False]), {0: 0, 2: 0}, distance, 3)
    check_equal(none.astype(int).tolist(), [0, 0, 0, 0], "a mask of which nothing fits")


def check_generation(lab: Any) -> None:
    """Check that the whole budget is used, each step has its own u, and a refusal does not call the model."""
    likes_7 = np.array([9.0, 1.0, 2.0, 3.0])
    model = Recorder(within(5, likes_7))
    check_equal(lab.generate_within(model, FRACTION, TABLE, TOKENS, 5), [0, 0, 0, 3, 1], "a budget of 5")
    check_equal(len(model.calls), 5, "the model calls")
    check_equal(lab.generate_within(model, FRACTION, TABLE, TOKENS, 3), [0, 3, 1], "a budget that is just enough")
    model = Recorder(within(2, likes_7))
    check_equal(
        lab.generate_within(model, NUMBER, NUMBER_TABLE, TOKENS, 2), [0, 1], "two tokens, of which EOS is forced"
    )
    check_equal(model.calls, [[], [0]], "the model calls, one for the forced token too")
    likes_ends = np.array([3.0, 1.0, 2.0, 9.0])
    check_equal(
        lab.generate_within(lambda ids: likes_ends, FRACTION, TABLE, TOKENS, 6), [0, 3, 0, 0, 0, 1], "no early end"
    )
    got = lab.generate_within(lambda ids: likes_ends[::-1], BACKWARDS, BACKWARDS_TABLE, TOKENS, 9)
    check_equal(got, [0, 0, 1], "an automaton that starts in state 2 and has a trap")
    even = np.zeros(4)
    got = lab.generate_within(lambda ids: even, FRACTION, TABLE, TOKENS, 6, [0.0, 0.99, 0.0, 0.99, 0.0, 0.0])
    check_equal(got, [0, 3, 0, 1], "a u for each step")
    us = [0.0, 0.99, 0.99]
    for numbers in (us, np.array(us)):
        got = lab.generate_within(lambda ids: even, NUMBER, NUMBER_TABLE, TOKENS, 3, numbers)
        check_equal(got, [0, 1], "numbers u in a list and in an array")
    check_equal(us, [0.0, 0.99, 0.99], "the caller's numbers u afterwards")
    asked = Recorder(lambda ids: likes_7)
    error = refused(lambda: lab.generate_within(asked, FRACTION, TABLE, TOKENS, 2), BudgetTooSmall)
    assert isinstance(error, BudgetTooSmall), "a budget of 2 is not refused"
    check_equal((error.budget, error.needed, asked.calls), (2, 3.0, []), "the refusal, and the model calls before it")
    trapped = Fsm(({".": 1}, {"x": 0}), initial=0, accepting=frozenset())
    assert refused(lambda: lab.generate_within(asked, trapped, ({2: 1}, {}), TOKENS, 99), BudgetTooSmall), "hopeless"
