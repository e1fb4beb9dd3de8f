"""Lab 13 in ``python3 -m course bench``: weights by elimination, and by a budget too long to matter."""

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from labkit.automata import Fsm
from labkit.bench import PATTERNS, BenchTable, Job
from labkit.vocabulary import Vocabulary
from labs.lab_02_atom_fsm.solution import compile_pattern
from labs.lab_13_fair_sampling.given.markov import END, Chain
from labs.lab_13_fair_sampling.solution import backward_weights, weights_within

LENGTH = 400
"""So many characters are no limit: longer texts weigh less than a rounding error."""


def bench(vocabulary: Vocabulary) -> BenchTable:
    """Return a row for each pattern, over its characters."""

    def row(pattern: str) -> Sequence[Job]:
        chain = uniform(compile_pattern(pattern))
        if not np.allclose(backward_weights(chain), weights_within(chain, LENGTH)[-1]):
            raise ValueError(f"{pattern}: the weights differ")
        return partial(weights_within, chain, LENGTH), partial(backward_weights, chain)

    methods = (f"texts of up to {LENGTH} characters", "nodes eliminated")
    return BenchTable("the weight of every state", methods, {pattern: partial(row, pattern) for pattern in PATTERNS})


def uniform(fsm: Fsm) -> Chain:
    """Return the automaton as a chain: each character, and EOS, is as likely as any other."""
    chars = sorted({char for row in fsm.transitions for char in row})
    score = -math.log(len(chars) + 1)
    rows = [{chars.index(char): (target, score) for char, target in row.items()} for row in fsm.transitions]
    return [row | ({len(chars): (END, score)} if state in fsm.accepting else {}) for state, row in enumerate(rows)]
