"""Fixed questions to each function of lab 05. The answers distinguish one misconception from another.

Tables, automata, rows and distances are given as data wherever a function takes them.
"""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

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

US = np.array([0.9, 0.1, 0.6, 0.3, 0.8, 0.2])

BACKWARDS = Fsm(({}, {}, {}), initial=2, accepting=frozenset({0, 1}))
BACKWARDS_TABLE: Table = ({}, {3: 0}, {3: 1, 1: 2})


PLAN = Fsm(({}, {"7": 2, "x": 3}, {"7": 0}, {"y": 0}, {"7": 0}), initial=1, accepting=frozenset({0, 2}))
PLAN_TABLE: Table = ({}, {3: 3, 0: 2}, {0: 0}, {}, {0: 0})
EOS_SECOND = Vocabulary([b"7", b"</s>", b"<pad>", b"x"], eos_id=1, special_ids=[2])
"""Tables of one size with different answers follow one another, so that what a function keeps shows."""

RING: Table = ({0: 1}, {0: 2}, {0: 3}, {0: 0})


def probe_finish_reason(lab: Any) -> list[object]:
    answers: list[tuple[Sequence[int], int]] = [([3, 2, 4], 4), ([3, 3], 4), ([], 4), ([4, 3], 4), ([7, 0], 0)]
    answers += [([0, 7], 0), ([4], 4), ((3, 4), 4), ((4, 3), 4), ([int("1000")], int("1000"))]
    return [[attempt(lab.finish_reason, ids, eos_id), ids] for ids, eos_id in answers]


def probe_read_number(lab: Any) -> list[Attempt]:
    answers = [("12.5", "stop"), ("12", "length"), ("1.", "length"), ("12", "abort"), ("x", "stop"), ("x", "length")]
    answers += [("12", "stop"), ("0", "stop"), ("7", "stop_sequence"), ("7", "stop")]
    return [attempt(lab.read_number, text, reason) for text, reason in answers]


def probe_predecessors(lab: Any) -> list[object]:
    found = [attempt(lab.predecessors, table) for table in [*(table for table, _ in TABLES), RING, PLAN_TABLE]]
    shared = [len({id(part) for part in value}) < len(value) for kind, value, *_ in found if kind == "value"]
    return [*found, shared]


def probe_tokens_to_accept(lab: Any) -> list[object]:
    chain: Table = (*({0: state + 1} for state in range(1500)), {})
    backwards: Table = ({}, *({0: state} for state in range(5)))
    questions: list[tuple[Table, Collection[int]]] = [*TABLES, (chain, {1500}), (RING, {3}), (PLAN_TABLE, {0, 2})]
    questions += [(RING, [1, 3]), (RING, (2,)), (backwards, {0})]
    questions = [(table, accepting if type(accepting) is not set else set(accepting)) for table, accepting in questions]
    return [[attempt(lab.tokens_to_accept, table, accepting), list(accepting)] for table, accepting in questions]


def probe_budget_row(lab: Any) -> list[object]:
    def question(row: list[int], remaining: int, transitions: dict[int, int], *distance: float) -> object:
        given = np.array(row, np.bool_)
        kind, found, *more = attempt(lab.budget_row, given, transitions, np.array(distance), remaining)
        return [(kind, found, *more), found is given, given.tolist()]

    rows = [[1, 1, 1, 1], [1, 1, 1, 0], [0, 1, 0, 1]]
    easy = [question(row, remaining, {0: 0, 1: 1, 2: 2}, 2.0, 1.0, 0.0) for row in rows for remaining in range(1, 5)]
    backwards = [question([1, 1, 1, 1], remaining, {3: 0, 2: 1, 1: 2}, 2.0, 1.0, np.inf) for remaining in range(1, 5)]
    return [*easy, *backwards, question([0, 1], 9, {1: 0}, 0.0)]


def probe_generate_within(lab: Any) -> list[object]:
    def question(
        model: Model, fsm: Fsm, table: Table, budget: int, us: Any = None, vocabulary: Vocabulary = TOY
    ) -> object:
        recorder = Recorder(_within(budget, model))
        us = list(us) if type(us) is list else us
        found = attempt(lab.generate_within, recorder, fsm, table, vocabulary, budget, us)
        return [found, recorder.calls, None if us is None else list(us)]

    us = US.tolist()
    greedy = [question(digit_lover(TOY), FRACTION, FRACTION_TABLE, budget) for budget in range(1, 7)]
    sampled = [question(seeded_random(5, seed), FRACTION, FRACTION_TABLE, 6, us) for seed in range(3)]
    sampled += [question(seeded_random(5, 1), FRACTION, FRACTION_TABLE, 6, numbers) for numbers in (tuple(us), US)]
    backwards = [question(seeded_random(5, 1), BACKWARDS, BACKWARDS_TABLE, budget) for budget in range(1, 4)]
    plan = question(seeded_random(4, 1), PLAN, PLAN_TABLE, 4, None, EOS_SECOND)
    circle = question(seeded_random(4, 1), Fsm(({},) * 4, 3, frozenset({2})), RING, 5, None, EOS_SECOND)
    hopeless = question(digit_lover(TOY), FRACTION, ({3: 1}, {3: 1}, {}, {}), 9)
    return [*greedy, *sampled, *backwards, plan, circle, hopeless]


def _within(budget: int, model: Model) -> Model:
    """Return the model, which raises where it is asked for one token more than the budget has."""

    def logits(ids: Sequence[int]) -> NDArray[np.float32]:
        if len(ids) >= budget:
            raise OverflowError
        return model(ids)

    return logits
