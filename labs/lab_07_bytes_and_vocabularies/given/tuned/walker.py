"""The states of an automaton over bytes, numbered as they are met, and the steps between them."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import DEAD
from labs.lab_07_bytes_and_vocabularies.given.tuned.alphabet import ByteAlphabet

UNKNOWN = -2
"""The entry of a step that has not been taken yet."""


class CharacterStates(Protocol):
    """An automaton over characters from whose states an accepting one can be reached; ``LazyDfa`` is one."""

    @property
    def bounds(self) -> Sequence[int]:
        """Where the classes of characters begin, as a ``Dfa`` has them."""

    @property
    def classes(self) -> Sequence[int]:
        """The class of the characters from each bound on."""

    @property
    def initial(self) -> int:
        """The state to begin in."""

    @property
    def accepting(self) -> Sequence[bool]:
        """Whether a text may end in each state that has been met."""

    def row(self, state: int) -> list[int]:
        """Return the state after each class of characters, or ``DEAD``."""


class ByteStates:
    """States over bytes: a state over characters, and a node of the tree where a character has begun.

    They are numbers from 0, the initial state, in the order in which they are met.

    Args:
        characters: the automaton over characters.
        alphabet: the bytes of its classes.

    >>> from labs.lab_06_regex_to_dfa.given.lazy import LazyDfa
    >>> from labs.lab_06_regex_to_dfa.solution import parse_tree
    >>> from labs.lab_07_bytes_and_vocabularies.given.tuned.alphabet import byte_alphabet
    >>> from labs.lab_07_bytes_and_vocabularies.solution import byte_dfa
    >>> characters = LazyDfa(parse_tree("(a|é){20}"))
    >>> states = ByteStates(characters, byte_alphabet(characters.bounds, characters.classes, byte_dfa))
    >>> half = states.step(0, 0xC3)  # the first of two bytes
    >>> states.step(0, ord("a")) == states.step(half, 0xA9), len(states)
    (True, 3)
    """

    def __init__(self, characters: CharacterStates, alphabet: ByteAlphabet) -> None:
        self.characters, self.alphabet = characters, alphabet
        self.n_classes = len(alphabet.steps[0])
        self._numbers = {(characters.initial, 0): 0}
        self.pairs = [(characters.initial, 0)]
        self._after = np.full(64 * self.n_classes, UNKNOWN)
        self._lists: dict[int, list[int]] = {}

    def __len__(self) -> int:
        """Return how many states have been met."""
        return len(self.pairs)

    def is_accepting(self, number: int) -> bool:
        """Return whether a state is at the end of a whole character, in an accepting state."""
        state, node = self.pairs[number]
        return node == 0 and self.characters.accepting[state]

    def after(self, keys: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the states after some steps, or ``DEAD``.

        Args:
            keys: ``q * n_classes + c`` for a step from state q by a byte of class c.
        """
        found = self._after.take(keys)
        while len(found) and found.min() < DEAD:
            numbers = keys[found < DEAD] // self.n_classes
            for number in set(numbers.tolist()):
                self._fill(number)
            found = self._after.take(keys)
        return found

    def row(self, number: int) -> NDArray[np.intp]:
        """Return the states after each class of bytes."""
        start = number * self.n_classes
        if self._after[start] == UNKNOWN:
            self._fill(number)
        return self._after[start : start + self.n_classes]

    def row_list(self, number: int) -> list[int]:
        """Return ``row`` as a list, for steps that are taken one at a time."""
        if number not in self._lists:
            self._lists[number] = self.row(number).tolist()
        return self._lists[number]

    def step(self, number: int, byte: int) -> int:
        """Return the state after one byte, or ``DEAD``."""
        return self.row_list(number)[self.alphabet.class_list[byte]]

    def _fill(self, number: int) -> None:
        state, node = self.pairs[number]
        targets, numbers, row = self.characters.row(state), self._numbers, [DEAD] * self.n_classes
        for byte_class, step in self.alphabet.live_steps[node]:
            if step < 0:
                target = targets[~step]
                if target != DEAD:
                    found = numbers.get((target, 0))
                    row[byte_class] = self.number_of(target, 0) if found is None else found
            elif any(targets[below] != DEAD for below in self.alphabet.below[step]):
                row[byte_class] = self.number_of(state, step)
        start = number * self.n_classes
        self._after[start : start + self.n_classes] = row

    def number_of(self, state: int, node: int) -> int:
        """Return the number of a state.

        Args:
            state: of the automaton over characters.
            node: of the tree; 0 between characters.
        """
        number = self._numbers.setdefault((state, node), len(self.pairs))
        if number == len(self.pairs):
            self.pairs.append((state, node))
            if len(self.pairs) * self.n_classes > len(self._after):
                self._after = np.append(self._after, np.full(len(self._after), UNKNOWN))
        return number
