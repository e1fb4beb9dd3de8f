"""Fixed questions to each function of lab 05. The answers distinguish one misconception from another.

Tables, automata, rows and distances are given as data wherever a function takes them.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from labkit.automata import Fsm
from labkit.checking import Recorder
from labkit.checking.probing import Attempt, attempt
from labkit.models import Model, digit_lover, seeded_random
from labkit.vocabulary import Vocabulary
from labs.lab_03_token_lifting.solution import Table

TOY = Vocabulary.toy()
DIGITS = "0123456789"
FRACTION = Fsm(
    (
        dict.fromkeys(DIGITS, 1),
        {**dict.fromkeys(DIGITS, 1), ".": 2},
        dict.fromkeys(DIGITS, 3),
        dict.fromkeys(DIGITS, 3),
    ),
    initial=0,
    accepting=frozenset({3}),
)
FRACTION_TABLE: Table = ({3: 1}, {1: 2, 2: 3, 3: 1}, {3: 3}, {3: 3})
TABLES: list[tuple[Table, set[int]]] = [
    (FRACTION_TABLE, {3}),
    (({0: 2, 1: 1}, {2: 3}, {}, {}), {3}),
    (({0: 1, 1: 2}, {0: 4}, {0: 3}, {0: 4}, {}, {0: 3, 1: 6}, {0: 1}), {4}),
    (({0: 1}, {0: 0, 1: 2}, {0: 2}), {0, 2}),
    (({0: 1}, {0: 1}), set()),
    (({}, {0: 0}, {0: 1, 1: 2}), {0, 1}),
]
"""Tables of every kind: with a trap, a detour, two ends, no end, and an initial state other than 0."""

BACKWARDS = Fsm(({}, {}, {}), initial=2, accepting=frozenset({0, 1}))
BACKWARDS_TABLE: Table = ({}, {3: 0}, {3: 1, 1: 2})


def _finish_reason(lab: Any) -> list[Attempt]:
    answers = [([3, 2, 4], 4), ([3, 3], 4), ([], 4), ([4, 3], 4), ([7, 0], 0), ([0, 7], 0), ([4], 4)]
    return [attempt(lab.finish_reason, ids, eos_id) for ids, eos_id in answers]


def _read_number(lab: Any) -> list[Attempt]:
    answers = [("12.5", "stop"), ("12", "length"), ("1.", "length"), ("12", "abort"), ("x", "stop"), ("x", "length")]
    return [attempt(lab.read_number, text, reason) for text, reason in answers]


def _predecessors(lab: Any) -> list[Attempt]:
    return [attempt(lab.predecessors, table) for table, _ in TABLES]


def _tokens_to_accept(lab: Any) -> list[Attempt]:
    chain: Table = (*({0: state + 1} for state in range(1500)), {})
    return [attempt(lab.tokens_to_accept, table, accepting) for table, accepting in [*TABLES, (chain, {1500})]]


def _budget_row(lab: Any) -> list[object]:
    def question(row: list[int], remaining: int) -> object:
        given = np.array(row, np.bool_)
        found = attempt(lab.budget_row, given, {0: 0, 1: 1, 2: 2}, np.array([2.0, 1.0, 0.0]), remaining)
        return [found, given.tolist()]

    rows = [[1, 1, 1, 1], [1, 1, 1, 0], [0, 1, 0, 1]]
    return [question(row, remaining) for row in rows for remaining in range(1, 5)]


def _generate_within(lab: Any) -> list[object]:
    def question(model: Model, fsm: Fsm, table: Table, budget: int, us: list[float] | None = None) -> object:
        recorder = Recorder(model)
        return [attempt(lab.generate_within, recorder, fsm, table, TOY, budget, us), recorder.calls]

    us = [0.9, 0.1, 0.6, 0.3, 0.8, 0.2]
    greedy = [question(digit_lover(TOY), FRACTION, FRACTION_TABLE, budget) for budget in range(1, 7)]
    sampled = [question(seeded_random(5, seed), FRACTION, FRACTION_TABLE, 6, us) for seed in range(3)]
    backwards = [question(seeded_random(5, 1), BACKWARDS, BACKWARDS_TABLE, budget) for budget in range(1, 4)]
    return [*greedy, *sampled, *backwards, question(digit_lover(TOY), FRACTION, ({3: 1}, {3: 1}, {}, {}), 9)]


PROBES: dict[int, Callable[[Any], Any]] = {
    1: _finish_reason,
    2: _read_number,
    3: _predecessors,
    4: _tokens_to_accept,
    5: _budget_row,
    6: _generate_within,
}
"""For each TODO, the function that asks its questions."""
