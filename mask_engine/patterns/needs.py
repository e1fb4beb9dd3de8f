"""The parts of a tree that an automaton is made of on demand, and how many bytes each of them needs."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import DEAD
from labkit.automata.syntax import Alternation, Chars, Concat, Ranges, Repeat
from labkit.automata.work import spend
from labs.lab_06_regex_to_dfa.given.lengths import fewest_bytes, fewest_within
from mask_engine.patterns.any_order import AnyOrder, Prices

NO_LIMIT = -1
"""So many characters may still be spelled if any number may."""

ENOUGH = 10**290
"""So many bytes are as good as more: no budget holds them, and times any count they still fit into a float."""


class InLeaf(NamedTuple):
    """An automaton in a state, from which so many characters may still be spelled."""

    leaf: int
    state: Any
    left: int

    @property
    def flags(self) -> int:
        """Nothing that's noted of a node of syntax."""
        return 0


class Again(NamedTuple):
    """A call of rule ``number``, or if that's negative, the end of rule ``~number``, where whoever called goes on."""

    number: int

    @property
    def flags(self) -> int:
        """Nothing that's noted of a node of syntax."""
        return 0


@dataclass(frozen=True)
class Waiting:
    """A part that's built when a text first reaches it."""

    number: int
    flags = 0


@dataclass(frozen=True, eq=False)
class Union:
    """Any of some parts, which are read together as far as they begin alike."""

    options: "tuple[Part, ...]"
    flags = 0


Part = Any
"""A node, a place, a call or a union; the first three may be in a node wherever a node may."""


class Leaf(NamedTuple):
    """An automaton or an order, the part that spells each class, and the characters that each of its states needs."""

    dfa: Any
    spelling: Sequence[Part | None]
    left: Sequence[float]


def capped(n_bytes: float) -> float:
    """Return a number of bytes, or ``ENOUGH`` if it's more than that; infinity stays as it is.

    >>> capped(7), capped(10**300) == ENOUGH, capped(inf)
    (7, True, inf)
    """
    return min(n_bytes, ENOUGH) if n_bytes < inf else n_bytes


def times(n_bytes: float, rounds: int) -> float:
    """Return what so many rounds need. No rounds need nothing, even of something endless.

    >>> times(2, 3), times(inf, 0), times(1.0, 10**400) == ENOUGH
    (6, 0, True)
    """
    return capped(n_bytes if n_bytes == inf else int(n_bytes) * rounds) if rounds > 0 else 0


class Needs:
    """The bytes that the parts of a tree need.

    Args:
        parts: each after those that it is made of.
        lengths: returns how many bytes the characters of a set have, at least and at most.
        leaves: the automata, by ``InLeaf.leaf``.
        bodies: the rules within themselves, by ``Again.number``.
        later: what ``Waiting`` parts are, by ``Waiting.number``; all of it is built.

    Attributes:
        known: for each part the bytes that it needs, and the most that may be left to its end at a place within it.

    A rule within itself may be nested without end, so the most is infinite. What it needs is known when its body is, so
    the parts are gone through until nothing changes.

    >>> e = Chars(((0xE9, 0xE9),))  # é, which has two bytes
    >>> Needs([e, Repeat(e, 3, None)], lambda chars: (2, 2), [], []).fewest(Repeat(e, 3, None))
    6
    """

    def __init__(
        self,
        parts: Iterable[Part],
        lengths: Callable[[Ranges], tuple[float, float]],
        leaves: Sequence[Leaf],
        bodies: Sequence[Part],
        later: Sequence[Part] = (),
    ) -> None:
        self._parts, self._leaves, self._lengths, self._later = list(parts), leaves, lengths, later
        self._away: dict[int, Callable[[Any], float]] = {}
        self._within: dict[int, NDArray[np.float64]] = {}
        self.known: dict[Part, tuple[float, float]] = {Again(~number): (0.0, 0.0) for number in range(len(bodies))}
        rules = [inf] * len(bodies)
        self._go_through(rules)
        while (found := [self.known[body][0] for body in bodies]) != rules:
            rules = found
            self._go_through(rules)

    def fewest(self, part: Part) -> float:
        """Return the bytes that a part needs; also a repetition or an automaton of which some has been read."""
        if (known := self.known.get(part)) is not None:  # first, or what two parts share would be added up twice over
            return known[0]
        if type(part) is Repeat:
            return times(self.known[part.body][0], part.least)
        if type(part) is InLeaf:
            if part.left == NO_LIMIT:
                return self._away[part.leaf](part.state)
            within = self._within[part.leaf]
            return float(within[min(part.left, len(within) - 1), part.state])
        if type(part) is Union:
            return min(map(self.fewest, part.options))
        spend(len(part.parts) >> 3)
        return sum(map(self.fewest, part.parts))  # the rest of a concatenation

    def _go_through(self, rules: Sequence[float]) -> None:
        """Note what each part needs where the rules within themselves need so much."""
        known = self.known
        for part in self._parts:
            match part:
                case Chars(ranges):
                    fewest, longest = self._lengths(ranges)
                    most = max(fewest, longest - 1)  # within a character one byte has been read
                case Concat(below):
                    after = [*accumulate((known[each][0] for each in below[::-1]), initial=0)][::-1]
                    fewest = after[0]
                    most = max((known[each][1] + rest for each, rest in zip(below, after[1:], strict=True)), default=0)
                case Alternation(below):
                    fewest, most = (choose(known[each][n] for each in below) for n, choose in enumerate((min, max)))
                case Repeat(body, least, _):
                    one, most = known[body]
                    fewest = times(one, least)
                    most += times(one, least - 1)
                case Again(number):
                    fewest, most = rules[number], inf
                case Waiting(number):
                    fewest, most = known[self._later[number]]
                case InLeaf():
                    fewest, most = self._of_automaton(part)
            known[part] = capped(fewest), capped(most)

    def _of_automaton(self, place: InLeaf) -> tuple[float, float]:
        dfa, spelling, _ = self._leaves[place.leaf]
        spelled = [(inf, 0) if each is None else self.known[each] for each in spelling]
        if isinstance(dfa, AnyOrder):
            prices = self._away[place.leaf] = Prices(dfa, [each for each, _ in spelled])
            return prices(dfa.initial), prices.most() + max(each for _, each in spelled)
        away = fewest_bytes(dfa, [each for each, _ in spelled])
        self._away[place.leaf] = away.tolist().__getitem__
        if place.left == NO_LIMIT:
            ends = np.where(dfa.transitions == DEAD, -inf, away[dfa.transitions] + [most for _, most in spelled])
            return away[dfa.initial], ends.max(initial=away[dfa.initial])
        within = self._within[place.leaf] = fewest_within(dfa, [each for each, _ in spelled], place.left)
        most = within.max(where=np.isfinite(within), initial=0) + max(each for _, each in spelled)
        return within[-1, dfa.initial], most
