"""Lab 14 in ``python3 -m course bench``: the masks of a tree of drafts, path by path and node by node."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from labkit.bench import PATTERNS, BenchTable, Job
from labkit.vocabulary import Vocabulary
from labs.lab_14_drafts.given.guides import allowed
from labs.lab_14_drafts.solution import tree_masks, walk_draft
from mask_engine import compile_guide

DEPTH, CHILDREN = 5, 2
"""How long the drafts of the tree are, and how many tokens are drafted after each of its nodes."""


def bench(vocabulary: Vocabulary) -> BenchTable:
    """Return a row for each pattern."""
    methods = ("path by path", "node by node")
    rows = {pattern: partial(tree, pattern, vocabulary) for pattern in PATTERNS}
    return BenchTable("the masks of a tree of drafts", methods, rows, turns=3)


def tree(pattern: str, vocabulary: Vocabulary) -> Sequence[Job]:
    """Return the jobs of a pattern; their masks are the same."""
    guide, size, eos = compile_guide(vocabulary, regex=pattern), len(vocabulary), vocabulary.eos_id
    parents, tokens, paths = list[int](), list[int](), [list[int]()]
    for parent, path in enumerate(paths, start=-1):  # it grows meanwhile
        if len(path) < DEPTH:
            ids = np.flatnonzero(walk_draft(guide, guide.initial, path, size, eos, 99)[1][-1])
            for token in ids[ids != eos][:CHILDREN].tolist():
                parents.append(parent)
                tokens.append(token)
                paths.append([*path, token])

    def one_by_one() -> NDArray[np.bool_]:
        rows = []
        for path in paths:
            state = guide.initial
            for token in path:
                state = guide.advance(state, token)
            rows.append(allowed(guide.mask(state), size))
        return np.array(rows)

    together = partial(tree_masks, guide, guide.initial, parents, tokens, size, eos)
    if not np.array_equal(one_by_one(), together()):
        raise ValueError(f"{pattern}: the masks differ")
    return one_by_one, together
