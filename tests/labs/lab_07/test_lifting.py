"""Every mask of lab 07 is made by the student's functions, and the tuned first mask is the same, bit for bit."""

import random

import numpy as np
import pytest

from course.student.core.catalog import find_lab
from course.student.core.hints import lab_data
from labkit.automata.transitions import Lifted, Transitions
from labkit.vocabulary import Vocabulary
from labs.assembled import guide_of
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_07_bytes_and_vocabularies import solution
from labs.lab_07_bytes_and_vocabularies.given.tuned import alive_tokens

PATTERNS = ("a*", "(ab|b)+c?", ".{0,3}", r"\w+é?", "[^a]b*", "é+|aé", "a{2}|b{3}|c", "x")
PIECES = [text.encode()[i:j] for text in ("aébc", "éaab", "bb\U0001f600c") for i in range(9) for j in range(i + 1, 10)]
FUNCTIONS = [todo.function for todo in lab_data(find_lab(7)).todos.values()]


def small_vocabulary():
    """Return tokens for ``é+a``: texts, halves of é, and EOS."""
    return Vocabulary(["é".encode(), b"a", b"\xc3", b"\xa9", b"\xa9a", b"b", b"</s>"], eos_id=6)


def masks(fsm):
    """Return the mask of the initial state, asked for first, and that of the state after the token ``é``."""
    return [fsm.mask(fsm.initial_state).tolist(), fsm.mask(fsm.next_state(fsm.initial_state, 0)).tolist()]


@pytest.fixture(scope="module")
def tekken():
    """The real vocabulary."""
    return Vocabulary.tekken()


@pytest.fixture(scope="module")
def tekken_index(tekken):
    """The real vocabulary, made ready once."""
    return solution.TokenVocabularyIndex(tekken)


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


# The tuned first mask ---------------------------------------------------------------------------------


def clear(trie, automaton, state):
    """Return which tokens are alive in a state, by ``lift``."""
    lifted = solution.lift(trie, automaton, np.array([state]))
    return lifted.alive_from(state)[lifted.groups]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_state_of_small_automata(pattern):
    """Random vocabularies of pieces of characters, tokens that are never text among them, from every state."""
    rng = random.Random(pattern)
    automaton = solution.byte_dfa(compile_dfa(pattern))
    for _ in range(10):
        trie = solution.build_byte_trie([rng.choice([*PIECES, None, b""]) for _ in range(rng.randrange(1, 60))])
        for state in range(len(automaton)):
            assert alive_tokens(trie, automaton, state).tolist() == clear(trie, automaton, state).tolist()


@pytest.mark.parametrize("pattern", [r"\d+", "(ab)*", '"[^"]*"', "é|€", r"\w+", "0x[0-9a-f]+", ".{0,3}"])
def test_the_engine_and_the_lab_make_the_same_masks(pattern, tekken, tekken_index):
    """The engine's guide, tuned, and ``compile_token_fsm``, which lifts for every mask: first row, and all later."""
    fsm, guide = solution.compile_token_fsm(pattern, tekken_index), guide_of(tekken, compile_dfa(pattern))
    for state in fsm.states().tolist():
        tuned = solution.TokenFSM(compile_dfa(pattern), tekken_index, tuned=True).mask(state)
        assert not tuned.flags.writeable
        assert np.array_equal(fsm.mask(state), tuned) and np.array_equal(fsm.mask(state), guide.mask(state))


def test_the_tuned_walk_serves_the_first_mask_alone(tekken_index, monkeypatch):
    """And only where it is asked for; after that, and for an automaton without ``tuned``, states are lifted."""
    calls, lift = [], solution.lift
    monkeypatch.setattr(solution, "lift", lambda *args: calls.append(args[2].tolist()) or lift(*args))
    fsm = solution.TokenFSM(compile_dfa("ab"), tekken_index, tuned=True)
    fsm.mask(0)
    assert calls == []
    fsm.mask(1)
    assert calls == [[0, 1, 2]]
    solution.TokenFSM(compile_dfa("ab"), tekken_index).mask(0)
    assert calls == [[0, 1, 2]] * 2
