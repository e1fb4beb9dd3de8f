"""An automaton over bytes that makes its states when a walk first comes to them, since a text meets only a few.

Your ``walk`` and ``next_state`` can't tell it from what your ``byte_dfa`` returns.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property
from math import inf
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_dfa import live_transitions
from labkit.automata.dfa import DEAD, Dfa
from labkit.automata.syntax import LAST_CODE_POINT
from labkit.automata.work import spend
from labs.lab_06_regex_to_dfa.given.lengths import fewest_bytes, utf8_lengths
from labs.lab_07_bytes_and_vocabularies.given.on_demand.alphabet import ASCII, ByteAlphabet, Classes

UNKNOWN = -2
"""What the table says about a step that nobody has taken yet."""


class CharacterStates(Protocol):
    """An automaton over characters without dead ends, such as ``LazyDfa``: from every state a text can be finished.

    >>> from mask_engine.patterns.lazy import LazyDfa
    >>> from labs.lab_06_regex_to_dfa.solution import parse_tree
    >>> characters: CharacterStates = LazyDfa(parse_tree("é|abc"))
    >>> characters.accepts(characters.initial), characters.fewest_bytes(characters.initial)
    (False, 2)
    """

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
        """Return whether a text may end in a state that has turned up."""

    def targets(self, state: int) -> Mapping[int, Classes]:
        """Return the states after a state, each with the classes of characters that lead there."""

    @property
    def is_full(self) -> bool:
        """Whether so many states have turned up that it's time for ``anew``."""

    def anew(self, states: Iterable[int]) -> tuple[Self, list[int]]:
        """Return an automaton that has forgotten all but its initial state and these, and their numbers there.

        This one stays as it is.
        """

    def alike(self, state: int, rounds: Callable[[frozenset[int]], int]) -> int:
        """Return a state that can stand in for this one: the same tokens are alive, and need as many bytes after them.

        Args:
            rounds: how many rounds of a repetition a token begins at most, if each has certain ASCII characters.
        """

    def fewest_bytes(self, state: int, without: Classes = 0) -> float:
        """Return how many bytes a text still needs from a state that has turned up; ``inf`` if it can't be finished.

        Args:
            without: classes of characters that the text may not have.
        """

    @property
    def most_bytes(self) -> float:
        """The most that ``fewest_bytes`` can be, at any place of any text, even in the middle of a character."""


class DfaStates:
    """The states of a ``Dfa``, without the steps from which a text can't be finished.

    Args:
        rows: its transitions, if somebody has seen to those already.

    >>> a = Dfa([0, 97, 98], [-1, 0, -1], [[1], [DEAD]], initial=0, accepting=[False, True])
    >>> DfaStates(a).targets(0)
    {1: 1}
    """

    def __init__(self, dfa: Dfa, rows: NDArray[np.int32] | None = None) -> None:
        self._dfa = dfa
        self.bounds, self.classes = dfa.bounds.tolist(), dfa.classes.tolist()
        self.initial = dfa.initial
        self._accepting = dfa.accepting.tolist()
        self._rows = live_transitions(dfa) if rows is None else rows
        self._targets: dict[int, dict[int, Classes]] = {}
        self._known_away: dict[Classes, NDArray[np.float64]] = {}

    is_full = False  # all of its states are there from the start

    def anew(self, states: Iterable[int]) -> tuple[Self, list[int]]:
        """Return the same automaton and states: it has nothing to forget."""
        return self, [*states]

    def __len__(self) -> int:
        """Return how many states there are."""
        return len(self._dfa)

    def accepts(self, state: int) -> bool:
        """Return whether a text may end in a state."""
        return bool(self._accepting[state])

    def targets(self, state: int) -> dict[int, Classes]:
        """Return the states after a state, each with the classes of characters that lead there."""
        if state not in self._targets:
            found = self._targets[state] = {}
            for symbol_class, target in enumerate(self._rows[state].tolist()):
                if target != DEAD:
                    found[target] = found.get(target, 0) | 1 << symbol_class
        return self._targets[state]

    def alike(self, state: int, rounds: Callable[[frozenset[int]], int]) -> int:
        """Return the state itself: only automata that count rounds have states that stand in for each other."""
        return state

    def fewest_bytes(self, state: int, without: Classes = 0) -> float:
        """Return how many bytes a text still needs from a state, without characters of some classes.

        >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
        >>> DfaStates(compile_dfa("é|abc")).fewest_bytes(0)
        2.0
        """
        return float(self._away(without)[state])

    @cached_property
    def most_bytes(self) -> float:
        """The most that ``fewest_bytes`` can be, at any place of any text."""
        leads_on = (self._rows != DEAD).any(axis=1) | self._dfa.accepting
        # Within a character up to three of its bytes are left, and then what the state after it needs.
        return float(self._away(0)[leads_on].max(initial=0)) + 3

    def _away(self, without: Classes) -> NDArray[np.float64]:
        if without not in self._known_away:
            ranges = self._dfa.class_ranges
            lengths = [inf if without >> n & 1 else utf8_lengths(each)[0] for n, each in enumerate(ranges)]
            self._known_away[without] = fewest_bytes(self._dfa, lengths)
        return self._known_away[without]


