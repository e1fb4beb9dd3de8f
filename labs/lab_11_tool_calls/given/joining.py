"""The types that ``failure_links`` and ``join`` fill, and what ``join`` needs to stack tables.

At the end is what the engine does to your automaton: skip what the prompt has written (``after``), and take away what a
request or a format doesn't allow (``bounded``).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import DEAD, Dfa

Node = int
"""How much of a trigger has just been written: a node of the trie of triggers. Node 0 is the root: nothing."""


@dataclass(frozen=True)
class Triggers:
    """The triggers as an Aho-Corasick automaton (Aho and Corasick, 1975).

    Args:
        children: for each node, the child by each character.
        failure: for each node, the node of the longest proper suffix of its text that is a node too.
        found: for each node, the trigger that its text ends with, or None.

    >>> Triggers([{"a": 1}, {"b": 2}, {}], [0, 0, 0], [None, None, "ab"]).depths
    [0, 1, 2]
    """

    children: Sequence[Mapping[str, Node]]
    failure: Sequence[Node]
    found: Sequence[str | None]

    @property
    def depths(self) -> list[int]:
        """How many characters lead to each node."""
        depths = [0] * len(self.children)
        for node, below in enumerate(self.children):  # a child has a higher number than its parent
            for child in below.values():
                depths[child] = depths[node] + 1
        return depths


@dataclass(frozen=True)
class Joined:
    """Free text and calls as one automaton.

    Args:
        dfa: the automaton. Its first ``len(held)`` states read free text, all others are inside a call.
        held: for each free state, how many characters of a trigger have just been written.

    >>> Joined(Dfa([0], [0], [[0]], 0, [True]), [0]).held
    [0]
    """

    dfa: Dfa
    held: Sequence[int]


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
    """Return classes that suit all automata: each treats the characters of a class alike. ``chars`` are alone.

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


def walk(dfa: Dfa, text: str) -> int:
    """Return the state after a text, -1 where it is dead.

    >>> walk(Dfa([0, 48, 58], [-1, 0, -1], [[1], [1]], 0, [False, True]), "7")
    1
    """
    state = dfa.initial
    for symbol in map(ord, text):
        if state != DEAD:
            state = dfa.step(state, symbol)
    return state


def after(dfa: Dfa, text: str) -> Dfa:
    """Return the automaton of what may follow a text, which the given automaton must survive.

    >>> after(Dfa([0, 48, 58], [-1, 0, -1], [[1], [1]], 0, [False, True]), "7").initial
    1
    """
    return Dfa(dfa.bounds, dfa.classes, dfa.transitions, walk(dfa, text), dfa.accepting, symbols=dfa.symbols)


def bounded(dfa: Dfa, size: int, first: Collection[str] | None, last: Collection[str] | None) -> Dfa:
    """Keep only the answers that begin with a call, or that end with their calls, or both.

    Args:
        dfa: of answers with calls. Its first ``size`` states read free text before a call, the next as many after one.
        first: the openings with which an answer has to begin; None if it may say something first.
        last: the openings that may come right after a call; None if anything may.

    >>> dfa = Dfa([0, 60, 61], [0, 1, 0], [[0, 1], [1, 0]], 0, [False, True])
    >>> bounded(dfa, 1, ["<"], None).transitions.tolist(), bounded(dfa, 1, None, []).transitions.tolist()
    ([[-1, 1], [1, 0]], [[0, 1], [-1, -1]])
    """
    table, accepting = dfa.transitions.copy(), dfa.accepting.copy()
    for root, openings in ((0, first), (size, last)):
        if openings is None:
            continue
        table[root : root + size] = DEAD
        for text in openings:
            state, steps = root, list[tuple[int, int]]()
            for symbol in map(ord, text):
                if not root <= state < root + size:
                    break
                steps.append((state, dfa.class_of(symbol)))
                state = dfa.step(state, symbol)
            # Skip an opening in which another one is complete before its end, and one that mustn't open a call.
            if len(steps) == len(text) and state != DEAD and not root <= state < root + size:
                for step in steps:
                    table[step] = dfa.transitions[step]
    if first is None:
        accepting[:size] = True
    if last is not None:
        accepting[size + 1 : 2 * size] = False
    return Dfa(dfa.bounds, dfa.classes, table, dfa.initial, accepting)


def rows_of(dfa: Dfa, symbols: Sequence[str]) -> NDArray[np.int32]:
    """Return where each state leads by each of some characters: ``int32[S, len(symbols)]``, -1 where it is dead.

    >>> rows_of(Dfa([0, 48, 58], [-1, 0, -1], [[1], [1]], 0, [False, True]), ["7", "x"]).tolist()
    [[1, -1], [1, -1]]
    """
    dead = np.full((len(dfa), 1), DEAD, np.int32)
    return np.hstack([dfa.transitions, dead])[:, [dfa.class_of(ord(symbol)) for symbol in symbols]]
