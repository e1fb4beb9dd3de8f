"""Automata as sets of texts: the functions of labs 06 and 08, by short names. Results are minimal automata,
where nothing else is said.
"""

from functools import lru_cache

import numpy as np

from labkit.automata.byte_dfa import live_transitions
from labkit.automata.dfa import DEAD, Dfa
from labkit.automata.syntax import Node
from labs.lab_06_regex_to_dfa.given.unfolding import explored
from labs.lab_06_regex_to_dfa.solution import compile_dfa, minimize_dfa, nfa_to_dfa, unfold
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.sharing import shared_text
from labs.lab_08_json_schema.solution import product

EMPTY = Dfa([0], [DEAD], np.zeros((1, 0)), initial=0, accepting=[True])
"""The automaton that matches only the empty text."""

NOTHING = Dfa([0], [DEAD], np.zeros((1, 0)), initial=0, accepting=[False])
"""The automaton that matches no text at all."""

ANY = Dfa([0, 0xD800, 0xE000], [0, DEAD, 0], [[0]], initial=0, accepting=[True])
"""The automaton of all texts; a lone surrogate is not a character."""


compiled = lru_cache(maxsize=256)(compile_dfa)
"""``compile_dfa``, which keeps the automata of the expressions that come up again and again."""


def automaton_of(tree: Node) -> Dfa:
    """Return the minimal automaton of a tree.

    >>> from labkit.automata.trees import char, times
    >>> len(automaton_of(times(char("a"), 2, 2)))  # before, between and after the two
    3
    """
    return minimize_dfa(nfa_to_dfa(explored(tree, unfold)))


def is_empty(dfa: Dfa) -> bool:
    """Return whether an automaton matches no text.

    >>> is_empty(NOTHING), is_empty(EMPTY)
    (True, False)
    """
    return shared_text([dfa]) is None


def union(*dfas: Dfa) -> Dfa:
    """Return the minimal automaton of the texts that at least one automaton matches.

    >>> len(union(compiled("yes"), compiled("no")))  # the start, y, ye, n, and one end for both
    5
    """
    return lab.any_of([dfa for dfa in dfas if dfa is not NOTHING] or dfas)


def intersect(*dfas: Dfa) -> Dfa:
    """Return the minimal automaton of the texts that all automata match.

    >>> is_empty(intersect(compiled("a|b"), compiled("b|c"), compiled("c|a")))  # each two share a text, all three none
    True
    """
    return lab.all_of(dfas)


def without(left: Dfa, right: Dfa) -> Dfa:
    """Return an automaton of the texts that the left automaton matches and the right one does not, not minimal.

    >>> is_empty(without(compiled("[0-9]+"), compiled("[0-9a-f]+")))  # every decimal number is a hexadecimal one too
    True
    """
    return live(product(left, right, lambda one, other: one and not other))


def live(dfa: Dfa) -> Dfa:
    """Return an automaton without the steps that lead to no accepting state.

    >>> live(Dfa([0], [0], [[1], [1]], initial=0, accepting=[True, False])).transitions.tolist()  # state 1 is a trap
    [[-1], [-1]]
    """
    return Dfa(dfa.bounds, dfa.classes, live_transitions(dfa), dfa.initial, dfa.accepting)


def difference(left: Dfa, right: Dfa) -> Dfa:
    """Return the minimal automaton of the texts that the left automaton matches and the right one does not.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> names = difference(compiled("[a-z]+"), compiled("if|else"))
    >>> fullmatch(names, "else"), fullmatch(names, "elsewhere")
    (False, True)
    """
    return minimize_dfa(product(left, right, lambda one, other: one and not other))
