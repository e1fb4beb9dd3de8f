"""The states met on a walk down the whole vocabulary, and the steps between them."""

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_dfa import ByteDfa
from labkit.automata.dfa import DEAD


class Walk:
    """The states met on a walk, in the order in which they were met, and the steps taken between them.

    Number 0 is the dead state, number 1 the state in which the walk begins.
    """

    def __init__(self, automaton: ByteDfa, state: int) -> None:
        self.n_classes = automaton.n_byte_classes
        self._automaton = automaton
        self._states = [DEAD, state]
        self._numbers = {DEAD: 0, state: 1}
        self._after = np.array([0] * self.n_classes + [-1] * self.n_classes)

    def after(self, keys: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the numbers after some steps; take those that are not known yet.

        Args:
            keys: ``k * n_classes + c`` for a step from number k by a byte of class c.
        """
        found = self._after.take(keys)
        if found.min(initial=0) < 0:
            asked = np.zeros(len(self._after), bool)
            asked[keys] = True
            self._take_steps((asked & (self._after < 0)).nonzero()[0])
            found = self._after.take(keys)
        return found

    def _take_steps(self, keys: NDArray[np.intp]) -> None:
        numbers, byte_classes = np.divmod(keys, self.n_classes)
        targets = self._automaton.successors(np.array(self._states)[numbers], byte_classes).tolist()
        for target in targets:
            if target not in self._numbers:
                self._numbers[target] = len(self._states)
                self._states.append(target)
        self._after[keys] = [self._numbers[target] for target in targets]
        n_new = len(self._states) * self.n_classes - len(self._after)
        self._after = np.append(self._after, np.full(n_new, -1))
