"""An answer to lab 04's exercise in testing, which kills the whole bank. To run it, from the repository's root:

    python3 -m course properties 04 --file solutions/properties/lab_04_eos_gating.py

The data are chosen to show mistakes. EOS is not the last id and not the only special one, the automaton does not start
in state 0, one of its states is a dead end and one is never reached, the model returns the same array at each step, a u
is 0.0, and what the caller owns is compared afterwards.
"""

from typing import Any

import numpy as np

from labkit.automata import Fsm
from labkit.checking import Recorder, check_equal
from labkit.errors import NoLegalToken
from labkit.vocabulary import Vocabulary

TOKENS = Vocabulary([b"7", b"</s>", b"42", b"x"], eos_id=1)
PADDED = Vocabulary([b"<s>", b"7", b"</s>", b"7"], eos_id=2, special_ids=[0])
NUMBER = Fsm(({"7": 1, "4": 1, "2": 1}, {"7": 1, "4": 1, "2": 1}), initial=0, accepting=frozenset({1}))
BACKWARDS = Fsm(({}, {"7": 0, "x": 2}, {"y": 0}, {"7": 0}), initial=1, accepting=frozenset({0}))
"""An automaton that starts in state 1 and ends in 0. State 2 needs a `y`, which no token has; nothing leads to 3."""

Table = tuple[dict[int, int], ...]


def number_table() -> Table:
    """Return the table of NUMBER, made anew: an implementation may change it."""
    return ({0: 1, 2: 1}, {0: 1, 2: 1})


def backwards_table() -> Table:
    """Return the table of BACKWARDS, made anew."""
    return ({}, {0: 0, 3: 2}, {}, {0: 0})


def check_mask_rows(lab: Any) -> None:
    """Check every bit of three small tables: a start, may end, must end, a dead end; special tokens besides EOS."""
    table = number_table()
    questions: list[tuple[Table, Vocabulary, list[list[int]]]] = [
        (table, TOKENS, [[1, 0, 1, 0], [1, 1, 1, 0]]),
        (({1: 1}, {3: 1}), PADDED, [[0, 1, 0, 0], [0, 0, 1, 1]]),
    ]
    for rows, tokens, bits in questions:
        for state, expected in enumerate(bits):
            check_equal(lab.mask_row(NUMBER, rows, state, tokens).astype(int).tolist(), expected, f"state {state}")
    check_equal(table, number_table(), "the caller's table afterwards")
    found = lab.mask_rows(BACKWARDS, backwards_table(), TOKENS)
    check_equal(found.astype(int).tolist(), [[0, 1, 0, 0], [1, 0, 0, 1], [0, 0, 0, 0], [1, 0, 0, 0]], "mask_rows")


def check_masking_and_choosing(lab: Any) -> None:
    """Check the bits of what masking gives, that it copies, and how ties, close logits and a u of 0.0 are decided."""
    logits, row = np.array([-0.0, 1.0, 2.0], np.float32), np.array([True, False, True])
    expected = np.array([-0.0, -np.inf, 2.0], np.float32)
    check_equal(lab.mask_logits(logits, row).tobytes(), expected.tobytes(), "mask_logits")
    check_equal(lab.mask_logits(logits, row | True) is logits, False, "whether mask_logits returns its argument")
    check_equal(logits.tolist(), [-0.0, 1.0, 2.0], "the caller's logits afterwards")
    ruled_out = lab.mask_logits(np.array([-np.inf, 1.0]), np.array([True, False]))
    check_equal(ruled_out.tolist(), [-np.inf, -np.inf], "mask_logits, where the model rules out the one allowed token")
    for u, chosen in [(None, 2), (0.0, 0), (0.99, 2)]:
        check_equal(lab.choose(logits, u), chosen, f"choose with {u}")
    check_equal(lab.choose(np.array([0.0, 1e-17]), None), 1, "choose of logits 1e-17 apart")
    check_equal(lab.choose(np.array([1.0, 3.0, 3.0]), None), 1, "choose of equal logits")
    refused = False
    try:
        lab.choose(np.array([-np.inf, -np.inf]), None)
    except ValueError:
        refused = True
    check_equal(refused, True, "choose of minus infinities alone: whether it is refused")
    try:
        lab.mask_logits(logits, ~row & row)
    except ValueError:
        return
    raise AssertionError("mask_logits accepts a mask that allows nothing")


def check_generation(lab: Any) -> None:
    """Check one call for each token, EOS as the last id, and a model that is not asked in a dead end."""
    row = np.array([3.0, 9.0, 1.0, 5.0])
    model = Recorder(lambda ids: row)
    check_equal(lab.constrained_generate(model, NUMBER, number_table(), TOKENS, 6), [0, 1], "a model that wants EOS")
    check_equal(model.calls, [[], [0]], "the model calls")
    check_equal(lab.constrained_generate(model, NUMBER, number_table(), TOKENS, 1), [0], "one token")
    likes_7 = Recorder(lambda ids: np.array([9.0, 5.0, 1.0, 3.0]))
    got = lab.constrained_generate(likes_7, BACKWARDS, backwards_table(), TOKENS, 6)
    check_equal((got, likes_7.calls), ([0, 1], [[], [0]]), "an automaton that starts in state 1, and the model calls")
    model = Recorder(lambda ids: row)
    try:
        lab.constrained_generate(model, BACKWARDS, backwards_table(), TOKENS, 6)
    except NoLegalToken as error:
        check_equal((error.state, error.text, model.calls), (2, "x", [[]]), "the error of a dead end, and the calls")
    else:
        raise AssertionError("a dead end ends without an error")
    _check_sampling(lab)


def _check_sampling(lab: Any) -> None:
    """Check that each step has a u of its own, and that the caller keeps them all."""
    us, level = [0.9, 0.1, 0.5], np.zeros(4)
    for numbers in (us, np.array(us)):
        got = lab.constrained_generate(lambda ids: level, NUMBER, number_table(), TOKENS, 3, numbers)
        check_equal(got, [2, 0, 1], "the ids for u = 0.9, 0.1, 0.5")
    check_equal(us, [0.9, 0.1, 0.5], "the caller's numbers u afterwards")
