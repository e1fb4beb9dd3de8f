"""Every mask of lab 07 is made by the student's functions."""

import numpy as np
import pytest

from course.student.core.catalog import find_lab
from course.student.core.hints import lab_data
from labkit.automata.transitions import Lifted, Transitions
from labkit.vocabulary import Vocabulary
from labs.lab_07_bytes_and_vocabularies import solution

FUNCTIONS = [todo.function for todo in lab_data(find_lab(7)).todos.values()]


def small_vocabulary():
    """Return tokens for ``é+a``: texts, halves of é, and EOS."""
    return Vocabulary(["é".encode(), b"a", b"\xc3", b"\xa9", b"\xa9a", b"b", b"</s>"], eos_id=6)


def masks(fsm):
    """Return the mask of the initial state, asked for first, and that of the state after the token ``é``."""
    return [fsm.mask(fsm.initial_state).tolist(), fsm.mask(fsm.next_state(fsm.initial_state, 0)).tolist()]


# The default path -------------------------------------------------------------------------------------


def raising(*args, **kwargs):
    raise RuntimeError("this function was taken away")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_without_a_students_function_there_is_no_mask(name, monkeypatch):
    """From the pattern to the first mask and one token on, nothing goes around what the student wrote."""
    monkeypatch.setattr(getattr(solution, name), "__code__", raising.__code__)
    with pytest.raises(RuntimeError, match="this function was taken away"):
        masks(solution.compile_token_fsm("é+a", solution.TokenVocabularyIndex(small_vocabulary())))


def only_identity(trie, automaton, states):
    """Return a lifting in which every token stays where it is."""
    transitions = Transitions([0, 0, len(states)], states, states)
    return Lifted(np.where(trie.node_of_token < 0, 0, 1), transitions)


BROKEN = {
    "follow": lambda automaton, transitions, functions, classes: transitions.take(np.zeros_like(functions)),
    "fresh_keys": lambda after, keys: np.zeros(0, np.intp),
    "lift": only_identity,
    "mask_row": lambda eos_id, lifted, alive, accepting: np.zeros(1, np.int32),
    "pack_mask": lambda allowed: np.full(-(-len(allowed) // 32), -1, np.int32),
}
"""A wrong function for each step that makes a mask."""


@pytest.mark.parametrize("name", BROKEN)
def test_a_wrong_function_makes_the_first_mask_wrong(name, monkeypatch):
    """The functions are called by name, in the student's own file."""
    index = solution.TokenVocabularyIndex(small_vocabulary())
    right = solution.compile_token_fsm("é+a", index).mask(0).tolist()
    monkeypatch.setattr(solution, name, BROKEN[name])
    try:
        assert solution.compile_token_fsm("é+a", index).mask(0).tolist() != right
    except ValueError as error:  # the given types may refuse what a wrong function gives
        assert "groups" in str(error)
