"""The states of an automaton over bytes, numbered as they are met, and the steps between them."""

from collections.abc import Callable, Sequence
from functools import cached_property
from math import inf
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import DEAD
from labkit.automata.syntax import LAST_CODE_POINT
from labkit.automata.work import spend
from labs.lab_07_bytes_and_vocabularies.given.tuned.alphabet import ASCII, ByteAlphabet, Classes

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

    def accepts(self, state: int) -> bool:
        """Return whether a text may end in a state that has been met."""

    def row(self, state: int) -> list[int]:
        """Return the state after each class of characters, or ``DEAD``."""

    def alike(self, state: int, rounds: Callable[[frozenset[int]], int]) -> int:
        """Return a state from which the same tokens lead on, and to states that need as many bytes; maybe itself.

        Args:
            rounds: how many rounds of a repetition a token begins at most, if each holds each of some ASCII characters.
        """

    def fewest_bytes(self, state: int) -> float:
        """Return how many bytes a text still needs from a state that has been met; ``inf`` if none are enough."""

    @property
    def most_bytes(self) -> float:
        """A bound of ``fewest_bytes`` at every place of every text, also within a character."""


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
        self._targets: dict[int, dict[int, Classes]] = {}

    def __len__(self) -> int:
        """Return how many states have been met."""
        return len(self.pairs)

    def is_accepting(self, number: int) -> bool:
        """Return whether a state is at the end of a whole character, in an accepting state."""
        state, node = self.pairs[number]
        return node == 0 and self.characters.accepts(state)

    def fewest_bytes(self, number: int) -> float:
        """Return how many bytes a text still needs from a state."""
        state, node = self.pairs[number]
        if not node:
            return self.characters.fewest_bytes(state)
        spend(2 + len(self.alphabet.below[node]))
        after = {target for each in self.alphabet.below[node] if (target := self.characters.row(state)[each]) != DEAD}
        return self.alphabet.bytes_left[node] + min(map(self.characters.fewest_bytes, after), default=inf)

    def alike(self, number: int, rounds: Callable[[frozenset[int]], int]) -> int:
        """Return a state from which the same tokens are alive, as ``CharacterStates.alike`` does."""
        state, node = self.pairs[number]
        other = self.characters.alike(state, rounds)
        return number if other == state else self.number_of(other, node)

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

    @property
    def n_byte_classes(self) -> int:
        """How many classes of bytes there are."""
        return self.n_classes

    @property
    def byte_classes(self) -> NDArray[np.intp]:
        """``intp[256]``: the class of each byte."""
        return self.alphabet.byte_classes

    def successors(self, numbers: NDArray[np.intp], byte_classes: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the state after one step from each of some states, or ``DEAD``, as ``ByteDfa`` does."""
        spend(40 + (len(numbers) >> 3))
        return self.after(numbers * self.n_classes + byte_classes)

    def row(self, number: int) -> NDArray[np.intp]:
        """Return the states after each class of bytes."""
        start = number * self.n_classes
        if self._after[start] == UNKNOWN:
            self._fill(number)
        return self._after[start : start + self.n_classes]

    def row_list(self, number: int) -> list[int]:
        """Return ``row`` as a list, for steps that are taken one at a time."""
        if number not in self._lists:
            self._fill(number)
        return self._lists[number]

    @cached_property
    def n_beyond(self) -> list[int]:
        """How many characters beyond ASCII each class has."""
        widths = np.diff(np.maximum([*self.characters.bounds, LAST_CODE_POINT + 1], ASCII))
        places = np.array(self.characters.classes) + 1  # the dead ones come first
        found: list[int] = np.bincount(places, widths, self.alphabet.n_character_classes + 1)[1:].astype(int).tolist()
        return found

    def targets(self, state: int) -> dict[int, Classes]:
        """Return the states after a state over characters, each with the classes of characters that lead there."""
        if state not in self._targets:
            found = self._targets[state] = {}
            for symbol_class, target in enumerate(self.characters.row(state)):
                if target != DEAD:
                    found[target] = found.get(target, 0) | 1 << symbol_class
        return self._targets[state]

    def after_text(self, number: int, text: bytes) -> int:
        """Return the state after some bytes, or ``DEAD``."""
        lists, class_list = self._lists, self.alphabet.class_list
        for byte in text:
            if number not in lists:
                self._fill(number)
            number = lists[number][class_list[byte]]
            if number == DEAD:
                break
        return number

    def step(self, number: int, byte: int) -> int:
        """Return the state after one byte, or ``DEAD``."""
        return self.row_list(number)[self.alphabet.class_list[byte]]

    def _fill(self, number: int) -> None:
        spend(6 + (self.n_classes >> 2))
        state, node = self.pairs[number]
        row, (completing, begun) = [DEAD] * self.n_classes, self.alphabet.ways_on(node)
        targets, numbers = self.characters.row(state), dict[int, int]()
        for symbol_class, target in enumerate(targets):
            if target != DEAD:
                if target not in numbers:
                    numbers[target] = self.number_of(target, 0)
                for byte_class in completing[symbol_class]:
                    row[byte_class] = numbers[target]
        for below, steps in begun.items():
            if any(targets[symbol_class] != DEAD for symbol_class in below):
                for byte_class, step in steps:
                    row[byte_class] = self.number_of(state, step)
        start = number * self.n_classes
        self._after[start : start + self.n_classes] = row
        self._lists[number] = row

    def number_of(self, state: int, node: int) -> int:
        """Return the number of a state.

        Args:
            state: of the automaton over characters.
            node: of the tree; 0 between characters.
        """
        number = self._numbers.get((state, node))
        if number is None:
            is_full = (len(self.pairs) + 1) * self.n_classes > len(self._after)
            spend(1 + (len(self._after) >> 6 if is_full else 0))  # before anything is changed
            number = self._numbers[state, node] = len(self.pairs)
            self.pairs.append((state, node))
            if is_full:
                self._after = np.append(self._after, np.full(len(self._after), UNKNOWN))
        return number
