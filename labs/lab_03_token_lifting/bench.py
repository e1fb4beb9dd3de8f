"""Lab 03 in ``python3 -m course bench``: its table by every token, and by the trie, which is built once."""

from collections.abc import Sequence
from functools import cache, partial

from labkit.bench import PATTERNS, BenchTable, Job
from labkit.vocabulary import Vocabulary
from labs.lab_02_atom_fsm.solution import compile_pattern
from labs.lab_03_token_lifting.solution import build_trie, lift, states_to_vocab


def bench(vocabulary: Vocabulary) -> BenchTable:
    """Return a row for each pattern."""
    texts = vocabulary.texts()
    trie = cache(partial(build_trie, texts))

    def row(pattern: str) -> Sequence[Job]:
        fsm, ready = compile_pattern(pattern), trie()
        return partial(states_to_vocab, fsm, texts), lambda: lift(fsm, build_trie(texts)), partial(lift, fsm, ready)

    methods = ("every token", "trie and walk", "walk of a ready trie")
    return BenchTable("the table of all states", methods, {pattern: partial(row, pattern) for pattern in PATTERNS})
