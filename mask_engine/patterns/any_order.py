"""Parts in any order: an automaton over them whose states are made when a text comes to them.

Which of n parts have been written is one of 2 ** n sets, but a text of k parts only meets k of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import NamedTuple

from labkit.automata.work import spend
from labs.lab_06_regex_to_dfa.given.subsets import bits_of


class Written(NamedTuple):
    """What has been written: which parts, as bits, how many, and whether another one must come next.

    Parts are counted up to the number from which on it makes no difference.
    """

    bits: int
    n: int
    due: bool


@dataclass(frozen=True, eq=False)
class AnyOrder:
    """One part or more in any order, and a separator between them.

    The classes are the parts, and last the separator.

    Attributes:
        parts: for each part the bits that it sets, and those of them that must not be set yet. A part with one of
            those is written once, others may be repeated.
        needed: the bits that must be set in the end.
        least, most: how many parts there must and may be.

    >>> order = AnyOrder(parts=((1, 1), (2, 2)), needed=2, least=1, most=None)  # a name, and an email that's required
    >>> (after,) = [state for part, state in order.steps(order.initial) if part == 0]
    >>> order.accepts(after), [part for part, _ in order.steps(after)]  # after the name: not yet, first a comma
    (False, [2])
    """

    parts: Sequence[tuple[int, int]]
    needed: int
    least: int
    most: int | None
    initial = Written(0, 0, True)

    @property
    def n_classes(self) -> int:
        """How many classes there are."""
        return len(self.parts) + 1

    def accepts(self, state: Written) -> bool:
        """Return whether nothing more must come."""
        return not (state.due or self.needed & ~state.bits or state.n < self.least)

    def steps(self, state: Written) -> list[tuple[int, Written]]:
        """Return the classes that may come next, each with the state after it; all of them can reach the end."""
        if not state.due:
            due = state._replace(due=True)
            return [(len(self.parts), due)] if self.can_end(due) else []
        spend(self.n_classes >> 1)
        count = min(state.n + 1, self.least if self.most is None else self.most)
        found = [
            (part, Written(state.bits | bits, count, False))
            for part, (bits, once) in enumerate(self.parts)
            if not once & state.bits
        ]
        if self._loose:
            return found
        return [each for each in found if state.n != self.most and self.can_end(each[1])]

    def can_end(self, state: Written) -> bool:
        """Return whether some parts lead from a state to an accepting one."""
        return self._in_parts(state) < inf

    @cached_property
    def _in_parts(self) -> "Prices":
        return Prices(self, [1] * self.n_classes)

    @cached_property
    def _loose(self) -> bool:
        """Whether no part can be in the way of another one."""
        return self.most is None and all(once in (0, bits) for bits, once in self.parts)

    @cached_property
    def setters(self) -> dict[int, list[int]]:
        """For each bit that must be set, the parts that set it."""
        found: dict[int, list[int]] = {1 << bit: [] for bit in bits_of(self.needed)}
        for part, (bits, _) in enumerate(self.parts):
            for bit in bits_of(bits & self.needed):
                found[1 << bit].append(part)
        return found


class Prices:
    """The cheapest way from each state to an accepting one, where each class has its cost.

    The order of the parts makes no difference, so a bit that only one part sets, and alone, adds that part's cost. For
    the few other bits we try the sets of parts that set them. Then the cheapest parts follow until there are enough.

    Args:
        order: the automaton.
        costs: of each class.

    >>> order = AnyOrder(parts=((1, 1), (2, 2), (4, 4)), needed=2, least=2, most=None)
    >>> Prices(order, [10, 20, 30, 1])(order.initial)  # the second, a comma, and the first, since there must be two
    31.0
    """

    def __init__(self, order: AnyOrder, costs: Sequence[float]) -> None:
        *self._costs, self._comma = costs
        self._order, self._known = order, {0: {0: 0.0}}
        self._alone = {
            bit: self._costs[setters[0]]
            for bit, setters in order.setters.items()
            if len(setters) == 1 and order.parts[setters[0]][0] == bit
        }
        self._apart = sum(self._alone)
        priced = list(zip(self._costs, order.parts, strict=True))
        self._optional = sorted((cost, once) for cost, (_, once) in priced if once and not once & order.needed)
        self._again = min((cost for cost, (_, once) in priced if not once), default=inf)

    def __call__(self, state: Written) -> float:
        """Return the cost from a state; ``inf`` if there is no way."""
        missing = self._order.needed & ~state.bits
        alone = bits_of(missing & self._apart)
        spend(len(alone) >> 2)
        cost = sum(self._alone[1 << bit] for bit in alone)
        ways = self._setting(missing & ~self._apart)
        return min((self._filled(state, len(alone) + n, cost + more) for n, more in ways.items()), default=inf)

    def most(self) -> float:
        """Return a cost that is enough in every state."""
        known = [cost for cost in self._costs if cost < inf]
        shared = len(self._order.setters) - len(self._alone)
        others = shared + max(self._order.least - len(self._alone), 0)
        worst = max(known, default=0)
        return max(sum(self._alone.values()) + others * worst, worst) + (len(self._alone) + others) * self._comma

    def _setting(self, missing: int) -> dict[int, float]:
        """Return for numbers of parts what so many cost that set some bits together."""
        if missing not in self._known:
            found = dict[int, float]()
            for part in self._order.setters[missing & -missing]:
                bits, once = self._order.parts[part]
                if not once & ~missing:
                    for n, cost in self._setting(missing & ~bits).items():
                        found[n + 1] = min(found.get(n + 1, inf), cost + self._costs[part])
            spend(len(found))
            self._known[missing] = found  # not earlier: there may be too little work left
        return self._known[missing]

    def _filled(self, state: Written, n: int, cost: float) -> float:
        """Return the cost of so many parts that must come, and of the cheapest others, until there are enough."""
        order = self._order
        lacking = max(order.least - state.n - n, state.due - n, 0)
        n += lacking
        if order.most is not None and state.n + n > order.most:
            return inf
        for price, once in self._optional if lacking else ():
            if not lacking or price >= self._again:
                break
            if not once & state.bits:
                cost, lacking = cost + price, lacking - 1
        return cost + (lacking * self._again if lacking else 0) + (n - state.due) * self._comma
