"""Ranges without some symbols, and automata from rows of ranges or from a list of texts (lab 06)."""

from collections.abc import Collection, Sequence

import numpy as np

from labkit.automata.dfa import DEAD, MAX_DFA_STATES, MAX_TRANSITIONS, Dfa
from labkit.automata.syntax import Ranges
from labkit.automata.work import spend
from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa.given.columns import merge_columns
from labs.lab_06_regex_to_dfa.given.words import literals
from labs.lab_06_regex_to_dfa.solution import complement_ranges, merge_ranges, split_alphabet

__all__ = ["literals", "subtract_ranges", "tabulate"]


def subtract_ranges(ranges: Ranges, symbols: Collection[int]) -> Ranges:
    """Return canonical ranges without some symbols.

    >>> subtract_ranges(((97, 122),), [98, 122])
    ((97, 97), (99, 121))
    """
    gaps = merge_ranges((symbol, symbol) for symbol in symbols)
    return complement_ranges(merge_ranges((*complement_ranges(ranges), *gaps)))


def tabulate(rows: Sequence[Sequence[tuple[Ranges, int]]], initial: int, accepting: int) -> Dfa:
    """Return the automaton whose states have these rows.

    Args:
        rows: for each state, pairs of canonical ranges and the target of their code points, -1 for none. The ranges of
            one row are disjoint.
        accepting: the one accepting state.

    Raises:
        LimitExceeded: beyond the limits of ``labkit.automata.dfa``.

    >>> tabulate([[(((97, 98),), 1)], []], 0, 1)
    <Dfa, 2 states, start 0; 0: [a-b] to 1; [1]: no transition>
    """
    if len(rows) > MAX_DFA_STATES:
        raise LimitExceeded("the automaton of a JSON string, its escapes included, has too many states", MAX_DFA_STATES)
    spend(20 * len(rows))
    # By set of characters: the states that read it, and their targets.
    readers: dict[Ranges, list[tuple[int, int]]] = {}
    for state, row in enumerate(rows):
        for ranges, target in row:
            readers.setdefault(ranges, []).append((state, target))
    bounds, inside = split_alphabet(list(readers))
    numbers = {sets: number for number, sets in enumerate(dict.fromkeys(filter(None, inside)))}
    if len(rows) * len(numbers) > MAX_TRANSITIONS:
        size = f"{len(rows):,} states by {len(numbers)} classes"
        raise LimitExceeded(
            f"the automaton of a JSON string, its escapes included, has a table of {size}", MAX_TRANSITIONS
        )
    table = np.full((len(rows), len(numbers)), DEAD, dtype=np.int32)
    for index, pairs in enumerate(readers.values()):
        columns = [number for sets, number in numbers.items() if sets >> index & 1]
        states, targets = np.array(pairs).T
        table[states[:, None], columns] = targets[:, None]
    classes = [numbers.get(sets, DEAD) for sets in inside]
    return merge_columns(Dfa(bounds, classes, table, initial, np.arange(len(rows)) == accepting))
