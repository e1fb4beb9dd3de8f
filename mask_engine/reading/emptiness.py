"""Proofs that no value satisfies a case, and ``oneOf`` by them."""

from collections.abc import Callable
from functools import partial
from typing import Any

from labkit.automata.work import spend
from mask_engine.reading.arrays import Array
from mask_engine.reading.cases import KINDS, Case, Cases, distinct, plainly_empty
from mask_engine.reading.key_sets import holds
from mask_engine.reading.objects import Object, absorbed
from mask_engine.reading.places import Child, contradicts, key_of, plain
from mask_engine.reading.presence import after
from mask_engine.reading.scalars import Text
from mask_engine.reading.texts import no_text

MAX_LOOK = 4
"""How deep into members and items a proof looks."""


class Emptiness:
    """Finds proofs that no value satisfies a case. Without a proof a case may still be empty.

    Args:
        cases_of: gives the cases of a child.
    """

    def __init__(self, cases_of: Callable[[Child], Cases]) -> None:
        self._cases_of, self._holds = cases_of, partial(holds, cases_of=cases_of)
        self._known: dict[tuple[frozenset[str], int], bool] = {}

    def never(self, case: Case, look: int = MAX_LOOK) -> bool:
        """Return whether it is certain that no value satisfies a case."""
        spend(20)
        if plainly_empty(case):
            return True
        if isinstance(case, Text):
            return no_text(case)
        if isinstance(case, Array):
            return self._never_array(case, look)
        return isinstance(case, Object) and self._never_object(case, look)

    def never_child(self, child: Child, look: int = MAX_LOOK) -> bool:
        """Return whether it is certain that no value satisfies all schemas of ``child``."""
        if contradicts(child):
            return True
        if look <= 0 or not plain(child):
            return False
        key = key_of(child), look
        if key not in self._known:
            self._known[key] = False  # what meets itself again meanwhile proves nothing
            cases = self._cases_of(child)
            self._known[key] = all(self.never(case, look - 1) for kind in KINDS for case in cases[kind])
        return self._known[key]

    def _never_array(self, case: Array, look: int) -> bool:
        shared = min(case.least, max((one.start + 1 for one in case.every), default=0))
        if any(self.never_child(case.item(index), look) for index in range(shared)):
            return True
        wanted = [one for one in case.some if one.least]
        if any(one.most is not None and one.most < one.least for one in wanted):
            return True
        if case.most is not None and any(one.start + one.least > case.most for one in wanted):
            return True
        everywhere = [one for one in case.every if one.start == 0]
        for one in wanted:
            asked = [place for also in everywhere if also.stop >= one.stop for place in also.child]
            if self.never_child((*one.child, *asked), look):
                return True
        return False

    def _never_object(self, case: Object, look: int) -> bool:
        for one in case.some:
            asked: Child
            if (name := one.keys.name()) is not None:
                asked = case.asked_of(name, self._holds)
            else:
                asked = (*one.child, *(p for also in case.every if also.keys == one.keys for p in also.child))
            if self.never_child(asked, look):
                return True
        there = set(case.required())
        left = case.clauses
        for key in there:
            left = after(left, key, True)
        for one in case.every:
            if (name := one.keys.name()) is not None and contradicts(one.child):
                left = after(left, name, False)
        return frozenset() in left or (case.most is not None and len(there) > case.most)

    def _apart(self, one: Any, other: Any) -> bool:
        """Return whether a member that one of two objects needs shows that no object is both; it is a quick look."""
        if not (isinstance(one, Object) and isinstance(other, Object)):
            return False
        needed = dict.fromkeys(key for key in (*one.required(), *other.required()) if key in one.asked)
        both = [
            plain((*one.asked_of(key, self._holds), *other.asked_of(key, self._holds)))
            for key in needed
            if key in other.asked
        ]
        # Most often it is a constant that says of which kind an object is: short, and no object itself.
        return any(self.never_child(child, 1) for child in sorted(both, key=lambda child: sum(map(len, child.key))))

    def exactly_one(self, branches: list[Cases]) -> Cases:
        """Return the cases of the values that satisfy exactly one branch.

        A case is kept as it is beside a case of another branch with which it certainly has no value in common;
        otherwise the other one's negation is joined to it.
        """
        found: Cases = {}
        for kind in KINDS:
            kept: list[Any] = []
            for index, branch in enumerate(branches):
                others = [case for other in (*branches[:index], *branches[index + 1 :]) for case in other[kind]]
                for case in branch[kind]:
                    kept += self._without(case, others)
            found[kind] = distinct(kept)
        return found

    def _without(self, case: Case, others: list[Any]) -> list[Any]:
        """Return cases of the values of ``case`` that satisfy none of the others."""
        kept: list[Any] = [case]
        for other in others:
            apart: list[Any] = []
            for one in kept:
                spend(50)
                if self._apart(one, other) or self.never(one.meet(other)):
                    apart.append(one)
                    continue
                parts = (one.meet(part) for part in other.negate())
                apart += [part for part in parts if not self.never(part)]
            kept = distinct(apart)
            if isinstance(case, Object):
                kept = absorbed(kept)
        return kept
