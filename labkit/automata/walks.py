"""A walk over an automaton whose states are made when a text first comes to them."""

from typing import Any


class AnswerWalk:
    """One answer, read character by character, in the place of lab 11's automaton: what ``split_answer`` steps through.

    It knows where it is, so it reads one answer only, and only forwards.

    Args:
        states: of the answer's tree, a ``LazyDfa``: ``initial``, ``step``, and ``places``, which says where each
            reading of the text is in the tree's own automaton, or -1 within a symbol.
        initial, size: of the tree's own automaton: the state it begins in, and how many it has.

    >>> from types import SimpleNamespace
    >>> AnswerWalk(SimpleNamespace(initial=0), initial=7, size=9).initial  # that of the tree's own automaton
    7
    """

    def __init__(self, states: Any, initial: int, size: int) -> None:
        self._states, self._size, self.initial = states, size, initial
        self._state = states.initial

    def step(self, state: int, code: int) -> int:
        """Return the answer's own state after one more character: ``size`` inside an argument, -1 where it's dead.

        Args:
            state: the state so far, which the walk knows.

        >>> from types import SimpleNamespace
        >>> places = {1: [1], 2: [2], 3: [-1], 4: [3]}  # after f, (, 1 and ); an argument is within a symbol
        >>> step = lambda state, code: state + 1 if "f(1)."[state] == chr(code) else -1
        >>> walk = AnswerWalk(SimpleNamespace(initial=0, step=step, places=places.get), initial=0, size=4)
        >>> [walk.step(0, ord(char)) for char in "f(1)!"]
        [1, 2, 4, 3, -1]
        """
        self._state = -1 if self._state == -1 else self._states.step(self._state, code)
        if self._state == -1:
            return -1
        return min((place for place in self._states.places(self._state) if place != -1), default=self._size)
