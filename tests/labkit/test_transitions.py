"""The types that lab 07 works with, and its given code: what they refuse, and what they do with real automata."""

import numpy as np
import pytest

from labkit.automata.byte_dfa import ByteDfa
from labkit.automata.byte_tries import ByteTrie
from labkit.automata.dfa import DEAD, Dfa
from labkit.automata.transitions import Lifted, Transitions
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_07_bytes_and_vocabularies.given import tables
from labs.lab_07_bytes_and_vocabularies.given.groups import Groups
from labs.lab_07_bytes_and_vocabularies.solution import build_byte_trie, byte_dfa, lift

LETTER = Dfa([0, 97, 98], [-1, 0, -1], [[1], [1]], 0, [False, True])
"""The automaton of ``a+``."""

STEPS = np.where(np.arange(256) == 97, -1, 0)
TOKENS = [b"a", b"ab", "é".encode(), b"\xc3", b"\xa9", b"\xa9a", "€".encode(), b"b", b"aab"]


# Tries --------------------------------------------------------------------------------------------------

BAD_TRIES = {
    "the root has a parent": ([0, 0], [0, 97], [1], "the root is node 0"),
    "a node before its parent": ([-1, 2, 0], [0, 97, 98], [1, 2], "comes after its parent"),
    "a second root": ([-1, -1], [0, 97], [1], "the root is node 0"),
    "a byte beyond 255": ([-1, 0], [0, 256], [1], "a byte lies outside 0 to 255"),
    "a byte below 0": ([-1, 0], [0, -1], [1], "a byte lies outside 0 to 255"),
    "two nodes for one byte": ([-1, 0, 0], [0, 97, 97], [1, 2], "nodes 1 and 2 are both after node 0 and byte 97"),
    "bytes out of order": ([-1, 0, 0], [0, 98, 97], [1, 2], "node 2, after node 0 and byte 97, must come before"),
    "parents out of order": ([-1, 0, 0, 2, 1], [0, 97, 98, 97, 97], [3, 4], "node 4, .* must come before node 3"),
    "a token at the root": ([-1, 0], [0, 97], [0, 1], "token 0 ends at node 0; it must end at a node from 1 to 1"),
    "a token beyond the nodes": ([-1, 0], [0, 97], [2], "token 0 ends at node 2; .* from 1 to 1, or at none, .* -1"),
    "a token where there is only the root": ([-1], [0], [0], "it must end at none, which is -1"),
    "a node that leads nowhere": ([-1, 0, 0], [0, 97, 98], [2], "no token ends at node 1 or below it"),
    "arrays that do not fit": ([-1, 0], [0], [1], "do not fit"),
    "no root": ([], [], [], "do not fit"),
}


@pytest.mark.parametrize("name", BAD_TRIES)
def test_what_is_no_trie(name):
    *arrays, message = BAD_TRIES[name]
    with pytest.raises(ValueError, match=message):
        ByteTrie(*arrays)


# Byte automata ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dfa", "steps", "message"),
    [
        (LETTER, STEPS, "at least one row"),
        (LETTER, np.zeros((0, 256)), "at least one row"),
        (LETTER, np.zeros((1, 255)), "at least one row"),
        (LETTER, [STEPS * 2], "names a class that is none"),
        (LETTER, [STEPS * -1], "leads outside the nodes 0 to 0"),
        (LETTER, np.diag([1, 2, 3, 4, -1]) @ np.eye(5, 256, dtype=int), "deeper than the 4"),
        (Dfa([0], [-1], np.zeros((1, 0)), 0, [True], symbols=256), np.zeros((1, 256)), "reads bytes already"),
    ],
    ids=range(7),
)
def test_what_is_no_byte_automaton(dfa, steps, message):
    with pytest.raises(ValueError, match=message):
        ByteDfa(dfa, steps)


# Functions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Transitions([0, 2], [1, 2], [1]), r"sources \(2,\) and targets \(1,\) do not fit 2 transitions"),
        (lambda: Transitions([0, 3], [1, 2], [1, 2]), "do not fit 3 transitions"),
        (lambda: Lifted([0, 2], Transitions([0, 0, 1], [1], [1])), "groups must be numbers from 0 to 1"),
        (lambda: Lifted([-1], Transitions([0, 0, 1], [1], [1])), "groups must be numbers from 0 to 1"),
        (lambda: Lifted([0], Transitions([0, 1], [1], [1])), "function 0 must be dead"),
        (lambda: Groups([], 2), "the states to lift must ascend"),
        (lambda: Groups([1, 1], 2), "the states to lift must ascend"),
        (lambda: Groups([2, 1], 2), "the states to lift must ascend"),
    ],
)
def test_functions_that_do_not_fit(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_target_is_looked_up_among_the_transitions_of_its_own_function():
    lifted = Lifted([0, 1, 2, 3], Transitions([0, 0, 2, 3, 3], [5, 9, 7], [1, 2, 3]))
    found = [[lifted.target(state, token) for state in (4, 5, 7, 9, 10)] for token in range(4)]
    assert found == [[-1] * 5, [-1, 1, -1, 2, -1], [-1, -1, 3, -1, -1], [-1] * 5]
    assert lifted.alive_from(9).tolist() == [False, True, False, False]


# Blocks of states -------------------------------------------------------------------------------------

PATTERN = "(a|é|€b){3,5}b?"


@pytest.mark.parametrize("width", [1, 2, 5])
def test_blocks_of_any_width_say_the_same(width, monkeypatch):
    trie, automaton = build_byte_trie(TOKENS), byte_dfa(compile_dfa(PATTERN))
    monkeypatch.setattr(tables, "MOST_TRANSITIONS", width * len(trie))
    monkeypatch.setattr(tables, "FEW_TRANSITIONS", 0)
    widths, whole = [], np.arange(len(automaton.dfa))

    def noting(trie, automaton, states):
        widths.append(len(states))
        return lift(trie, automaton, states)

    states, pairs = tables.token_table(noting, trie, automaton, whole)
    reached, level = {*whole.tolist()}, whole.tolist()
    while level:
        ends = {walked(automaton, state, token) for state in level for token in TOKENS} - {DEAD}
        level = sorted(ends - reached)
        reached |= ends
    assert states.tolist() == sorted(reached) and max(widths) == width
    found = list(zip(*(each.tolist() for each in pairs), strict=True))
    assert len(found) == len(set(found))
    assert {*found} == {(s, e) for s in reached for token in TOKENS for e in [walked(automaton, s, token)] if e != DEAD}


def walked(automaton, state, token):
    for byte in token:
        state = automaton.step(state, byte)
    return state
