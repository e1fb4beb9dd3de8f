"""Lab 02 in ``python3 -m course bench``: its method beside lab 01's."""

from collections.abc import Sequence
from functools import partial

from labkit.bench import PATTERNS, BenchTable, Job
from labkit.scenes.automata import follow
from labkit.vocabulary import Vocabulary
from labs.lab_01_naive_matching.solution import build_mask, could_match
from labs.lab_02_atom_fsm.solution import compile_pattern, token_mask


def bench(vocabulary: Vocabulary) -> BenchTable:
    """Return a row for each pattern."""
    texts = vocabulary.texts()

    def row(pattern: str, text: str) -> Sequence[Job]:
        fsm, viable = compile_pattern(pattern), partial(could_match, pattern)
        state = follow(fsm, fsm.initial, text)
        assert state is not None
        return partial(build_mask, texts, text, viable), partial(token_mask, fsm, state, texts)

    rows = {pattern: partial(row, pattern, text) for pattern, text in PATTERNS.items()}
    return BenchTable("one mask", ("partial matches", "automaton"), rows)
