"""The cases of lab 07 in ``python3 -m course bench labs``: from a pattern to its first mask, one idea after another."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from unittest.mock import patch

import numpy as np

from labkit.automata.byte_dfa import ByteDfa
from labkit.automata.dfa import DEAD, Dfa
from labkit.bench import Case, Setting
from labkit.vocabulary import Vocabulary
from labs.lab_06_regex_to_dfa.solution import compile_dfa, parse_tree
from labs.lab_07_bytes_and_vocabularies.given.functions import Words
from labs.lab_07_bytes_and_vocabularies.given.on_demand import strings
from labs.lab_07_bytes_and_vocabularies.solution import TokenFSM, TokenVocabularyIndex, byte_dfa, lift, pack_mask
from mask_engine.patterns.lazy import LazyDfa

PATTERNS = {
    "inside a JSON string": r'([^"\\\x00-\x1f]|\\(["\\/bfnrt]|u[0-9a-fA-F]{4}))*"',
    ".{0,200}": ".{0,200}",
    "(a|b)*a(a|b){10}": "(a|b)*a(a|b){10}",
    "0x[0-9a-f]+": "0x[0-9a-f]+",
}

ONE_BY_ONE = ("inside a JSON string", "0x[0-9a-f]+")
"""Patterns for which each token on its own takes seconds; for others it takes a minute."""


def cases(setting: Setting) -> Iterator[Callable[[], Case]]:
    """Yield a case for each idea and pattern, still to be made: without the idea, and with it."""
    if setting.vocabulary is None:
        return
    made = ways(setting.vocabulary)
    for place, names in enumerate(pairwise(made)):
        for name in PATTERNS if place else ONE_BY_ONE:
            slow, fast = (partial(made[way], PATTERNS[name]) for way in names)
            times = 5 if place else 1
            yield partial(Case, f"first mask: {names[1]}", name, names, slow=slow, fast=fast, times=times)


def ways(vocabulary: Vocabulary) -> dict[str, Callable[[str], Words]]:
    """Return ways from a pattern to its first mask, each with one idea more than the one before.

    >>> [way("1*").tolist() for way in ways(Vocabulary.toy()).values()]
    [[24], [24], [24], [24], [24]]
    """
    index = TokenVocabularyIndex(vocabulary)
    _ = index.rows  # which are made once for all patterns

    def token_by_token(pattern: str) -> Words:
        automaton = byte_dfa(compile_dfa(pattern))
        return _packed(index, automaton, np.array([_lives(automaton, token) for token in index.token_bytes]))

    def lifted(pattern: str) -> Words:
        """Look up which functions are alive in the initial state, as if all states were asked for."""
        automaton = byte_dfa(compile_dfa(pattern))
        found = lift(index.trie, automaton, np.arange(len(automaton.dfa)))
        return _packed(index, automaton, found.alive_from(automaton.initial)[found.groups])

    def on_demand(texts: Dfa | LazyDfa, worth_it: float) -> Words:
        fsm = TokenFSM(texts, index)
        with patch.object(strings, "WORTH_IT", worth_it):
            return fsm.mask(fsm.initial_state)

    return {
        "each token on its own": token_by_token,
        "lift": lifted,
        "one state, level by level": lambda pattern: on_demand(compile_dfa(pattern), np.inf),
        "states on demand": lambda pattern: on_demand(LazyDfa(parse_tree(pattern)), np.inf),
        "rows of the vocabulary": lambda pattern: on_demand(LazyDfa(parse_tree(pattern)), strings.WORTH_IT),
    }


def _packed(index: TokenVocabularyIndex, automaton: ByteDfa, alive: np.ndarray) -> Words:
    alive[index.eos_id] = automaton.is_accepting(automaton.initial)
    return pack_mask(alive)


def _lives(automaton: ByteDfa, token: bytes | None) -> bool:
    state = automaton.initial
    for byte in token or b"":
        state = automaton.step(state, byte)
        if state == DEAD:
            return False
    return bool(token)
