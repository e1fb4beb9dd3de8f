"""The columns of a table: classes of characters that no state tells apart become one class."""

import numpy as np

from labkit.dfa import DEAD, Dfa


def merge_columns(dfa: Dfa) -> Dfa:
    """The same machine over the fewest classes: equal columns are one, and those dead in every state are none.

    >>> dfa = Dfa([0, 97, 98, 99], [0, 1, 2, 0], [[DEAD, 0, 0]], initial=0, accepting=[True])
    >>> merged = merge_columns(dfa)
    >>> merged.class_ranges, merged.transitions.tolist()
    ((((97, 98),),), [[0]])
    """
    kept, renumber = _distinct_columns(dfa.transitions)
    classes = np.where(dfa.classes < 0, DEAD, renumber[dfa.classes])
    changes = np.flatnonzero(np.diff(classes, prepend=-2))
    return Dfa(
        dfa.bounds[changes],
        classes[changes],
        dfa.transitions[:, kept],
        dfa.initial,
        dfa.accepting,
        dfa.symbols,
    )


def _distinct_columns(table: np.ndarray) -> tuple[list[int], np.ndarray]:
    """One column of each kind, and for each column the number of its kind; -1 for columns without a live entry."""
    numbers: dict[bytes, int] = {}
    kept: list[int] = []
    renumber = np.full(table.shape[1] + 1, DEAD)
    for column in range(table.shape[1]):
        entries = np.ascontiguousarray(table[:, column])
        if (entries == DEAD).all():
            continue
        renumber[column] = numbers.setdefault(entries.tobytes(), len(kept))
        if renumber[column] == len(kept):
            kept.append(column)
    return kept, renumber
