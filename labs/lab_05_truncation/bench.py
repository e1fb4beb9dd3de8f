"""Lab 05 in ``python3 -m course bench``: what the budget adds to lab 04's mask."""

from collections.abc import Sequence
from functools import cache, partial

from labkit.bench import PATTERNS, BenchTable, Job
from labkit.scenes.automata import follow
from labkit.vocabulary import Vocabulary
from labs.lab_02_atom_fsm.solution import compile_pattern
from labs.lab_03_token_lifting.solution import build_trie, lift
from labs.lab_04_eos_gating.solution import mask_row
from labs.lab_05_truncation.solution import budget_row, tokens_to_accept


def bench(vocabulary: Vocabulary) -> BenchTable:
    """Return a row for each pattern."""
    trie = cache(partial(build_trie, vocabulary.texts()))

    def row(pattern: str, text: str) -> Sequence[Job]:
        fsm = compile_pattern(pattern)
        state, table = follow(fsm, fsm.initial, text), lift(fsm, trie())
        assert state is not None
        distance, plain = tokens_to_accept(table, fsm.accepting), partial(mask_row, fsm, table, state, vocabulary)
        return lambda: budget_row(plain(), table[state], distance, 9), plain

    rows = {pattern: partial(row, pattern, text) for pattern, text in PATTERNS.items()}
    return BenchTable("one mask", ("with a budget", "without"), rows)
