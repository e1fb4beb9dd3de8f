"""The case of lab 14 in ``python3 -m course bench``: the masks of a tree of drafts, path by path and node by node."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from labkit.bench import Case, Setting, Subject
from labkit.vocabulary import Vocabulary
from labs.assembled import compile_guide
from labs.lab_14_drafts.given.matcher import allowed
from labs.lab_14_drafts.solution import tree_masks, walk_draft

DEPTH, CHILDREN = 5, 2
"""How long the drafts of the tree are, and how many tokens are drafted after each of its nodes."""


def cases(setting: Setting) -> Iterator[Callable[[], Case]]:
    """Yield a case for each pattern; none for a part of a vocabulary."""
    if setting.vocabulary is None:
        return
    for subject in setting.subjects:
        yield partial(_tree, subject, setting.vocabulary)


def _tree(subject: Subject, vocabulary: Vocabulary) -> Case:
    guide, size, eos = compile_guide(vocabulary, regex=subject.pattern), len(vocabulary), vocabulary.eos_id
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

    def together() -> NDArray[np.bool_]:
        return tree_masks(guide, guide.initial, parents, tokens, size, eos)

    assert (one_by_one() == together()).all()
    return Case(
        "the masks of a tree of drafts",
        subject.pattern,
        ("path by path", "node by node"),
        slow=one_by_one,
        fast=together,
        times=3,
        note=lambda times: f"{len(tokens)} nodes",
        tokens=size,
    )
