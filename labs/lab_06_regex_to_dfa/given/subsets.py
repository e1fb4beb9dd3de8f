"""The subset construction, a state at a time: what your ``nfa_to_dfa`` gets as ``states``.

``Subsets`` numbers the sets as they turn up, with your ``epsilon_closure`` and ``step_subset``.
"""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import Any

from labkit.automata.dfa import DEAD, MAX_SUBSET_MEMBERS, Nfa
from labkit.automata.syntax import LAST_CODE_POINT, Ranges
from labkit.automata.work import spend
from labkit.errors import LimitExceeded

Subset = frozenset[int]
"""States of an ``Nfa``."""

Close = Callable[[Any, int], Collection[int]]
Step = Callable[[Collection[int], Mapping[int, Any]], list[tuple[int, Subset]]]
"""Functions as ``epsilon_closure`` and ``step_subset`` of ``solution.py``."""

ENOUGH = MAX_SUBSET_MEMBERS // 2
"""Having kept sets of so many members, an automaton is full: whoever asks it again and again should begin a new one."""

MANY_RANGES = 50
"""We keep alphabets of more ranges than this. They come from Unicode's classes, which many patterns share."""


def bits_of(bits: int) -> list[int]:
    """Return the numbers of the bits of an int, ascending.

    >>> bits_of(0b1010)
    [1, 3]
    """
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found


def split_alphabet(sets: Sequence[Ranges]) -> tuple[list[int], list[int]]:
    """Cut the code points into intervals wherever a set begins or ends, and return which sets contain each.

    No set tells two code points of an interval apart, so an automaton needs at most one column for each interval, and
    not 1,114,112 of them. The sets ``[a-z]`` and ``[e]`` make five intervals: what comes before ``a``, then ``a`` to
    ``d``, then ``e``, then ``f`` to ``z``, and all the rest.

    Args:
        sets: canonical ranges, one for each set.

    Returns:
        Two lists, each with an entry for each interval. ``bounds`` has its first code point; these ascend, from 0 on.
        ``members`` has an int whose bit n says whether set n contains the interval. Neighbouring intervals have
        different members. All are plain ints; NumPy's would end at 64 sets.

    >>> bounds, members = split_alphabet([((97, 122),), ((101, 101),)])
    >>> bounds, [f"{held:b}" for held in members]
    ([0, 97, 101, 102, 123], ['0', '1', '11', '1', '0'])
    """
    # Note which sets begin or end at each place. A canonical set never does both at once.
    changes: dict[int, int] = defaultdict(int)
    for number, ranges in enumerate(sets):
        bit = 1 << number
        for first, last in ranges:
            changes[first] ^= bit
            changes[last + 1] ^= bit  # subtle: a set ends one after its last code point
    inside = changes.pop(0, 0)
    bounds, members = [0], [inside]
    for bound in sorted(changes.keys() - {LAST_CODE_POINT + 1}):
        inside ^= changes[bound]  # a set that was inside leaves, one that was outside enters
        bounds.append(bound)
        members.append(inside)
    return bounds, members


def alphabet(sets: Sequence[Ranges]) -> tuple[list[int], list[int], list[int]]:
    """Return the classes into which some sets cut the characters, and which classes each set has.

    Intervals that are in the same sets become one class. Those that are in no set get class -1, which is dead.

    Returns:
        ``bounds``, ``classes``, and for each set an int whose bit c says whether class c is in the set.

    >>> alphabet([((97, 122),), ((101, 101),)])
    ([0, 97, 101, 102, 123], [-1, 0, 1, 0, -1], [3, 2])
    """
    return (_alphabet if sum(map(len, sets)) < MANY_RANGES else _kept_alphabet)(tuple(sets))


def _alphabet(sets: tuple[Ranges, ...]) -> tuple[list[int], list[int], list[int]]:
    bounds, members = split_alphabet(sets)
    numbers = {0: DEAD}
    classes = [numbers.setdefault(held, len(numbers) - 1) for held in members]
    bits = [0] * len(sets)
    for held, number in numbers.items():
        for each in bits_of(held):
            bits[each] |= 1 << number
    return bounds, classes, bits


_kept_alphabet = lru_cache(maxsize=32)(_alphabet)


class States(ABC):
    """A deterministic automaton that numbers its states as they turn up. State 0 is the initial one.

    Attributes:
        bounds, classes: the classes of characters, as a ``Dfa`` has them.
        n_classes: how many there are.
    """

    bounds: list[int]
    classes: list[int]
    n_classes: int
    initial = 0

    @abstractmethod
    def __len__(self) -> int:
        """Return how many states have turned up so far."""

    @abstractmethod
    def accepts(self, state: int) -> bool:
        """Return whether a text may end in a state that has turned up."""

    @abstractmethod
    def targets(self, state: int) -> dict[int, int]:
        """Return the states that come after a state, each with the classes that lead there, as bits."""

    def row(self, state: int) -> list[int]:
        """Return the state after each class of characters, or ``DEAD``."""
        spend(self.n_classes >> 2)
        row = [DEAD] * self.n_classes
        for target, bits in self.targets(state).items():
            for symbol_class in bits_of(bits):
                row[symbol_class] = target
        return row

    def step(self, state: int, symbol: int) -> int:
        """Return the state after one symbol, or ``DEAD``."""
        symbol_class = self.classes[bisect_right(self.bounds, symbol) - 1]
        if symbol_class != DEAD:
            for target, bits in self.targets(state).items():
                if bits >> symbol_class & 1:
                    return target
        return DEAD


