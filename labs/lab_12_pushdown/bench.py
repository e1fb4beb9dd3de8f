"""The cases of lab 12 in ``python3 -m course bench``: a mask by walking every token over the stack, and from tables."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from labkit.bench import Case, Setting
from labkit.vocabulary import Vocabulary
from labs.assembled import compile_guide
from labs.lab_12_pushdown.given.gbnf import shipped

TEXTS = (
    ("json", "in a string", '{"users": [{"name": "Ada'),
    ("json", "after a number", '{"users": [[1, 2], [3, 4'),
    ("json", "a hundred lists deep", "[" * 100),
    ("sql", "in a subquery", "SELECT a FROM t WHERE b IN (SELECT c FROM u WHERE d = 1"),
    ("c", "in a call", "int vmain() {\nwhile (va < 3) {\nvf(vb, (vc + 1"),
)
"""Grammars, and texts at whose ends the stack is looked at."""


def cases(setting: Setting) -> Iterator[Callable[[], Case]]:
    """Yield a case for each text; none for a part of a vocabulary."""
    if setting.vocabulary is None:
        return
    for text in TEXTS:
        yield partial(_mask, setting.vocabulary, *text)


def _mask(vocabulary: Vocabulary, grammar: str, where: str, text: str) -> Case:
    guide = compile_guide(vocabulary, grammar=shipped(grammar))
    state = guide.initial
    for byte in text.encode():
        state = guide.after_byte(state, byte)
    fsm = guide._fsm

    def anew() -> NDArray[np.int32]:
        """Make the mask as in a state that is met for the first time, with the tables that it needs made before."""
        state.memo.clear()
        for number, frame in state.kernel:
            frame.memo.pop(number, None)
        mask: NDArray[np.int32] = fsm.mask(state)
        return mask

    assert (fsm.mask_without_tables(state) == anew()).all()
    return Case(
        "a mask under a grammar, in a new state",
        f"{grammar}, {where}",
        ("every token over the stack", "tables, and rests over the stack"),
        slow=lambda: fsm.mask_without_tables(state),
        fast=anew,
        times=9,
        tokens=len(vocabulary),
    )
