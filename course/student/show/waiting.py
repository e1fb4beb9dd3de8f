"""What an automaton waits for, where no token of the show goes on."""

from collections.abc import Iterator

import numpy as np

from labkit.automata.dfa import DEAD, Dfa
from labkit.automata.syntax import Ranges

_MOST = 3
"""So many characters, or ranges of them, are named."""


def next_characters(automaton: Dfa, state: int) -> str:
    """The characters that lead on from a state, in words; empty where none does.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> next_characters(compile_dfa("[a-c7]|no"), 0), next_characters(compile_dfa("a"), 1)
    ("'7', 'a' to 'c' or 'n'", '')
    """
    named = list(map(_name, sorted(_ranges(automaton, state))))
    if len(named) > _MOST:
        return ", ".join(named[:_MOST]) + " ..."
    return " or ".join(filter(None, [", ".join(named[:-1]), *named[-1:]]))


def _ranges(automaton: Dfa, state: int) -> Iterator[tuple[int, int]]:
    for symbol_class in np.flatnonzero(automaton.transitions[state] != DEAD).tolist():
        ranges: Ranges = automaton.class_ranges[symbol_class]
        yield from ranges


def _name(bounds: tuple[int, int]) -> str:
    first, last = map(chr, bounds)
    return repr(first) if first == last else f"{first!r} to {last!r}"
