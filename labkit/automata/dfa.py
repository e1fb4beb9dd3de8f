"""Automata over classes of symbols, as plain data: an ``Nfa`` that grows state by state, and a ``Dfa`` in arrays.

The symbols of a ``Dfa`` are numbers: code points in lab 06, bytes in lab 07. Symbols that every state treats alike
share a *class*, so that a row of the table has a few entries instead of 1,114,112.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from labkit.automata.syntax import LAST_CODE_POINT, Grafted, Ranges
from labkit.automata.work import spend
from labkit.errors import LimitExceeded

CODE_POINTS = LAST_CODE_POINT + 1
BYTES = 256

MAX_NFA_STATES = 200_000
MAX_DFA_STATES = 70_000
MAX_TRANSITIONS = 8_000_000
MAX_SUBSET_MEMBERS = 3_000_000
"""Limits: states of an ``Nfa``, states of a ``Dfa``, entries of a ``Dfa``'s table, and members of all the subsets that
a subset construction keeps. The last one stops a state explosion before its subsets fill the memory."""

DEAD = -1
"""The table entry for a missing transition. Always compare with it: as an index, -1 would mean the last state."""


@dataclass
class Nfa:
    """A nondeterministic automaton with epsilon transitions, which read no character, and one accepting state.

    ``moves[state]`` is a list of pairs ``(ranges, target)``: a code point in the ranges leads to ``target``.
    ``epsilon[state]`` is a list of targets.

    >>> nfa = Nfa()
    >>> end = nfa.add_state()
    >>> nfa.moves[nfa.initial].append((((48, 57),), end))  # a digit
    >>> nfa.accepting = end
    >>> nfa.initial, nfa.accepting, len(nfa)
    (0, 1, 2)
    """

    moves: list[list[tuple[Ranges, int]]] = field(default_factory=lambda: [[]])
    epsilon: list[list[int]] = field(default_factory=lambda: [[]])
    initial: int = 0
    accepting: int = 0

    def __post_init__(self) -> None:
        if not self.moves or len(self.moves) != len(self.epsilon):
            raise ValueError(f"{len(self.moves)} states with moves, and {len(self.epsilon)} with epsilon transitions")
        targets = {target for row in self.moves for _, target in row} | {t for row in self.epsilon for t in row}
        if outside := [s for s in (*targets, self.initial, self.accepting) if not 0 <= s < len(self)]:
            raise ValueError(f"state {outside[0]} is named, but the states are 0 to {len(self) - 1}")

    def __len__(self) -> int:
        """Return the number of states."""
        return len(self.moves)

    def add_state(self) -> int:
        """Add a state without transitions and return its number.

        Raises:
            LimitExceeded: beyond ``MAX_NFA_STATES``, which an automaton of many parts may reach.

        >>> Nfa().add_state()
        1
        """
        if len(self.moves) >= MAX_NFA_STATES:
            raise LimitExceeded("the pattern needs too many NFA states", MAX_NFA_STATES)
        spend(3)
        self.moves.append([])
        self.epsilon.append([])
        return len(self.moves) - 1


class Dfa(Grafted):
    """An immutable deterministic automaton over classes of symbols.

    Args:
        bounds: ``int32[I]``, ascending from 0: interval i holds the symbols from ``bounds[i]`` up to, but not
            including, ``bounds[i + 1]``; the last interval ends with the alphabet.
        classes: ``int32[I]``: the class of each interval, or -1 where the symbols are dead in every state.
        transitions: ``int32[S, C]``: the next state of each state by class, or -1 (``DEAD``).
        initial: the initial state.
        accepting: ``bool[S]``: which states accept.
        symbols: the size of the alphabet: 1,114,112 code points, or 256 bytes.

    Raises:
        ValueError: if the arrays do not fit together; the message says which.

    The automaton of ``[0-9]+``; state 1 has read a digit:

    >>> dfa = Dfa(bounds=[0, 48, 58], classes=[-1, 0, -1], transitions=[[1], [1]], initial=0, accepting=[False, True])
    >>> len(dfa), dfa.n_classes, dfa.class_of(ord("7")), dfa.class_of(ord("x"))
    (2, 1, 0, -1)
    >>> dfa.step(0, ord("7")), dfa.step(1, ord("x"))
    (1, -1)
    """

    def __init__(
        self,
        bounds: ArrayLike,
        classes: ArrayLike,
        transitions: ArrayLike,
        initial: int,
        accepting: ArrayLike,
        symbols: int = CODE_POINTS,
    ) -> None:
        self.bounds = _frozen(bounds, np.int32)
        self.classes = _frozen(classes, np.int32)
        self.transitions = _frozen(transitions, np.int32)
        self.initial = int(initial)
        self.accepting = _frozen(accepting, np.bool_)
        self.symbols = symbols
        if problem := self._problem():
            raise ValueError(problem)

    def _problem(self) -> str | None:
        """Return what is wrong with the arrays, or None."""
        table = self.transitions
        if table.ndim != 2 or not len(table) or self.accepting.shape != (len(table),):
            return f"transitions of shape {table.shape} and accepting of shape {self.accepting.shape} do not fit"
        if not 0 <= self.initial < len(table):
            return f"the automaton starts in state {self.initial}, but the states are 0 to {len(table) - 1}"
        if table.size and not (table.min() >= DEAD and table.max() < len(table)):
            return f"a transition leads outside the states 0 to {len(table) - 1}"
        if self.bounds.ndim != 1 or self.bounds.shape != self.classes.shape:
            return f"bounds of shape {self.bounds.shape} and classes of shape {self.classes.shape} do not fit"
        if (
            not len(self.bounds)
            or self.bounds[0] != 0
            or self.bounds[-1] >= self.symbols
            or (np.diff(self.bounds) <= 0).any()
        ):
            return f"the bounds must ascend from 0 and stay below {self.symbols}"
        if self.classes.min() < -1 or self.classes.max() >= table.shape[1]:
            return f"an interval names a class outside -1 to {table.shape[1] - 1}"
        return None

    def __repr__(self) -> str:
        """Return a summary; for a small automaton each state and its transitions, accepting states in brackets.

        >>> Dfa([0, 48, 58, 101, 102], [-1, 0, -1, 1, -1], [[1, DEAD], [1, 0]], 0, [False, True])
        <Dfa, 2 states, start 0; 0: [0-9] to 1; [1]: [0-9] to 1, [e] to 0>
        """
        states = f"{len(self):,} state{'s' if len(self) > 1 else ''}"
        rows = "".join(map(self._row, range(len(self)))) if len(self) <= _FEW else ""
        return f"<Dfa, {states}, start {self.initial}{rows}>"

    def _row(self, state: int) -> str:
        """Return one state and its transitions."""
        classes = np.flatnonzero(self.transitions[state] != DEAD).tolist()
        transitions = []
        for c in classes[:_FEW]:
            ranges = self.class_ranges[c]
            ends = ((ascii(chr(first))[1:-1], ascii(chr(last))[1:-1]) for first, last in ranges[:_FEW_RANGES])
            text = "".join(first if first == last else f"{first}-{last}" for first, last in ends)
            dots = "..." if len(ranges) > _FEW_RANGES else ""
            transitions.append(f"[{text}{dots}] to {self.transitions[state, c]}")
        more = [f"{len(classes) - _FEW} more"] if len(classes) > _FEW else []
        name = f"[{state}]" if self.accepting[state] else str(state)
        return f"; {name}: {', '.join([*transitions, *more]) or 'no transition'}"

    def __len__(self) -> int:
        """Return the number of states: S."""
        return len(self.transitions)

    @property
    def n_classes(self) -> int:
        """The number of classes: C."""
        return int(self.transitions.shape[1])

    def class_of(self, symbol: int) -> int:
        """Return the class of a symbol, or -1 where it is dead in every state.

        >>> [Dfa([0, 48, 58], [-1, 0, -1], [[0]], 0, accepting=[True]).class_of(ord(char)) for char in "17x"]  # [0-9]*
        [0, 0, -1]
        """
        return int(self.classes[bisect_right(self.bounds, symbol) - 1])  # np.searchsorted is slow for one number

    def step(self, state: int, symbol: int) -> int:
        """Return the state after one symbol, or -1.

        >>> [Dfa([0, 48, 58], [-1, 0, -1], [[0]], 0, accepting=[True]).step(0, ord(char)) for char in "7x"]  # [0-9]*
        [0, -1]
        """
        symbol_class = self.class_of(symbol)
        return DEAD if symbol_class < 0 else int(self.transitions[state, symbol_class])

    def accepts(self, state: int) -> bool:
        """Return whether a text may end in a state.

        >>> [Dfa([0, 48, 58], [-1, 0, -1], [[1], [1]], 0, [False, True]).accepts(state) for state in (0, 1)]  # [0-9]+
        [False, True]
        """
        return bool(self.accepting[state])

    @cached_property
    def class_ranges(self) -> tuple[Ranges, ...]:
        """The canonical ranges of each class.

        >>> Dfa(bounds=[0, 48, 58], classes=[-1, 0, -1], transitions=[[0]], initial=0, accepting=[True]).class_ranges
        (((48, 57),),)
        """
        ends = [*(self.bounds[1:] - 1).tolist(), self.symbols - 1]
        found: list[list[tuple[int, int]]] = [[] for _ in range(self.n_classes)]
        for first, last, symbol_class in zip(self.bounds.tolist(), ends, self.classes.tolist(), strict=True):
            if symbol_class < 0:
                continue
            ranges = found[symbol_class]
            if ranges and ranges[-1][1] == first - 1:
                first = ranges.pop()[0]
            ranges.append((first, last))
        return tuple(tuple(ranges) for ranges in found)


_FEW, _FEW_RANGES = 6, 3
"""The most states, and the most transitions of each, that a ``repr`` shows; and the most ranges of a class."""


def _frozen(values: ArrayLike, dtype: DTypeLike) -> NDArray[Any]:
    """Return a read-only copy."""
    array = np.array(values, dtype=dtype)
    array.flags.writeable = False
    return array
