"""Copies of automata inside an ``Nfa``: what your ``splice`` puts together."""

from collections.abc import Collection

import numpy as np

from labkit.automata.dfa import Dfa, Nfa
from labs.lab_06_regex_to_dfa.given.ranges import complement_ranges, merge_ranges
from labs.lab_06_regex_to_dfa.solution import transitions_of


def add_copy(nfa: Nfa, dfa: Dfa, end: int, without: Collection[int] = ()) -> int:
    """Add a copy of an automaton to an ``Nfa``, and a way out of it to the state ``end``.

    The states of the copy are the next numbers of the ``Nfa``. Each accepting one gets an epsilon transition to
    ``end``, and none of them is accepting in the ``Nfa``. Transitions on the symbols in ``without`` are left out.

    Returns:
        The number of the new state that is a copy of state 0, which need not be the initial one.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> nfa = Nfa()
    >>> add_copy(nfa, compile_dfa("[ab]"), end=0, without=[ord("b")])
    1
    >>> nfa.moves, nfa.epsilon
    ([[], [(((97, 97),), 2)], []], [[], [], [0]])
    """
    left_out = merge_ranges([(symbol, symbol) for symbol in without])
    ranges_of = [
        complement_ranges(merge_ranges((*complement_ranges(ranges), *left_out))) for ranges in dfa.class_ranges
    ]
    first = len(nfa)
    for _ in range(len(dfa)):
        nfa.add_state()
    for start, number, target in transitions_of(dfa):
        nfa.moves[first + start].append((ranges_of[number], first + target))
    for state in np.flatnonzero(dfa.accepting).tolist():
        nfa.epsilon[first + state].append(end)
    return first
