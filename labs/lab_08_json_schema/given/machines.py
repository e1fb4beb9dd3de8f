"""Machines as sets of texts: the small algebra out of which the leaves and the whole of a schema are put together.

Everything rests on lab 06's ``product`` and ``minimize_dfa``. Results are minimal machines.
"""

from collections.abc import Callable, Iterable
from functools import reduce

import numpy as np

from labkit.dfa import DEAD, Dfa
from labs.lab_06_regex_to_dfa.solution import live_states, minimize_dfa, product
from labs.lab_08_json_schema.given.splicing import erase, substitute
from labs.lab_08_json_schema.given.tables import tabulate

__all__ = ["ANY", "EMPTY", "NOTHING", "difference", "erase", "intersect", "is_empty", "literals"]
__all__ += ["substitute", "union"]

NOTHING = Dfa([0], [DEAD], np.zeros((1, 0)), initial=0, accepting=[False])
"""The machine that matches no text at all."""

EMPTY = Dfa([0], [DEAD], np.zeros((1, 0)), initial=0, accepting=[True])
"""The machine that matches the empty text alone."""

ANY = Dfa([0, 0xD800, 0xE000], [0, DEAD, 0], [[0]], initial=0, accepting=[True])
"""The machine of all texts; a lone surrogate is no character of a text."""


def is_empty(dfa: Dfa) -> bool:
    """Whether a machine matches no text.

    >>> is_empty(NOTHING), is_empty(EMPTY)
    (True, False)
    """
    return not any(dfa.accepting[state] for state in live_states(dfa))


def union(*dfas: Dfa) -> Dfa:
    """The texts that one machine or more match.

    >>> yes_or_no = union(literals(["yes"]), literals(["no"]))
    >>> len(yes_or_no), is_empty(union())
    (5, True)
    """
    return _combine(dfas, NOTHING, lambda left, right: left or right)


def intersect(*dfas: Dfa) -> Dfa:
    """The texts that all machines match; ``ANY`` if there is none.

    >>> is_empty(intersect(literals(["a", "b"]), literals(["b", "c"]), literals(["c", "a"])))
    True
    """
    return _combine(dfas, ANY, lambda left, right: left and right)


def difference(left: Dfa, right: Dfa) -> Dfa:
    """The texts that the left machine matches and the right one does not.

    >>> len(difference(literals(["a", "bc"]), literals(["bc"])))
    2
    """
    return minimize_dfa(product(left, right, lambda one, other: one and not other))


def _combine(dfas: tuple[Dfa, ...], neutral: Dfa, accepts: Callable[[bool, bool], bool]) -> Dfa:
    """Small machines first: the product of two is then small for as long as it can be."""
    if len(dfas) < 2:
        return dfas[0] if dfas else neutral
    return reduce(lambda left, right: minimize_dfa(product(left, right, accepts)), sorted(dfas, key=len))


def literals(texts: Iterable[str]) -> Dfa:
    """The machine of a finite set of texts: their trie, with equal subtries made one from the leaves upward.

    Raises:
        LimitExceeded: if it is larger than the limits of ``labkit.dfa``.

    Source of the idea: minimal acyclic automata, Daciuk and others (2000), here for a trie that is ready.

    >>> dfa = literals(["red", "bed", "bid"])
    >>> len(dfa), dfa.class_of(ord("e")) == dfa.class_of(ord("i"))
    (5, False)
    """
    children, ends = _trie(texts)
    kept: dict[tuple[bool, tuple[tuple[str, int], ...]], int] = {}
    number = [0] * len(children)
    for node in reversed(range(len(children))):  # a child is younger than its parent
        below = tuple(sorted((char, number[child]) for char, child in children[node].items()))
        number[node] = kept.setdefault((ends[node], below), len(kept))
    return tabulate([dict(below) for _, below in kept], number[0], [end for end, _ in kept])


def _trie(texts: Iterable[str]) -> tuple[list[dict[str, int]], list[bool]]:
    """The children of each node by character, and whether a text ends there."""
    children: list[dict[str, int]] = [{}]
    ends = [False]
    for text in texts:
        node = 0
        for char in text:
            if char not in children[node]:
                children[node][char] = len(children)
                children.append({})
                ends.append(False)
            node = children[node][char]
        ends[node] = True
    return children, ends
