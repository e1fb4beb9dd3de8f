"""Lab 07 in ``python3 -m course bench``: from a pattern to its first mask, one idea after another."""

from collections.abc import Callable
from functools import partial
from unittest.mock import patch

import numpy as np

from labkit.automata.dfa import Dfa
from labkit.bench import BenchTable
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


def bench(vocabulary: Vocabulary) -> BenchTable:
    """Return a row for each pattern."""
    made = ways(vocabulary)
    rows = {name: lambda each=each: [partial(way, each) for way in made.values()] for name, each in PATTERNS.items()}
    return BenchTable("from a pattern to its first mask", (*made,), rows)


def ways(vocabulary: Vocabulary) -> dict[str, Callable[[str], Words]]:
    """Return ways from a pattern to its first mask, each with one idea more than the one before.

    >>> [way("1*").tolist() for way in ways(Vocabulary.toy()).values()]
    [[24], [24], [24], [24]]
    """
    index = TokenVocabularyIndex(vocabulary)
    _ = index.rows  # which are made once for all patterns

    def lifted(pattern: str) -> Words:
        automaton = byte_dfa(compile_dfa(pattern))
        found = lift(index.trie, automaton, np.arange(len(automaton.dfa)))  # all states, as if they were asked for
        alive = found.alive_from(automaton.initial)[found.groups]
        alive[index.eos_id] = automaton.is_accepting(automaton.initial)
        return pack_mask(alive)

    def on_demand(texts: Dfa | LazyDfa, worth_it: float) -> Words:
        fsm = TokenFSM(texts, index)
        with patch.object(strings, "WORTH_IT", worth_it):
            return fsm.mask(fsm.initial_state)

    return {
        "lift": lifted,
        "one state": lambda pattern: on_demand(compile_dfa(pattern), np.inf),
        "states on demand": lambda pattern: on_demand(LazyDfa(parse_tree(pattern)), np.inf),
        "rows": lambda pattern: on_demand(LazyDfa(parse_tree(pattern)), strings.WORTH_IT),
    }
