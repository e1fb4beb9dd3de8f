"""The tuned walk of lab 07 finds, bit for bit, what the clear ``lift`` finds."""

import random
import re

import numpy as np
import pytest

from labkit.vocabulary import Vocabulary
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_07_bytes_and_vocabularies.given.tuned import alive_tokens
from labs.lab_07_bytes_and_vocabularies.solution import (
    TokenFSM,
    TokenVocabularyIndex,
    build_byte_trie,
    byte_dfa,
    lift,
)

PATTERNS = ("a*", "(ab|b)+c?", ".{0,3}", r"\w+é?", "[^a]b*", "é+|aé", "a{2}|b{3}|c", "x")
PIECES = [text.encode()[i:j] for text in ("aébc", "éaab", "bb\U0001f600c") for i in range(9) for j in range(i + 1, 10)]


def clear(trie, automaton, state):
    """By lift: which tokens are alive in a state."""
    lifted = lift(trie, automaton, np.array([state]))
    return lifted.alive_from(state)[lifted.groups]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_state_of_small_automata(pattern):
    """Random vocabularies of pieces of characters, tokens that are never text among them, from every state."""
    rng = random.Random(pattern)
    automaton = byte_dfa(compile_dfa(pattern))
    for _ in range(10):
        trie = build_byte_trie([rng.choice([*PIECES, None, b""]) for _ in range(rng.randrange(1, 60))])
        for state in range(len(automaton)):
            assert alive_tokens(trie, automaton, state).tolist() == clear(trie, automaton, state).tolist()


@pytest.mark.parametrize("pattern", ["0x[0-9a-f]+", r"\w+", ".{0,40}", '"[^"]*"', "yes|no"])
def test_real_vocabulary(pattern, tekken_index):
    """On 131,072 tokens, where whole levels are walked at once."""
    automaton = byte_dfa(compile_dfa(pattern))
    for state in (automaton.initial, len(automaton.dfa) - 1):
        walked = alive_tokens(tekken_index.trie, automaton, state)
        assert np.array_equal(walked, clear(tekken_index.trie, automaton, state))


def test_the_first_row_and_the_later_ones_are_of_one_kind(tekken_index):
    """The row asked for first is the tuned one; asked for after another, it is the clear one."""
    first, later = (TokenFSM(compile_dfa(r"\d+"), tekken_index) for _ in range(2))
    later.mask(1)
    assert np.array_equal(first.mask(0), later.mask(0))
    assert not first.mask(0).flags.writeable
    digits = re.compile(rb"[0-9]")
    assert first.allowed_tokens(0) >= {i for i, t in enumerate(tekken_index.token_bytes) if t and digits.fullmatch(t)}


@pytest.fixture(scope="module")
def tekken_index():
    """The real vocabulary, made ready once."""
    return TokenVocabularyIndex(Vocabulary.tekken())
