"""How many bytes does a text still need? It's lab 05's question again, with bytes for tokens."""

from bisect import bisect_left
from collections.abc import Sequence
from math import inf

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import DEAD, Dfa
from labkit.automata.ranges import ranges
from labkit.automata.syntax import Ranges

LAST_OF_LENGTH = (0x7F, 0x7FF, 0xFFFF)
"""The last code points that take one byte, two and three."""


def utf8_lengths(chars: Ranges) -> tuple[float, float]:
    """Return how many bytes a character of a set has, at least and at most; ``inf`` and 0 if all are surrogates.

    >>> utf8_lengths(((97, 97), (0xE9, 0xE9))), utf8_lengths(((0xD800, 0xDFFF),))
    ((1, 2), (inf, 0))
    """
    encoded = [(first, last) for first, last in chars if not 0xD800 <= first <= last <= 0xDFFF]
    if not encoded:
        return inf, 0
    return bisect_left(LAST_OF_LENGTH, encoded[0][0]) + 1, bisect_left(LAST_OF_LENGTH, encoded[-1][1]) + 1


def fewest_bytes(dfa: Dfa, lengths: Sequence[float]) -> NDArray[np.float64]:
    """Return the fewest bytes from each state to an accepting one, by Dijkstra's method, a level at a time.

    Args:
        lengths: how many bytes a character of each class takes.

    Returns:
        ``float64[S]``; ``inf`` where none lead there.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> fewest_bytes(compile_dfa("éa|a"), [1, 2]).tolist()
    [1.0, 0.0, 1.0]
    """
    sources, classes = np.nonzero((dfa.transitions != DEAD) & np.isfinite(lengths))
    targets, weights = dfa.transitions[sources, classes], np.array(lengths)[classes]
    order = np.argsort(targets, kind="stable")
    sources, weights = sources[order], weights[order]
    first = np.searchsorted(targets[order], np.arange(len(dfa) + 1))
    found = np.full(len(dfa), inf)
    found[dfa.accepting] = 0
    waiting = {0.0: [np.flatnonzero(dfa.accepting)]}
    while waiting:
        level = min(waiting)
        states = np.unique(np.concatenate(waiting.pop(level)))
        states = states[found[states] == level]  # the others have been reached with fewer bytes
        edges = ranges(first[states], first[states + 1] - first[states])
        before, needed = sources[edges], level + weights[edges]
        shorter = needed < found[before]
        np.minimum.at(found, before[shorter], needed[shorter])
        for each in np.unique(needed[shorter]).tolist():
            waiting.setdefault(each, []).append(before[shorter & (needed == each)])
    return found


def fewest_within(dfa: Dfa, lengths: Sequence[float], most: int) -> NDArray[np.float64]:
    """Return the fewest bytes from each state to an accepting one, for each number of characters that you may write.

    Args:
        lengths: how many bytes a character of each class takes.
        most: the largest number of characters. To allow more than there are states changes nothing.

    Returns:
        ``float64[M + 1, S]``: a row for each number of characters; the last one also serves for any larger number.
        ``inf`` where the end is out of reach.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> fewest_within(compile_dfa("€|aa"), [2, 3], 5)[:3, 0].tolist()
    [inf, 3.0, 3.0]
    """
    found = [np.where(dfa.accepting, 0, inf)]
    prices = np.array(lengths)
    for _ in range(min(most, len(dfa))):
        after = np.where(dfa.transitions == DEAD, inf, found[-1][dfa.transitions] + prices)
        found.append(np.minimum(found[0], after.min(axis=1, initial=inf)))
    return np.array(found)
