"""Clauses about which keys are there as one automaton over the markers of members."""

from collections.abc import Sequence

import numpy as np

from labkit.automata.dfa import CODE_POINTS, DEAD, Dfa
from labkit.automata.work import spend
from mask_engine.reading.presence import Clause, after


def presence_automaton(members: Sequence[tuple[str, str]], clauses: frozenset[Clause]) -> Dfa:
    """Return the automaton of the texts in which members stand in their order and satisfy clauses.

    A state is a place among the members, and what is left of the clauses there. So it remembers only what still matters
    of the members before.

    Args:
        members: key and marker of each; a key that is not among them is not there. Other symbols may stand anywhere.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> not_both = presence_automaton([("a", "A"), ("b", "B")], frozenset([frozenset({("a", False), ("b", False)})]))
    >>> [text for text in ["", "{A}", "{B}", "{A,B}"] if fullmatch(not_both, text)]
    ['', '{A}', '{B}']
    """
    names = {key for key, _ in members}
    for key in {key for clause in clauses for key, _ in clause if key not in names}:
        clauses = after(clauses, key, False)
    numbers = {(0, clauses): 0}
    rows: list[list[int]] = []
    accepting: list[bool] = []
    for number, (place, left) in enumerate(list_of := list(numbers)):  # the list grows meanwhile
        spend(20 + (len(members) - place) * (1 + len(left) // 2))
        row = [number, *([DEAD] * len(members))]
        for index in range(place, len(members)):
            key = members[index][0]
            target = after(left, key, True)
            if frozenset() not in target:
                state = (index + 1, target)
                if state not in numbers:
                    numbers[state] = len(list_of)
                    list_of.append(state)
                row[index + 1] = numbers[state]
            left = after(left, key, False)
            if frozenset() in left:
                break
        rows.append(row)
        accepting.append(not left)
    letters = sorted((ord(marker), index + 1) for index, (_, marker) in enumerate(members))
    classes = {0: 0}
    for letter, symbol_class in letters:
        classes[letter] = symbol_class
        if letter + 1 < CODE_POINTS:
            classes.setdefault(letter + 1, 0)
    bounds = sorted(classes)
    return Dfa(bounds, [classes[bound] for bound in bounds], np.array(rows), 0, accepting)
