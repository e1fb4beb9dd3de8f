"""The table of an automaton: how large it may be, and which of its columns become one."""

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import DEAD, MAX_DFA_STATES, MAX_TRANSITIONS, Dfa
from labkit.automata.work import spend
from labkit.errors import LimitExceeded


def check_table(n_states: int, n_classes: int) -> None:
    """Raise an error if an automaton under construction is too large (``labkit.automata.dfa`` has the limits).

    Raises:
        LimitExceeded: if it has too many states, or too many transitions.

    >>> check_table(n_states=MAX_DFA_STATES + 1, n_classes=1)
    Traceback (most recent call last):
    labkit.errors.LimitExceeded: the automaton under construction has too many states; the limit is 70,000
    """
    spend(25 + n_classes)  # one more row, in which every target has to be looked up
    if n_states > MAX_DFA_STATES:
        raise LimitExceeded("the automaton under construction has too many states", MAX_DFA_STATES)
    if n_states * n_classes > MAX_TRANSITIONS:
        size = f"{n_states:,} states by {n_classes:,} classes"
        raise LimitExceeded(f"the automaton under construction has a table of {size}", MAX_TRANSITIONS)


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
