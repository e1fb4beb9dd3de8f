"""A byte automaton with its pairs written out, so that it can be drawn like any other automaton."""

import numpy as np

from labkit.automata.byte_dfa import ByteDfa
from labkit.automata.dfa import BYTES, DEAD, Dfa


def written_out(automaton: ByteDfa) -> tuple[Dfa, tuple[int, ...]]:
    """Return a plain automaton over bytes of the reachable states, and the number of each of them in ``automaton``.

    The states keep their order. So if all states between characters are reachable, these keep their numbers too, and
    those in the middle of a character come after them.

    The automaton of ``é+``; é is the bytes C3 A9, and states 2 and 3 are after the first of them:

    >>> from labs.lab_07_bytes_and_vocabularies.solution import byte_dfa
    >>> eacute = Dfa([0, 0xE9, 0xEA], [-1, 0, -1], [[1], [1]], initial=0, accepting=[False, True])
    >>> flat, states = written_out(byte_dfa(eacute))
    >>> states, flat.symbols, flat.step(0, 0xC3), flat.step(2, 0xA9), flat.step(2, 0xC3)
    ((0, 1, 2, 3), 256, 2, 1, -1)
    """
    rows = _rows(automaton)
    states = sorted(rows)
    number = {state: place for place, state in enumerate(states)} | {DEAD: DEAD}
    table = [[number[target] for target in rows[state]] for state in states]
    bounds = np.flatnonzero(np.diff(automaton.byte_classes, prepend=-1))
    accepting = [automaton.is_accepting(state) for state in states]
    flat = Dfa(bounds, automaton.byte_classes[bounds], table, number[automaton.initial], accepting, symbols=BYTES)
    return flat, tuple(states)


def _rows(automaton: ByteDfa) -> dict[int, list[int]]:
    """Return, for each reachable state, the state after each class of bytes."""
    every_class = np.arange(automaton.n_byte_classes)
    rows: dict[int, list[int]] = {}
    waiting = [automaton.initial]
    while waiting:
        state = waiting.pop()
        if state not in rows and state != DEAD:
            rows[state] = automaton.successors(np.full(len(every_class), state), every_class).tolist()
            waiting += rows[state]
    return rows
