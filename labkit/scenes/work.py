"""The work of one mask, counted: automata that note every look-up of a transition. Nothing is timed."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import regex
from numpy.typing import NDArray

from labkit.automata import Fsm
from labkit.automata.byte_dfa import ByteDfa
from labkit.scenes.steps import Steps
from labkit.vocabulary import Vocabulary

SIZES = (1_000, 4_000, 16_000, 64_000)
"""The vocabularies on which the work of a mask is counted."""

GRAMMAR, PREFIX = "0x[0-9a-f]+", "0x1f"
"""The pattern and the text of the mask whose work is counted; every lab that counts can make it."""


class _CountedRow(dict[str, int]):
    """The transitions of a state. Going through all of them counts each."""

    lookups = 0

    def __getitem__(self, char: str) -> int:
        self.lookups += 1
        return super().__getitem__(char)

    def get(self, char: str, default: Any = None) -> Any:
        self.lookups += 1
        return super().get(char, default)

    def __contains__(self, char: object) -> bool:
        self.lookups += 1
        return super().__contains__(char)

    def __iter__(self) -> Iterator[str]:
        self.lookups += len(self)
        return super().__iter__()

    def keys(self) -> Any:
        self.lookups += len(self)
        return super().keys()

    def items(self) -> Any:
        self.lookups += len(self)
        return super().items()


class CountedFsm:
    """An automaton over characters that counts: hand out ``fsm``, then read ``lookups``.

    >>> from labkit.automata import decimal_fsm
    >>> counted = CountedFsm(decimal_fsm())
    >>> counted.fsm.transitions[0].get("."), "x" in counted.fsm.transitions[2], counted.lookups
    (2, False, 2)
    """

    def __init__(self, fsm: Fsm) -> None:
        self._rows = [_CountedRow(row) for row in fsm.transitions]
        self.fsm = replace(fsm, transitions=tuple(self._rows))
        for row in self._rows:  # the automaton has just checked each transition
            row.lookups = 0

    @property
    def lookups(self) -> int:
        """The transitions looked up so far."""
        return sum(row.lookups for row in self._rows)


class CountedByteDfa(ByteDfa):
    """A byte automaton that counts the transitions it was asked for, one for each state and byte.

    >>> from labkit.automata import Dfa
    >>> a = Dfa([0, 97, 98], [-1, 0, -1], [[1], [-1]], initial=0, accepting=[False, True])
    >>> counted = CountedByteDfa(a, [[-1 if byte == 97 else 0 for byte in range(256)]])
    >>> counted.step(0, 97), counted.step(1, 97), counted.lookups
    (1, -1, 2)
    """

    lookups = 0

    def successors(self, states: NDArray[np.integer], byte_classes: NDArray[np.integer]) -> NDArray[np.int32]:
        """Return the state that each of the given states reaches by one more byte, and count them."""
        object.__setattr__(self, "lookups", self.lookups + len(states))
        return super().successors(states, byte_classes)


@cache
def vocabularies() -> tuple[Vocabulary, ...]:
    """Return vocabularies of these sizes: tokens drawn from Tekken's, the smaller ones part of the larger, and EOS."""
    whole = Vocabulary.tekken()
    texts = [token for i, token in enumerate(whole.token_bytes) if i not in whole.special_ids]
    drawn = [texts[i] for i in np.random.default_rng(0).permutation(len(texts))[: max(SIZES)]]
    return tuple(Vocabulary([*drawn[: size - 1], b"</s>"], eos_id=size - 1) for size in SIZES)


def work_of(steps: Steps) -> tuple[float, float]:
    """Return the size of the vocabulary, and the work of the mask after ``PREFIX``, as the lab counts it.

    Args:
        steps: a lab's, of ``GRAMMAR``.

    Raises:
        AssertionError: if the mask is not the one of the ``regex`` package, or no work was counted.
    """
    mask, work = steps.counted_mask(PREFIX)
    matches = regex.compile(GRAMMAR).fullmatch
    right = [bool(t and matches(PREFIX + t, partial=True)) for t in steps.texts]
    right[steps.vocabulary.eos_id] = bool(mask[steps.vocabulary.eos_id])  # from lab 04 on a mask may allow it
    assert mask.tolist() == right, f"wrong on {steps.size:,} tokens"
    assert work, "nothing was looked up that is counted"
    return steps.size, work
