"""From a pattern to its first mask, one idea after another: what ``bench.py`` measures."""

from collections.abc import Callable
from functools import partial
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_dfa import ByteDfa
from labkit.automata.dfa import DEAD
from labkit.vocabulary import Vocabulary
from labs.lab_06_regex_to_dfa.given.lazy import LazyDfa
from labs.lab_06_regex_to_dfa.solution import compile_dfa, parse_tree
from labs.lab_07_bytes_and_vocabularies.given.tuned import strings
from labs.lab_07_bytes_and_vocabularies.given.tuned.fsm import DfaStates, TunedFSM
from labs.lab_07_bytes_and_vocabularies.given.tuned.rows import VocabularyRows
from labs.lab_07_bytes_and_vocabularies.given.tuned.walker import CharacterStates
from labs.lab_07_bytes_and_vocabularies.solution import (
    TokenVocabularyIndex,
    build_byte_trie,
    byte_dfa,
    compile_token_fsm,
    lift,
    pack_mask,
)

Mask = NDArray[np.int32]


def ways(vocabulary: Vocabulary) -> dict[str, Callable[[str], Mask]]:
    """Return ways from a pattern to its first mask, each with one idea more than the one before.

    >>> [way("1*").tolist() for way in ways(Vocabulary.toy()).values()]
    [[24], [24], [24], [24], [24]]
    """
    index = TokenVocabularyIndex(vocabulary)
    rows = VocabularyRows(index.token_bytes, index.trie, build_byte_trie)

    def on_demand(characters: CharacterStates, worth_it: float) -> Mask:
        fsm = TunedFSM(characters, rows, vocabulary.eos_id, byte_dfa, lift)
        with patch.object(strings, "WORTH_IT", worth_it):
            return fsm.mask(fsm.initial_state)

    return {
        "each token on its own": partial(_token_by_token, index),
        "lift": lambda pattern: (fsm := compile_token_fsm(pattern, index)).mask(fsm.initial_state),
        "one state, level by level": lambda pattern: on_demand(DfaStates(compile_dfa(pattern)), np.inf),
        "states on demand": lambda pattern: on_demand(LazyDfa(parse_tree(pattern)), np.inf),
        "rows of the vocabulary": lambda pattern: on_demand(LazyDfa(parse_tree(pattern)), strings.WORTH_IT),
    }


def _token_by_token(index: TokenVocabularyIndex, pattern: str) -> Mask:
    automaton = byte_dfa(compile_dfa(pattern))
    alive = np.array([_lives(automaton, token) for token in index.token_bytes])
    alive[index.eos_id] = automaton.is_accepting(automaton.initial)
    return pack_mask(alive)


def _lives(automaton: ByteDfa, token: bytes | None) -> bool:
    state = automaton.initial
    for byte in token or b"":
        state = automaton.step(state, byte)
        if state == DEAD:
            return False
    return bool(token)
