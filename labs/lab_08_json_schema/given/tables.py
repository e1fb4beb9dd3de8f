"""Machines written down by rule: a table from rows of characters, and the states that a rule can reach."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from labkit.dfa import DEAD, MAX_DFA_STATES, MAX_TRANSITIONS, Dfa
from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa.given.columns import merge_columns
from labs.lab_06_regex_to_dfa.solution import minimize_dfa

State = TypeVar("State", bound=Hashable)


def tabulate(rows: Sequence[Mapping[str, int]], initial: int, accepting: Sequence[bool]) -> Dfa:
    """The machine whose transitions are given character by character.

    Args:
        rows: for each state the targets by character; all other characters are dead.

    Raises:
        LimitExceeded: if it is larger than the limits of ``labkit.dfa``.

    >>> tabulate([{"a": 1, "b": 1}, {}], 0, [False, True]).class_ranges
    (((97, 98),),)
    """
    symbols = sorted({ord(char) for row in rows for char in row})
    if len(rows) > MAX_DFA_STATES:
        raise LimitExceeded("a machine made from texts or a rule has too many states", MAX_DFA_STATES)
    if len(rows) * len(symbols) > MAX_TRANSITIONS:
        size = f"{len(rows):,} states by {len(symbols):,} characters"
        raise LimitExceeded(f"a machine made from texts or a rule has a table of {size}", MAX_TRANSITIONS)
    columns = {chr(symbol): column for column, symbol in enumerate(symbols)}
    table = np.full((len(rows), len(symbols)), DEAD, dtype=np.int32)
    for state, row in enumerate(rows):
        table[state, [columns[char] for char in row]] = list(row.values())
    bounds = sorted({0, *symbols, *(symbol + 1 for symbol in symbols)} - {0x110000})
    classes = [columns.get(chr(bound), DEAD) for bound in bounds]
    return merge_columns(Dfa(bounds, classes, table, initial, accepting))


def explore(
    initial: State, step: Callable[[State, str], State | None], accepts: Callable[[State], bool], alphabet: str
) -> Dfa:
    """The minimal machine of a rule: every character is tried in every state, until no new state turns up.

    Args:
        initial: a state, any hashable value but None.
        step: the state behind a character, or None where the text is lost.
        accepts: whether a text may end in a state.
        alphabet: the characters to try.

    Raises:
        LimitExceeded: if it is larger than the limits of ``labkit.dfa``.

    Binary numbers that are multiples of three:

    >>> dfa = explore(0, lambda rest, bit: (2 * rest + int(bit)) % 3, lambda rest: rest == 0, "01")
    >>> len(dfa), dfa.step(dfa.initial, ord("2"))
    (3, -1)
    """
    states = [initial]
    numbers = {initial: 0}
    rows: list[dict[str, int]] = []
    for state in states:  # the list grows meanwhile
        targets = {char: target for char in alphabet if (target := step(state, char)) is not None}
        for target in targets.values():
            if numbers.setdefault(target, len(states)) == len(states):
                states.append(target)
        if len(states) > MAX_DFA_STATES:
            raise LimitExceeded("a machine made from texts or a rule has too many states", MAX_DFA_STATES)
        rows.append({char: numbers[target] for char, target in targets.items()})
    return minimize_dfa(tabulate(rows, 0, [accepts(state) for state in states]))
