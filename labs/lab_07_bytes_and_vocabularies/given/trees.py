r"""The UTF-8 trees of large sets of characters, kept: ``\w`` is the same 734 ranges in every pattern that has it."""

from collections.abc import Callable

from labkit.automata.byte_dfa import ByteDfa
from labkit.automata.dfa import Dfa
from labkit.automata.syntax import Ranges

MANY_RANGES = 50
"""From so many ranges on, a tree is kept: such sets are Unicode's classes, which many patterns share."""

MOST_KEPT = 32

_kept: dict[tuple[Callable[[Dfa], ByteDfa], tuple[Ranges, ...]], ByteDfa] = {}
"""Keyed by the function that makes a tree, too: no caller gets a tree that another function made."""


def with_kept_tree(dfa: Dfa, make: Callable[[Dfa], ByteDfa]) -> ByteDfa:
    r"""Return the byte automaton of an automaton, with the tree of an earlier one that had the same large classes.

    Args:
        make: makes the byte automaton where there is no tree yet.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> from labs.lab_07_bytes_and_vocabularies.solution import byte_dfa
    >>> one, other = (with_kept_tree(compile_dfa(pattern), byte_dfa) for pattern in (r"\w+", r"\w{3}"))
    >>> one.byte_classes is other.byte_classes
    True
    """
    if sum(map(len, dfa.class_ranges)) < MANY_RANGES:
        return make(dfa)
    known = _kept.pop((make, dfa.class_ranges), None)
    automaton = known.reading(dfa) if known else make(dfa)
    len(automaton.byte_classes)
    _kept[make, dfa.class_ranges] = automaton
    if len(_kept) > MOST_KEPT:
        del _kept[next(iter(_kept))]
    return automaton
