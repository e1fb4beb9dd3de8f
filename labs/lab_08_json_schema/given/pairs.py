"""What your ``product`` is given: classes that both automata share, and look-ups that also work for the dead state."""

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import DEAD, Dfa
from labs.lab_06_regex_to_dfa.given.columns import check_table as check_table

Pairs = list[tuple[int, int]]


def shared_intervals(left: Dfa, right: Dfa) -> tuple[NDArray[np.int32], Pairs]:
    """Return intervals that neither automaton cuts, and for each of them its class on the left and on the right.

    Raises:
        ValueError: if one automaton reads characters and the other bytes.

    >>> digits = Dfa([0, 48, 58], [-1, 0, -1], [[0]], initial=0, accepting=[True])
    >>> low = Dfa([0, 50], [0, -1], [[0]], initial=0, accepting=[True])
    >>> bounds, pairs = shared_intervals(digits, low)
    >>> bounds.tolist(), pairs
    ([0, 48, 50, 58], [(-1, 0), (0, 0), (0, -1), (-1, -1)])
    """
    if left.symbols != right.symbols:
        raise ValueError(f"one automaton reads {left.symbols:,} symbols and the other {right.symbols:,}")
    bounds = np.union1d(left.bounds, right.bounds)
    sides = [dfa.classes[np.searchsorted(dfa.bounds, bounds, side="right") - 1].tolist() for dfa in (left, right)]
    return bounds, list(zip(*sides, strict=True))


def number_pairs(pairs: Pairs) -> tuple[list[int], Pairs]:
    """Return the class of each interval, which is -1 if both sides are dead, and the pair that each class stands for.

    >>> number_pairs([(-1, -1), (0, 3), (0, -1), (0, 3)])
    ([-1, 0, 1, 0], [(0, 3), (0, -1)])
    """
    columns = [pair for pair in dict.fromkeys(pairs) if pair != (DEAD, DEAD)]
    numbers = {pair: number for number, pair in enumerate(columns)}
    return [numbers.get(pair, DEAD) for pair in pairs], columns


def target_lists(left: Dfa, right: Dfa, columns: Pairs) -> tuple[list[list[int]], list[list[int]]]:
    """Return for each state of either automaton the states that follow, one for each class of the product.

    Args:
        columns: for each class of the product, its class on the left and on the right; -1 where it is dead.

    Returns:
        Two lists of lists. The last list in each is that of the dead state, so that index -1 finds it.

    >>> digits = Dfa([0, 48, 58], [-1, 0, -1], [[0]], initial=0, accepting=[True])
    >>> target_lists(digits, digits, [(0, 0), (0, DEAD)])
    ([[0, 0], [-1, -1]], [[0, -1], [-1, -1]])
    """
    tables = [np.pad(dfa.transitions, (0, 1), constant_values=DEAD) for dfa in (left, right)]
    sides = zip(*columns, strict=True) if columns else ((), ())
    lefts, rights = (table[:, np.array(side, np.intp)].tolist() for table, side in zip(tables, sides, strict=True))
    return lefts, rights


def is_accepting(dfa: Dfa, state: int) -> bool:
    """Return whether a state accepts. The dead one doesn't.

    >>> digits = Dfa([0, 48, 58], [-1, 0, -1], [[0]], initial=0, accepting=[True])
    >>> is_accepting(digits, 0), is_accepting(digits, DEAD)
    (True, False)
    """
    return state != DEAD and bool(dfa.accepting[state])
