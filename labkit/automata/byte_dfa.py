"""An automaton that reads UTF-8 byte by byte: an automaton over characters, and a tree that decodes each character.

A state is a pair: the character state, and how much of the next character has been read. Written out, the pairs of
``\\w{100}`` are 31,000 states; kept as pairs they take 101 states and a tree of 309 nodes.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import BYTES, DEAD, Dfa

MOST_BYTES = 4
"""The most bytes of a character in UTF-8."""


@dataclass(frozen=True, eq=False)
class ByteDfa:
    r"""The byte automaton of an automaton over characters.

    Args:
        dfa: the automaton over code points, S states.
        steps: ``int32[N, 256]``, the tree of the bytes of one character. Node 0 is the root, where no byte of a
            character has been read. ``steps[n, b]`` is the node after byte b if the character continues there; 0 if
            the bytes are not UTF-8, or their character is dead in every state; and -1 - c if the character is complete
            and of class c.

    State ``s + S * n`` has reached character state s and read bytes down to node n. So the states between characters
    are 0 to S - 1, as in ``dfa``. A state from which no accepting state can be reached is dead.

    Raises:
        ValueError: if the arrays do not fit together, or a character has more than four bytes.

    The automaton of ``é+``; é is the bytes C3 A9:

    >>> eacute = Dfa([0, 0xE9, 0xEA], [-1, 0, -1], [[1], [1]], initial=0, accepting=[False, True])
    >>> steps = np.zeros((2, 256), int)
    >>> steps[0, 0xC3], steps[1, 0xA9] = 1, -1
    >>> automaton = ByteDfa(eacute, steps)
    >>> automaton.step(0, 0xC3), automaton.step(2, 0xA9), automaton.step(0, 0xA9)
    (2, 1, -1)
    """

    dfa: Dfa
    steps: NDArray[np.int32]

    def __post_init__(self) -> None:
        steps = np.array(self.steps, dtype=np.int32)
        steps.flags.writeable = False
        object.__setattr__(self, "steps", steps)
        if steps.ndim != 2 or not len(steps) or steps.shape[1] != BYTES:
            raise ValueError(f"steps of shape {steps.shape}: it must have at least one row, each of 256 bytes")
        if steps.min() < -self.dfa.n_classes or steps.max() >= len(steps):
            raise ValueError(f"a step leads outside the nodes 0 to {len(steps) - 1} or names a class that is none")
        if self.dfa.symbols == BYTES:
            raise ValueError("the automaton reads bytes already; this one is made of an automaton over code points")
        if self._depth() > MOST_BYTES:
            raise ValueError(f"the tree is deeper than the {MOST_BYTES} bytes that a character has at most")

    def _depth(self) -> int:
        """Return the most bytes on a path down the tree, or one more than a character can have."""
        level, depth = self.steps[:1], 1
        while depth <= MOST_BYTES and (level > 0).any():
            met = np.zeros(len(self.steps), bool)
            met[level[level > 0]] = True
            level, depth = self.steps[met], depth + 1
        return depth

    def __len__(self) -> int:
        """Return the number of pairs; not all can be reached."""
        return len(self.dfa) * len(self.steps)

    @property
    def initial(self) -> int:
        """The initial state."""
        return self.dfa.initial

    def is_accepting(self, state: int) -> bool:
        """Return whether the bytes read so far are a whole text that the automaton accepts.

        >>> from labs.lab_07_bytes_and_vocabularies.solution import byte_dfa
        >>> automaton = byte_dfa(Dfa([0, 0xE9, 0xEA], [-1, 0, -1], [[0]], initial=0, accepting=[True]))  # of é*
        >>> automaton.is_accepting(0), automaton.is_accepting(automaton.step(0, 0xC3))  # no text, and half an é
        (True, False)
        """
        return 0 <= state < len(self.dfa) and bool(self.dfa.accepting[state])

    def step(self, state: int, byte: int) -> int:
        """Return the state after one byte, or -1.

        >>> a = Dfa([0, 97, 98], [-1, 0, -1], [[1], [-1]], initial=0, accepting=[False, True])
        >>> automaton = ByteDfa(a, [[-1 if byte == 97 else 0 for byte in range(256)]])
        >>> automaton.step(0, 97), automaton.step(1, 97), automaton.step(-1, 97)  # one a; a second; dead stays dead
        (1, -1, -1)
        """
        return int(self.successors(np.array([state]), self.byte_classes[byte : byte + 1])[0])

    # Bytes that every node treats alike share a class ---------------------------------------------------

    @cached_property
    def _numbered(self) -> tuple[list[int], list[int]]:
        """The class of each byte, and the first byte of each class."""
        numbers: dict[Hashable, int] = {}
        firsts: list[int] = []
        classes: list[int] = []
        for byte, column in enumerate(self._columns()):
            number = numbers.setdefault(column, len(numbers))
            if number == len(firsts):
                firsts.append(byte)
            classes.append(number)
        return classes, firsts

    def _columns(self) -> Sequence[Hashable]:
        """Return a key for each byte that is equal for bytes which every node treats alike."""
        if len(self.steps) == 1:
            steps: list[int] = self.steps[0].tolist()
            return steps
        size, columns = self.steps[:, 0].nbytes, self.steps.T.tobytes()
        return [columns[start : start + size] for start in range(0, len(columns), size)]

    @cached_property
    def byte_classes(self) -> NDArray[np.intp]:
        """``intp[256]``: the class of each byte."""
        return np.array(self._numbered[0], dtype=np.intp)

    @cached_property
    def n_byte_classes(self) -> int:
        """The number of classes of bytes."""
        return len(self._numbered[1])

    @cached_property
    def class_steps(self) -> NDArray[np.int32]:
        """``steps`` with a column for each class of bytes."""
        return self.steps[:, self._numbered[1]]

    def reading(self, dfa: Dfa) -> "ByteDfa":
        """Return the byte automaton of another character automaton with the same classes; it shares this one's tree.

        Raises:
            ValueError: if its classes are others.

        >>> a = Dfa([0, 97, 98], [-1, 0, -1], [[1], [-1]], initial=0, accepting=[False, True])
        >>> many = Dfa([0, 97, 98], [-1, 0, -1], [[0]], initial=0, accepting=[True])  # any number of a's, not only one
        >>> ByteDfa(a, [[-1 if byte == 97 else 0 for byte in range(256)]]).reading(many).step(0, 97)
        0
        """
        if dfa.class_ranges != self.dfa.class_ranges:
            raise ValueError("the tree of one automaton serves another only if both have the same classes")
        other = ByteDfa(dfa, self.steps)
        shared = ("_numbered", "byte_classes", "n_byte_classes", "class_steps", "classes_below")
        other.__dict__.update({name: self.__dict__[name] for name in shared if name in self.__dict__})
        return other

    # The step -------------------------------------------------------------------------------------------

    def successors(self, states: NDArray[np.integer], byte_classes: NDArray[np.integer]) -> NDArray[np.int32]:
        """Return the state that each of the given states reaches by one more byte.

        Args:
            states: integers ``[E]``; -1 stays -1.
            byte_classes: integers ``[E]``: the class of each state's byte.

        Returns:
            ``int32[E]``: states, or -1.

        >>> a = Dfa([0, 97, 98], [-1, 0, -1], [[1], [-1]], initial=0, accepting=[False, True])
        >>> automaton = ByteDfa(a, [[-1 if byte == 97 else 0 for byte in range(256)]])
        >>> automaton.successors(np.array([0, 1, -1]), automaton.byte_classes[[97, 97, 97]]).tolist()
        [1, -1, -1]
        """
        # Split each state into its two halves: a node of the tree and a character state.
        nodes = states // len(self.dfa)
        chars = states - nodes * len(self.dfa)
        steps = np.where(states == DEAD, 0, self.class_steps[nodes, byte_classes])
        found = np.full(len(states), DEAD, np.int32)
        # A complete character moves the character automaton.
        whole = (steps < 0).nonzero()[0]
        found[whole] = self._transitions[chars[whole], ~steps[whole]]
        # Half a character only moves down the tree, and lives only if some character below it is alive here.
        half = (steps > 0).nonzero()[0]
        if len(half):
            alive = self.classes_below[steps[half]] & (self._transitions[chars[half]] != DEAD)
            half = half[alive.any(axis=1)]
            found[half] = steps[half] * len(self.dfa) + chars[half]
        return found

    @cached_property
    def classes_below(self) -> NDArray[np.bool_]:
        """``bool[N, C]``: the classes of the characters that can still be completed from each node."""
        below = np.zeros((len(self.steps), self.dfa.n_classes), bool)
        nodes, columns = np.nonzero(self.class_steps < 0)
        below[nodes, ~self.class_steps[nodes, columns]] = True
        nodes, columns = np.nonzero(self.class_steps > 0)
        leads = np.zeros((len(self.steps), len(self.steps)), bool)
        leads[nodes, self.class_steps[nodes, columns]] = True
        # One pass for each byte of the longest character carries the classes up to the root.
        for _ in range(MOST_BYTES if len(nodes) else 0):
            below |= leads @ below
        return below

    @cached_property
    def _transitions(self) -> NDArray[np.int32]:
        return live_transitions(self.dfa)


@dataclass(frozen=True, eq=False)
class CountedSteps:
    """The steps of an automaton over bytes by a function, which may count them.

    Args:
        byte_classes: ``intp[256]``: the class of each byte.
        successors: as ``ByteDfa.successors``.

    >>> counts = []
    >>> steps = CountedSteps(np.zeros(256, np.intp), lambda states, classes: counts.append(len(states)) or states + 1)
    >>> steps.successors(np.array([3, 5]), np.array([0, 0])).tolist(), counts
    ([4, 6], [2])
    """

    byte_classes: NDArray[np.intp]
    successors: Callable[[NDArray[np.intp], NDArray[np.intp]], NDArray[np.integer]]

    @property
    def n_byte_classes(self) -> int:
        """The number of classes of bytes."""
        return int(self.byte_classes.max()) + 1

    def step(self, state: int, byte: int) -> int:
        """Return the state after one byte, or -1.

        >>> CountedSteps(np.zeros(256, np.intp), lambda states, byte_classes: states + 1).step(3, 97)
        4
        """
        return int(self.successors(np.array([state]), self.byte_classes[byte : byte + 1])[0])


def live_transitions(dfa: Dfa) -> NDArray[np.int32]:
    """Return the transitions of an automaton without those into states that lead to no accepting state.

    >>> live_transitions(Dfa([0], [0], [[1], [-1]], 0, accepting=[True, False])).tolist()  # state 1 is a dead end
    [[-1], [-1]]
    """
    table, alive = dfa.transitions, _reaches_accepting(dfa)
    return table if alive.all() else np.where((table != DEAD) & alive[table], table, DEAD)


def _reaches_accepting(dfa: Dfa) -> NDArray[np.bool_]:
    """Return, as ``bool[S]``, whether an accepting state can be reached from each state."""
    # Search backwards from the accepting states.
    before: list[list[int]] = [[] for _ in range(len(dfa))]
    sources, columns = np.nonzero(dfa.transitions != DEAD)
    for source, target in zip(sources.tolist(), dfa.transitions[sources, columns].tolist(), strict=True):
        before[target].append(source)
    alive = dfa.accepting.copy()
    waiting = np.flatnonzero(alive).tolist()
    while waiting:
        for source in before[waiting.pop()]:
            if not alive[source]:
                alive[source] = True
                waiting.append(source)
    return alive
