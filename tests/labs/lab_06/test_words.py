"""Lab 06's automata of words, by trie, equal those of the subset construction."""

import random

import pytest

from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa.given.words import literals, words_of
from labs.lab_06_regex_to_dfa.solution import compile_dfa, equivalent, fullmatch, minimize_dfa, nfa_to_dfa, parse_regex


@pytest.mark.parametrize("seed", range(20))
def test_words_by_the_trie_and_by_subsets(seed):
    """The same texts, and as few states; the empty word and words twice included."""
    rng = random.Random(seed)
    words = ["".join(rng.choices("abé\U0001f600 \n", k=rng.randrange(6))) for _ in range(rng.randrange(1, 40))]
    direct, by_subsets = literals(words), minimize_dfa(nfa_to_dfa(parse_regex("|".join(words))))
    assert len(direct) == len(by_subsets)
    assert equivalent(direct, by_subsets)
    assert all(fullmatch(direct, word) for word in words)


def test_a_long_choice_of_words_is_compiled_by_the_trie():
    """With one option that is no word, ``compile_dfa`` takes the other path to the same automaton."""
    words = [f"word number {i}" for i in range(200)]
    assert words_of("|".join(words)) == words
    assert words_of("|".join([*words, "a+"])) is None
    assert equivalent(compile_dfa("|".join(words)), compile_dfa("|".join([*words, "word (number) 7"])))


def test_too_many_words_meet_a_limit():
    """The error is ``LimitExceeded`` on both paths."""
    with pytest.raises(LimitExceeded):
        compile_dfa("|".join(f"{i:09}" * 2 for i in range(0, 10**7, 900)))
