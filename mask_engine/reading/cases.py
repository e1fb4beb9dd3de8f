"""Cases: for each type a list of conjunctions. A value satisfies the schema if it satisfies one of its type's."""

from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import Any

from labkit.automata.work import spend
from labkit.errors import LimitExceeded
from mask_engine.reading.arrays import Array
from mask_engine.reading.objects import Object
from mask_engine.reading.scalars import SILENT, Few, Numeric, Text

Case = Few | Numeric | Text | Array | Object
Cases = dict[str, list[Any]]
"""By type, ``KINDS``: the conjunctions, each of that type's class."""

KINDS = ("null", "boolean", "number", "string", "array", "object")

MAX_CASES = 400
"""The most conjunctions of one type."""

_NULL, _BOOLEAN = frozenset([None]), frozenset([False, True])


def everything() -> Cases:
    """Return the cases of any value."""
    return {
        "null": [Few(_NULL, _NULL)],
        "boolean": [Few(_BOOLEAN, _BOOLEAN)],
        "number": [Numeric()],
        "string": [Text()],
        "array": [Array()],
        "object": [Object()],
    }


def nothing() -> Cases:
    """Return the cases of no value."""
    return {kind: [] for kind in KINDS}


def only(kind: str, cases: Iterable[Case]) -> Cases:
    """Return cases that ask something of one type, and nothing of the others."""
    return everything() | {kind: list(cases)}


def both(one: Cases, other: Cases) -> Cases:
    """Return the cases of the values that satisfy both."""
    return {kind: both_of(one[kind], other[kind]) for kind in KINDS}


def both_of(one: list[Any], other: list[Any]) -> list[Any]:
    """Return each conjunction of one list joined with each of the other, for one type.

    Raises:
        LimitExceeded: if there are more than ``MAX_CASES``.
    """
    if len(one) * len(other) > MAX_CASES * 10:
        raise LimitExceeded("the schema falls into too many cases", MAX_CASES)
    return distinct(first.meet(second) for first in one for second in other)


def either(branches: list[Cases]) -> Cases:
    """Return the cases of the values that satisfy at least one branch."""
    return {kind: distinct(case for branch in branches for case in branch[kind]) for kind in KINDS}


def evaluating(branches: list[Cases]) -> Cases:
    """Return ``either``, with a case for each set of branches that a value may satisfy together.

    Such a value is evaluated by all of them, which matters to ``unevaluatedItems`` and ``unevaluatedProperties``.
    """
    found = either(branches)
    for kind in ("array", "object"):
        found[kind] = []
        for branch in branches:
            found[kind] = distinct([*found[kind], *branch[kind], *both_of(found[kind], branch[kind])])
    return found


def otherwise(cases: Cases) -> Cases:
    """Return the cases of the values that satisfy none of these."""
    found = everything()
    for kind in KINDS:
        for case in cases[kind]:
            found[kind] = both_of(found[kind], case.negate())
    return found


def silent(cases: Cases) -> Cases:
    """Return the cases as those of a schema that says nothing of types."""
    return voiced(cases, dict.fromkeys(KINDS, SILENT))


def voiced(cases: Cases, voices: dict[str, int]) -> Cases:
    """Return the cases of each type with a voice."""
    return {kind: [replace(case, voice=voices[kind]) for case in cases[kind]] for kind in KINDS}


def distinct(cases: Iterable[Any]) -> list[Any]:
    """Return the cases that are not plainly empty, each once.

    Raises:
        LimitExceeded: if there are more than ``MAX_CASES``.
    """
    some = [case for case in cases if not plainly_empty(case)]
    if len(some) < 2:
        return some
    found: dict[Hashable, Any] = {}
    for case in some:
        spend(20 + len(case.every) if isinstance(case, Array | Object) else 20)
        found.setdefault(case.key() if isinstance(case, Array | Object) else repr(case), case)
        if len(found) > MAX_CASES:
            raise LimitExceeded("the schema falls into too many cases", MAX_CASES)
    return list(found.values())


def plainly_empty(case: Case) -> bool:
    """Return whether counts or bounds alone show that no value satisfies a case."""
    if isinstance(case, Few):
        return not case.values
    if isinstance(case, Numeric):
        return case.never()
    if isinstance(case, Text) and case.enum is not None:
        return not [text for text in case.enum if text not in case.excluded]
    return case.most is not None and case.most < case.least
