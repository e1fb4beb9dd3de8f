"""The columns of a table: classes of characters that no state distinguishes become one class."""

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import DEAD, Dfa


def merge_columns(dfa: Dfa) -> Dfa:
    """Return the same automaton over the fewest classes: equal columns become one; columns dead in every state go.

    >>> dfa = Dfa([0, 97, 98, 99], [0, 1, 2, 0], [[DEAD, 0, 0]], initial=0, accepting=[True])
    >>> merged = merge_columns(dfa)
    >>> merged.class_ranges, merged.transitions.tolist()
    ((((97, 98),),), [[0]])
    """
    kept, renumber = _distinct_columns(dfa.transitions)
    if len(kept) == dfa.n_classes:
        return dfa
    classes = np.where(dfa.classes < 0, DEAD, np.array(renumber)[dfa.classes])
    changes = np.flatnonzero(np.diff(classes, prepend=-2))
    return Dfa(
        dfa.bounds[changes],
        classes[changes],
        dfa.transitions[:, kept],
        dfa.initial,
        dfa.accepting,
        dfa.symbols,
    )


def _distinct_columns(table: NDArray[np.int32]) -> tuple[list[int], list[int]]:
    """Return one column of each kind, and the kind of each column; -1 for columns without a live entry."""
    numbers: dict[bytes, int] = {np.full(len(table), DEAD, table.dtype).tobytes(): DEAD}
    kept: list[int] = []
    renumber = []
    size, columns = len(table) * table.itemsize, table.T.tobytes()
    for column in range(table.shape[1]):
        number = numbers.setdefault(columns[column * size : (column + 1) * size], len(kept))
        if number == len(kept):
            kept.append(column)
        renumber.append(number)
    return kept, renumber
