"""Automata as sets of texts: union, intersection and difference.

Everything rests on lab 06's ``product`` and ``minimize_dfa``. Results are minimal automata.
"""

from collections.abc import Callable
from functools import reduce

import numpy as np

from labkit.automata.dfa import DEAD, Dfa
from labs.lab_06_regex_to_dfa.given.words import literals
from labs.lab_06_regex_to_dfa.solution import live_states, minimize_dfa, product
from labs.lab_08_json_schema.given.automata.splicing import erase, substitute

__all__ = ["ANY", "EMPTY", "NOTHING", "difference", "erase", "intersect", "is_empty", "literals"]
__all__ += ["substitute", "union"]

NOTHING = Dfa([0], [DEAD], np.zeros((1, 0)), initial=0, accepting=[False])
"""The automaton that matches no text at all."""

EMPTY = Dfa([0], [DEAD], np.zeros((1, 0)), initial=0, accepting=[True])
"""The automaton that matches only the empty text."""

ANY = Dfa([0, 0xD800, 0xE000], [0, DEAD, 0], [[0]], initial=0, accepting=[True])
"""The automaton of all texts; a lone surrogate is not a character."""


def is_empty(dfa: Dfa) -> bool:
    """Return whether an automaton matches no text.

    >>> is_empty(NOTHING), is_empty(EMPTY)
    (True, False)
    """
    return not any(dfa.accepting[state] for state in live_states(dfa))


def union(*dfas: Dfa) -> Dfa:
    """Return the minimal automaton of the texts that at least one automaton matches.

    >>> yes_or_no = union(literals(["yes"]), literals(["no"]))
    >>> len(yes_or_no), is_empty(union())
    (5, True)
    """
    return _combine(dfas, NOTHING, lambda left, right: left or right)


def intersect(*dfas: Dfa) -> Dfa:
    """Return the minimal automaton of the texts that all automata match; ``ANY`` without arguments.

    >>> is_empty(intersect(literals(["a", "b"]), literals(["b", "c"]), literals(["c", "a"])))
    True
    """
    return _combine(dfas, ANY, lambda left, right: left and right)


def difference(left: Dfa, right: Dfa) -> Dfa:
    """Return the minimal automaton of the texts that the left automaton matches and the right one does not.

    >>> len(difference(literals(["a", "bc"]), literals(["bc"])))
    2
    """
    return minimize_dfa(product(left, right, lambda one, other: one and not other))


def _combine(dfas: tuple[Dfa, ...], neutral: Dfa, accepts: Callable[[bool, bool], bool]) -> Dfa:
    """Combine all automata, small ones first, which keeps the products small."""
    if len(dfas) < 2:
        return dfas[0] if dfas else neutral
    return reduce(lambda left, right: minimize_dfa(product(left, right, accepts)), sorted(dfas, key=len))
