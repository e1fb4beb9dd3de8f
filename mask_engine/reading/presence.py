"""What is asked about which keys are there, as clauses: each asks that one of some keys is there, or one is not.

``not: {required: [a, b]}`` is the clause "no a, or no b". Cases would list, for n such clauses, the 2 ** n ways to
satisfy them; clauses stay n, and the automaton of an object reads them all together (``trees/presence.py``).
"""

from collections.abc import Iterable
from itertools import combinations

from labkit.automata.work import spend

Literal = tuple[str, bool]
"""A key, and whether it is there."""

Clause = frozenset[Literal]

MAX_CLAUSES = 200
"""The most clauses that a choice of cases is turned into."""


def clauses_of(choices: Iterable[frozenset[Literal]]) -> frozenset[Clause] | None:
    """Return clauses that hold where all literals of at least one choice do; None beyond ``MAX_CLAUSES``.

    >>> card, cash = frozenset({("card", True), ("cash", False)}), frozenset({("card", False), ("cash", True)})
    >>> sorted(sorted(clause) for clause in clauses_of([card, cash]))  # one of the two is missing, and one is there
    [[('card', False), ('cash', False)], [('card', True), ('cash', True)]]
    """
    found: frozenset[Clause] = frozenset([frozenset()])
    for choice in choices:
        spend(len(found) * len(choice))
        if len(found) * len(choice) > MAX_CLAUSES**2:
            return None
        wider = {clause | {literal} for clause in found for literal in choice}
        found = _smallest(clause for clause in wider if not any((key, not there) in clause for key, there in clause))
        if len(found) > MAX_CLAUSES:
            return None
    return found


def at_most_one(choices: Iterable[frozenset[Literal]]) -> frozenset[Clause]:
    """Return clauses that hold where the literals of no two choices do.

    >>> [sorted(clause) for clause in at_most_one([frozenset({("card", True)}), frozenset({("cash", True)})])]
    [[('card', False), ('cash', False)]]
    """
    found = (frozenset((key, not there) for key, there in one | other) for one, other in combinations(choices, 2))
    return frozenset(clause for clause in found if not any((key, not there) in clause for key, there in clause))


def _smallest(clauses: Iterable[Clause]) -> frozenset[Clause]:
    """Return the clauses that do not follow from another one."""
    found: list[Clause] = []
    for clause in sorted(clauses, key=len):
        spend(len(found) // 4)
        if not any(other <= clause for other in found):
            found.append(clause)
    return frozenset(found)


def after(clauses: frozenset[Clause], key: str, there: bool) -> frozenset[Clause]:
    """Return what is left of clauses when it is known whether a key is there; an empty clause cannot be satisfied.

    >>> card_needs_name = frozenset({("card", False), ("name", True)})  # no card, or a name
    >>> [sorted(clause) for clause in after(frozenset([card_needs_name]), "card", True)]
    [[('name', True)]]
    """
    return frozenset(clause - {(key, not there)} for clause in clauses if (key, there) not in clause)
