"""An answer to lab 04's exercise in testing, which kills the whole bank. To run it, from the repository's root:

    python -m course properties 04 --file solutions/properties/lab_04_eos_gating.py

The data are chosen to show mistakes. EOS is not the last id, the automaton does not start in state 0, one of its states
is a dead end, the model returns the same array at each step, and a u is 0.0.
"""

from typing import Any

import numpy as np

from labkit.automata import Fsm
from labkit.checking import Recorder, check_equal
from labkit.errors import NoLegalToken
from labkit.vocabulary import Vocabulary

TOKENS = Vocabulary([b"7", b"</s>", b"42", b"x"], eos_id=1)
NUMBER = Fsm(({"7": 1, "4": 1, "2": 1}, {"7": 1, "4": 1, "2": 1}), initial=0, accepting=frozenset({1}))
TABLE = ({0: 1, 2: 1}, {0: 1, 2: 1})

BACKWARDS = Fsm(({}, {"7": 0, "x": 2}, {"y": 0}), initial=1, accepting=frozenset({0}))
BACKWARDS_TABLE: tuple[dict[int, int], ...] = ({}, {0: 0, 3: 2}, {})
"""An automaton that starts in state 1 and ends in 0. State 2 needs a `y`, which no token has."""


def check_mask_rows(lab: Any) -> None:
    """Check every bit of two small automata: a start, a state that may end, one that must, and a dead end."""
    bits = {0: [1, 0, 1, 0], 1: [1, 1, 1, 0]}
    for state, expected in bits.items():
        check_equal(lab.mask_row(NUMBER, TABLE, state, TOKENS).astype(int).tolist(), expected, f"state {state}")
    rows = lab.mask_rows(BACKWARDS, BACKWARDS_TABLE, TOKENS)
    check_equal(rows.astype(int).tolist(), [[0, 1, 0, 0], [1, 0, 0, 1], [0, 0, 0, 0]], "mask_rows")


def check_masking_and_choosing(lab: Any) -> None:
    """Check that masking leaves the caller's array alone and refuses an empty mask, and that 0.0 is a u."""
    logits, row = np.array([0.0, 1.0, 2.0]), np.array([True, False, True])
    check_equal(lab.mask_logits(logits, row).tolist(), [0.0, -np.inf, 2.0], "mask_logits")
    check_equal(logits.tolist(), [0.0, 1.0, 2.0], "the caller's logits afterwards")
    check_equal([lab.choose(logits, u) for u in (None, 0.0, 0.99)], [2, 0, 2], "choose")
    try:
        lab.mask_logits(logits, ~row & row)
    except ValueError:
        return
    raise AssertionError("mask_logits accepts a mask that allows nothing")


def check_generation(lab: Any) -> None:
    """Check one call for each token, EOS as the last id, and the error of a dead end."""
    row = np.array([3.0, 9.0, 1.0, 5.0])
    model = Recorder(lambda ids: row)
    check_equal(lab.constrained_generate(model, NUMBER, TABLE, TOKENS, 6), [0, 1], "a model that wants EOS at once")
    check_equal(model.calls, [[], [0]], "the model calls")
    likes_7 = np.array([9.0, 5.0, 1.0, 3.0])
    got = lab.constrained_generate(lambda ids: likes_7, BACKWARDS, BACKWARDS_TABLE, TOKENS, 6)
    check_equal(got, [0, 1], "an automaton that starts in state 1")
    try:
        lab.constrained_generate(lambda ids: row, BACKWARDS, BACKWARDS_TABLE, TOKENS, 6)
    except NoLegalToken as error:
        check_equal((error.state, error.text), (2, "x"), "what the error of a dead end carries")
        return
    raise AssertionError("a dead end ends without an error")
