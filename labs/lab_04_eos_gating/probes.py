"""Fixed questions to each function of lab 04. The answers distinguish one misconception from another.

Automata, tables and models are given as data, so that a fault in one TODO shows as little as possible in the
answers of another.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.automata import Fsm
from labkit.checking import Recorder
from labkit.checking.probing import Attempt, attempt
from labkit.errors import NoLegalToken
from labkit.models import Model
from labkit.vocabulary import Vocabulary
from labs.lab_03_token_lifting.solution import Table

TOKENS = Vocabulary([b"7", b"</s>", b"42", b"x"], eos_id=1)
NUMBER = Fsm(({"7": 1, "4": 1, "2": 1}, {"7": 1, "4": 1, "2": 1}), initial=0, accepting=frozenset({1}))
BACKWARDS = Fsm(({}, {"7": 2, "x": 3}, {"7": 0}, {"y": 0}), initial=1, accepting=frozenset({0}))
"""An automaton that starts in state 1 and ends in 0; state 3 needs a token that the vocabulary lacks."""

PADDED = Vocabulary([b"<s>", b"7", b"</s>", b"7"], eos_id=2, special_ids=[0])
EOS_LAST = Vocabulary([b"7", b"42", b"x", b"</s>"], eos_id=3)

US = np.array([0.9, 0.0])
NOTHING = np.array([False, False, False, False])


def _number_table() -> Table:
    """Return the table of NUMBER, made anew: a function may change it."""
    return ({0: 1, 2: 1}, {0: 1, 2: 1})


def _backwards_table() -> Table:
    """Return the table of BACKWARDS, made anew."""
    return ({}, {0: 2, 3: 3}, {0: 0}, {})


def _model(*rows: list[float]) -> Model:
    arrays = [np.array(row, np.float32) for row in rows]
    return lambda ids: arrays[min(len(ids), len(arrays) - 1)]


def probe_mask_row(lab: Any) -> list[Attempt]:
    number = _number_table()
    automata = [(NUMBER, number, TOKENS), (BACKWARDS, _backwards_table(), TOKENS), (NUMBER, ({0: 1}, {1: 1}), EOS_LAST)]
    automata += [(NUMBER, ({3: 1}, {3: 1}), PADDED)]
    rows = [attempt(lab.mask_row, fsm, table, s, tokens) for fsm, table, tokens in automata for s in range(len(fsm))]
    return [*rows, ("value", number)]


def probe_mask_rows(lab: Any) -> list[Attempt]:
    questions = [(NUMBER, _number_table()), (NUMBER, ({}, {0: 1})), (BACKWARDS, _backwards_table())]
    return [attempt(lab.mask_rows, fsm, table, TOKENS) for fsm, table in questions]


def probe_mask_logits(lab: Any) -> list[object]:
    def question(logits: NDArray[np.floating], row: NDArray[np.bool_]) -> object:
        return [attempt(lab.mask_logits, logits, row), logits]

    some = np.array([True, False, True, False])
    logits = np.array([1, 2, 3, 4], np.float32)
    all_allowed = [logits, attempt(lab.mask_logits, logits, ~NOTHING)[1]]
    return [
        question(np.array([-0.0, 1, 2, 3], np.float32), some),
        question(np.array([1e-320, -5, -1e300, 3], np.float64), some),
        question(np.array([1, 2, 3, 4], np.float16), ~some),
        question(np.array([1, 2, 3, 4], np.float32), NOTHING),
        question(np.array([-np.inf, 2, -np.inf, 4], np.float32), some),
        all_allowed[1] is all_allowed[0],
    ]


def probe_choose(lab: Any) -> list[Attempt]:
    masked = np.array([0, -np.inf, np.log(3), np.log(3)], np.float64)
    us = [None, 0.0, 0.1, 0.3, 0.6, 0.99]
    rows = [masked, -masked[[0, 2, 3]], np.array([0.0, 1e-17])]
    rounded_away = attempt(lab.choose, np.array([10, 0], np.float16), 0.99997)
    return [*(attempt(lab.choose, row, u) for row in rows for u in us), rounded_away]


def probe_constrained_generate(lab: Any) -> list[object]:
    def question(model: Model, fsm: Fsm, table: Table, us: list[float] | None) -> object:
        asked = Recorder(model)
        return [attempt(lab.constrained_generate, asked, fsm, table, TOKENS, 4, us), asked.calls, us]

    return [
        question(_model([0, 9, 1, 5]), NUMBER, _number_table(), None),
        question(_model([9, 0, 1, 5]), NUMBER, _number_table(), None),
        question(_model([1, 1, 1, 1]), NUMBER, _number_table(), [0.9, 0.0, 0.5, 0.9]),
        question(_model([9, 0, 0, 0]), NUMBER, _number_table(), [0.5, 0.5, 0.5, 0.5, 0.5]),
        question(_model([9, 0, 0, 0]), NUMBER, _number_table(), None),
        attempt(lab.constrained_generate, _model([1, 1, 1, 1]), NUMBER, _number_table(), TOKENS, 2, US),
        question(_model([0, 9, 1, -5]), BACKWARDS, _backwards_table(), None),
        question(_model([0, 0, 1, 5]), BACKWARDS, _backwards_table(), None),
        _dead_end(lab),
    ]


def _dead_end(lab: Any) -> object:
    """Return the state and the text that the error of a dead end carries, and the calls of the model."""
    asked = Recorder(_model([0, 0, 1, 5]))
    try:
        lab.constrained_generate(asked, BACKWARDS, _backwards_table(), TOKENS, 4)
    except NoLegalToken as error:
        return [error.state, error.text, asked.calls]
    except Exception as error:
        return type(error).__name__
    return None
