"""Lab 12 in ``python3 -m course bench``: masks on new stacks, by every token over the stack, and from tables."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from labkit.bench import BenchTable, Job
from labkit.vocabulary import Vocabulary
from labs.lab_12_pushdown.given.gbnf import shipped
from mask_engine import compile_guide

TEXTS = {
    "JSON, in a string": ("json", "", '[{"users": ', '[{"name": "Ada'),
    "JSON, after a number": ("json", "", "[", "1, 2"),
    "SQL, in a subquery": ("sql", "", "SELECT a FROM t WHERE b IN (", "SELECT c FROM u WHERE d = 1"),
    "C, in a call": ("c", "int vmain() {\nvf(", "(", "vb + (vc + 1"),
    "brackets": ("brackets", "", "[({", "["),
}
"""A grammar, and three texts: the second may come any number of times, and the mask is the one after the third."""

TURNS, MADE_BEFORE = 9, 20
"""How many masks are timed, and how many are made before, with the tables that they need."""


def bench(vocabulary: Vocabulary) -> BenchTable:
    """Return a row for each text."""

    def masks(grammar: str, before: str, opening: str, text: str, often: int) -> Iterator[Any]:
        """Return what makes the masks of many stacks. None of them has been met before."""
        guide, states = compile_guide(vocabulary, grammar=shipped(grammar)), list[int]()
        for depth in range(1, MADE_BEFORE + TURNS + 1):
            state = guide.initial
            for byte in (before + opening * depth + text).encode():
                state = guide.after_byte(state, byte)
            states.append(state)
        fsm: Any = guide._fsm.fsm
        fsm.often = often
        return iter([partial(guide.mask, state) for state in states])

    def row(name: str) -> Sequence[Job]:
        walked, made = (masks(*TEXTS[name], often) for often in (10**9, 0))
        for _ in range(MADE_BEFORE):
            if not np.array_equal(next(walked)(), next(made)()):
                raise ValueError(f"{name}: the masks differ")
        return lambda: next(walked)(), lambda: next(made)()

    methods = ("over the stack", "from tables")
    return BenchTable("a mask on a new stack", methods, {name: partial(row, name) for name in TEXTS}, TURNS)
