"""Every mask of lab 07 is made by the student's functions, and so is every step."""

import numpy as np
import pytest

from labkit.automata.transitions import Lifted, Transitions
from labkit.vocabulary import Vocabulary
from labs.lab_07_bytes_and_vocabularies import solution
from labs.lab_07_bytes_and_vocabularies.given.on_demand import masks, strings

PATTERN = "[^b]*ba"


@pytest.fixture(autouse=True)
def rows_for_every_string(monkeypatch):
    """Read tokens off rows in every string, however few begin there."""
    monkeypatch.setattr(strings, "WORTH_IT", 0)


def small_vocabulary():
    """Return tokens for ``[^b]*ba``: within the string, out of it, within é, and EOS."""
    return Vocabulary(["é".encode(), b"a", b"\xc3", b"\xa9", b"\xa9ba", b"b", b"abb", b"</s>"], eos_id=7)


def answers(fsm):
    """Return two masks, one of them after the first byte of é, and one within a budget."""
    half = fsm.next_state(fsm.initial_state, 2)
    return [fsm.mask(*each).tolist() for each in ((fsm.initial_state,), (half,), (half, 3))]


def only_identity(trie, automaton, states):
    """Return a lifting in which every token stays where it is."""
    transitions = Transitions([0, 0, len(states)], states, states)
    return Lifted(np.where(trie.node_of_token < 0, 0, 1), transitions)


BROKEN = {
    "walk": lambda trie, automaton, nodes, states, few=0: [(nodes, states), (nodes[:0], states[:0])],
    "lift": only_identity,
    "mask_row": lambda eos_id, row, accepting: np.zeros(1, np.int32),
    "next_state": lambda automaton, token_bytes, state, token_id: state,
    "pack_mask": lambda allowed: np.zeros(-(-len(allowed) // 32), np.int32),
    "pure_tokens": lambda valid, has, excluded: valid,
    "string_row": lambda staying, *rest: staying,
}
"""A wrong function for each step that makes a mask."""


@pytest.mark.parametrize("name", BROKEN)
def test_a_wrong_function_makes_a_mask_wrong(name, monkeypatch):
    """The functions are called by name, in the student's own file."""
    monkeypatch.setattr(masks, "FEW", 0)
    right = answers(solution.compile_token_fsm(PATTERN, solution.TokenVocabularyIndex(small_vocabulary())))
    monkeypatch.setattr(solution, name, BROKEN[name])
    assert answers(solution.compile_token_fsm(PATTERN, solution.TokenVocabularyIndex(small_vocabulary()))) != right