class ByteStates:
    """The states over bytes: each is a state over characters, and a node of the tree in the middle of a character.

    They're numbered from 0, in the order in which they turn up. A ``Dfa`` has numbers for its states already; they keep
    them, and the states in the middle of a character come after these.

    Args:
        characters: the automaton over characters.
        alphabet: the bytes of its classes.

    Attributes:
        n_own: how many states the ``Dfa`` has; 0 if it isn't one.

    >>> from mask_engine.patterns.lazy import LazyDfa
    >>> from labs.lab_06_regex_to_dfa.solution import parse_tree
    >>> from labs.lab_07_bytes_and_vocabularies.given.on_demand.alphabet import byte_alphabet
    >>> from labs.lab_07_bytes_and_vocabularies.solution import byte_dfa
    >>> characters = LazyDfa(parse_tree("(a|é){20}"))
    >>> states = ByteStates(characters, byte_alphabet(characters.bounds, characters.classes, byte_dfa))
    >>> half = states.step(0, 0xC3)  # the first of two bytes
    >>> states.step(0, ord("a")) == states.step(half, 0xA9), len(states)
    (True, 3)
    """

    def __init__(self, characters: CharacterStates, alphabet: ByteAlphabet) -> None:
        self.characters, self.alphabet = characters, alphabet
        self.byte_classes = alphabet.byte_classes
        self.n_byte_classes = len(alphabet.steps[0])
        self.n_own = len(characters) if isinstance(characters, DfaStates) else 0
        self._begin()

    def _begin(self) -> None:
        """Begin with the initial state alone."""
        self._numbers: dict[tuple[int, int], int] = {}
        self._pairs: list[tuple[int, int]] = []
        self._after = np.full((self.n_own + 64) * self.n_byte_classes, UNKNOWN)
        self._lists: dict[int, list[int]] = {}
        self.initial = self.number_of(self.characters.initial, 0)

    @property
    def n_held(self) -> int:
        """How many numbers are in the rows."""
        return len(self._lists) * self.n_byte_classes

    def anew(self, numbers: Iterable[int]) -> "tuple[ByteStates, list[int]]":
        """Return an automaton that has forgotten all but its initial state and these, and their numbers there."""
        pairs = [self.pair(number) for number in numbers]
        new = copy(self)
        new.characters, states = self.characters.anew(state for state, _ in pairs)
        new._begin()
        return new, [new.number_of(state, node) for state, (_, node) in zip(states, pairs, strict=True)]

    def __len__(self) -> int:
        """Return how many states there are so far: a ``Dfa``'s own, and those that have turned up."""
        return self.n_own + len(self._pairs)

    def pair(self, number: int) -> tuple[int, int]:
        """Return the state over characters, and the node of the tree; 0 between characters.

        Raises:
            ValueError: if there is no such state.
        """
        if not 0 <= number < len(self):
            raise ValueError(f"state {number} is none of 0 to {len(self) - 1}")
        return (number, 0) if number < self.n_own else self._pairs[number - self.n_own]

    def is_accepting(self, number: int) -> bool:
        """Return whether a text may end in a state: it accepts, and no character is half written."""
        state, node = self.pair(number)
        return node == 0 and self.characters.accepts(state)

    def fewest_bytes(self, number: int, without: Classes = 0) -> float:
        """Return how many bytes a text still needs from a state, without characters of some classes."""
        state, node = self.pair(number)
        if not node:
            return self.characters.fewest_bytes(state, without)
        spend(2 + len(self.alphabet.below[node]))
        below = sum(1 << symbol_class for symbol_class in self.alphabet.below[node]) & ~without
        after = [target for target, classes in self.characters.targets(state).items() if classes & below]
        needed = min((self.characters.fewest_bytes(target, without) for target in after), default=inf)
        return self.alphabet.bytes_left[node] + needed

    def alike(self, number: int, rounds: Callable[[frozenset[int]], int]) -> int:
        """Return a state in which the same tokens are alive, as ``CharacterStates.alike`` does."""
        state, node = self.pair(number)
        other = self.characters.alike(state, rounds)
        return number if other == state else self.number_of(other, node)

    def successors(self, numbers: NDArray[np.intp], byte_classes: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the state after one step from each of some states, or ``DEAD``, as ``ByteDfa`` does."""
        keys = numbers * self.n_byte_classes
        keys += byte_classes
        found = self._after.take(keys)
        while len(found) and found.min() == UNKNOWN:
            for number in set(numbers[found == UNKNOWN].tolist()):
                self.row(number)
            found = self._after.take(keys)
        return found

    def row(self, number: int) -> NDArray[np.intp]:
        """Return the states after each class of bytes."""
        start = number * self.n_byte_classes
        if self._after[start] == UNKNOWN:
            after = self.row_list(number)  # this may put a longer array in the place of self._after
            self._after[start : start + self.n_byte_classes] = after
        return self._after[start : start + self.n_byte_classes]

    def row_list(self, number: int) -> list[int]:
        """Return ``row`` as a list, for steps that are taken one at a time."""
        row = self._lists.get(number)
        if row is None:
            row = self._lists[number] = self._make_row(number)
        return row

    @cached_property
    def n_beyond(self) -> list[int]:
        """How many characters beyond ASCII each class has."""
        widths = np.diff(np.maximum([*self.characters.bounds, LAST_CODE_POINT + 1], ASCII))
        places = np.array(self.characters.classes) + 1  # the dead ones come first
        found: list[int] = np.bincount(places, widths, self.alphabet.n_character_classes + 1)[1:].astype(int).tolist()
        return found

    def step(self, number: int, byte: int) -> int:
        """Return the state after one byte, or ``DEAD``. From ``DEAD`` it's always ``DEAD``."""
        return DEAD if number == DEAD else self.row_list(number)[self.alphabet.class_list[byte]]

    def _make_row(self, number: int) -> list[int]:
        state, node = self.pair(number)
        targets = self.characters.targets(state)
        spend(6 + (self.n_byte_classes >> 2) + len(targets))
        row, alive, known = [DEAD] * self.n_byte_classes, 0, self.alphabet.known_completing
        for target, classes in targets.items():
            alive |= classes
            after = self.number_of(target, 0)
            for byte_class in known.get((node, classes)) or self.alphabet.completing(node, classes):
                row[byte_class] = after
        for below, steps in self.alphabet.begun(node):
            if below & alive:
                origin = self._origin(state, targets, below)
                for byte_class, step in steps:
                    row[byte_class] = self.number_of(origin, step)
        return row

    def _origin(self, state: int, targets: Mapping[int, Classes], below: Classes) -> int:
        """Return a state that the characters of some classes treat like this one; perhaps itself.

        A character that no declared key begins with leads to a state in which it would also have stayed: one is enough.
        """
        for target, classes in targets.items():
            if target != state and not below & ~classes:
                return state if below & ~self.characters.targets(target).get(target, 0) else target
        return state

    def number_of(self, state: int, node: int) -> int:
        """Return the number of a state.

        Args:
            state: of the automaton over characters.
            node: of the tree; 0 between characters.
        """
        if state < self.n_own and not node:
            return state
        number = self._numbers.get((state, node))
        if number is None:
            is_full = (len(self) + 1) * self.n_byte_classes > len(self._after)
            if is_full:
                spend(len(self._after) >> 6)  # before anything is changed
            number = self._numbers[state, node] = len(self)
            self._pairs.append((state, node))
            if is_full:
                self._after = np.append(self._after, np.full(len(self._after), UNKNOWN))
        return number
