"""The work of one mask, counted: automata that note every look-up of a transition. Nothing is timed."""

from collections.abc import ItemsView, Iterator, KeysView
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.automata import Fsm
from labkit.automata.byte_dfa import ByteDfa


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

    def keys(self) -> KeysView[str]:  # type: ignore[override]
        self.lookups += len(self)
        return dict(self).keys()

    def items(self) -> ItemsView[str, int]:  # type: ignore[override]
        self.lookups += len(self)
        return dict(self).items()


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