class Subsets(States):
    """The deterministic automaton of an ``Nfa``. Each state is a set of states, without their epsilon closures.

    Args:
        nfa: with ``moves``, ``epsilon`` and ``accepting``.
        initial: the set to begin in.
        sets: the sets of characters that its moves read, in canonical ranges.
        close, step: your ``epsilon_closure`` and ``step_subset``.

    Attributes:
        bounds, classes: the classes of characters, as a ``Dfa`` has them.
        n_classes: how many there are.
        subsets: for each state, its set.

    Raises:
        LimitExceeded: if there are too many sets; ``row`` raises it as well.

    >>> from labs.lab_06_regex_to_dfa.solution import epsilon_closure, step_subset
    >>> late = Nfa([[(((97, 98),), 0), (((97, 97),), 1)], []], [[], []], accepting=1)
    >>> states = subsets_of(late, epsilon_closure, step_subset)
    >>> states.row(0), states.accepts(1), len(states)
    ([1, 0], True, 2)
    """

    def __init__(self, nfa: Any, initial: Subset, sets: Mapping[Any, Ranges], close: Close, step: Step) -> None:
        self.bounds, self.classes, bits = alphabet(list(sets.values()))
        self.n_classes = max(self.classes) + 1
        self._bits, self._close, self._step = _Bits(zip(sets, bits, strict=True)), close, step
        self._begin(nfa, initial)

    def _begin(self, nfa: Any, initial: Subset) -> None:
        """Begin with the initial set alone."""
        self.nfa = nfa
        self._moves = _Moves(nfa, self._bits, self._close)
        self.subsets: list[Subset] = []
        self._targets: list[dict[int, int] | None] = []
        self._numbers: dict[Subset, int] = {}
        self.number(initial)

    def __len__(self) -> int:
        """Return how many states have turned up so far."""
        return len(self.subsets)

    def accepts(self, state: int) -> bool:
        """Return whether a text may end in a state that has turned up."""
        moves, ending = self._moves, self._moves.ending
        return any(moves[member] is not None and member in ending for member in self.subsets[state])

    def targets(self, state: int) -> dict[int, int]:
        """Return the states that come after a state, each with the classes that lead there, as bits."""
        found = self._targets[state]
        if found is None:
            subset, moves = self.subsets[state], self._moves
            spend(4 + 2 * sum(map(len, map(moves.__getitem__, subset))))
            found = {}
            for bits, targets in self._step(subset, moves):
                number = self.number(targets)
                found[number] = found.get(number, 0) | bits
            self._targets[state] = found  # not earlier: a limit may stop us halfway
        return found

    def number(self, subset: Subset) -> int:
        """Return the number of a set. A new one gets the next number."""
        number = self._numbers.get(subset)
        if number is None:
            self._moves.count(len(subset) + 1)
            number = self._numbers[subset] = len(self.subsets)
            self.subsets.append(subset)
            self._targets.append(None)
        return number


def subsets_of(nfa: Nfa, close: Close, step: Step) -> Subsets:
    """Return the ``Subsets`` of an automaton that is plain data.

    >>> from labs.lab_06_regex_to_dfa.solution import epsilon_closure, step_subset
    >>> subsets_of(Nfa(), epsilon_closure, step_subset).accepts(0)
    True
    """
    sets = {ranges: ranges for moves in nfa.moves for ranges, _ in moves}
    return Subsets(nfa, frozenset([nfa.initial]), sets, close, step)


class _Bits(dict[Any, int]):
    """The classes of each set of characters, as bits. A ``frozenset`` of sets has the classes of all of them.

    Attributes:
        find: returns those of a set that's asked for later.
    """

    find: Callable[[Ranges], int] | None = None

    def __missing__(self, sets: Any) -> int:
        if isinstance(sets, frozenset):
            found = self[sets] = reduce(or_, map(self.__getitem__, sets))
        elif self.find is not None:
            found = self[sets] = self.find(sets)
        else:
            raise KeyError(sets)
        return found


class _Moves(dict[int, list[tuple[int, int]]]):
    """The moves of each state's closure, as pairs of classes (bits) and a target. Made when they're first needed."""

    def __init__(self, nfa: Any, bits: Mapping[Any, int], close: Close) -> None:
        super().__init__()
        self._nfa, self._bits, self._close = nfa, bits, close
        self.ending: set[int] = set()
        self.n_members: float = 0

    def __missing__(self, state: int) -> list[tuple[int, int]]:
        nfa, bits = self._nfa, self._bits
        closure = self._close(nfa, state)
        spend(len(closure))
        self.count(len(closure))
        if nfa.accepting in closure:
            self.ending.add(state)
        moves = nfa.moves
        found = [(bits[label], target) for member in closure for label, target in moves[member] if bits[label]]
        if len(found) > 1:
            found = list(dict.fromkeys(found))
        self[state] = found
        return found

    def count(self, members: int) -> None:
        """Count the members of a set that is kept."""
        self.n_members += members
        if self.n_members > MAX_SUBSET_MEMBERS:
            raise LimitExceeded("the sets of NFA states that were met hold too much", MAX_SUBSET_MEMBERS)
