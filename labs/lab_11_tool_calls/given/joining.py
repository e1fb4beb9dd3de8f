"""Automata side by side in one table: the classes that serve all of them."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import DEAD, Dfa


class Alphabet(NamedTuple):
    """Classes of characters: see ``Dfa``; ``symbols`` has one character of each class.

    >>> alphabet = shared_alphabet([], "<")
    >>> alphabet.bounds, alphabet.classes, alphabet.symbols
    ([0, 60, 61], [0, 1, 0], ['\\x00', '<'])
    """

    bounds: list[int]
    classes: list[int]
    symbols: list[str]


def shared_alphabet(automata: Sequence[Dfa], chars: Collection[str]) -> Alphabet:
    """Return classes so fine that all automata treat the characters of one alike, and each of ``chars`` is alone.

    >>> digits = Dfa([0, 48, 58], [-1, 0, -1], [[1], [1]], 0, [False, True])
    >>> len(shared_alphabet([digits], "0<").symbols)
    4
    """
    alone = {ord(char) for char in chars}
    bounds = sorted({0, *alone, *(code + 1 for code in alone), *(b for dfa in automata for b in dfa.bounds.tolist())})
    numbers: dict[tuple[int, ...], int] = {}
    classes, symbols = [], []
    for code in bounds:
        kind = (code if code in alone else -1, *(dfa.class_of(code) for dfa in automata))
        if kind not in numbers:
            numbers[kind] = len(numbers)
            symbols.append(chr(code))
        classes.append(numbers[kind])
    return Alphabet(bounds, classes, symbols)


def without_text_before(dfa: Dfa, size: int, openings: Collection[str]) -> Dfa:
    """Return the automaton of those answers that begin with an opening.

    Args:
        dfa: of answers; its first ``size`` states read free text before a call.
        openings: the texts after which a call begins. One in which another is found is left out.

    >>> dfa = Dfa([0, 60, 61], [0, 1, 0], [[0, 1], [1, 1]], 0, [True, True])
    >>> without_text_before(dfa, 1, ["<"]).transitions.tolist()
    [[-1, 1], [1, 1]]
    """
    table = dfa.transitions.copy()
    table[:size] = DEAD
    for text in openings:
        state, steps = dfa.initial, list[tuple[int, int]]()
        for symbol in map(ord, text):
            if not 0 <= state < size:
                break
            steps.append((state, dfa.class_of(symbol)))
            state = dfa.step(state, symbol)
        if len(steps) == len(text) and state >= size:
            for step in steps:
                table[step] = dfa.transitions[step]
    return Dfa(dfa.bounds, dfa.classes, table, dfa.initial, dfa.accepting)


def rows_of(dfa: Dfa, symbols: Sequence[str]) -> NDArray[np.int32]:
    """Return where each state leads by each of some characters: ``int32[S, len(symbols)]``, -1 where it is dead.

    >>> rows_of(Dfa([0, 48, 58], [-1, 0, -1], [[1], [1]], 0, [False, True]), ["7", "x"]).tolist()
    [[1, -1], [1, -1]]
    """
    dead = np.full((len(dfa), 1), DEAD, np.int32)
    return np.hstack([dfa.transitions, dead])[:, [dfa.class_of(ord(symbol)) for symbol in symbols]]
