"""The automaton of a finite set of texts, straight from their trie; and patterns that are such a set.

It is a tuned twin of the path through tree, ``Nfa`` and subsets, for one kind of pattern that is often long: a choice
of plain words. ``tests/mask_engine/test_lazy.py`` holds the two equal.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from labkit.automata.dfa import DEAD, Dfa
from labkit.automata.work import spend
from labs.lab_06_regex_to_dfa.given.check import MAX_PATTERN
from labs.lab_06_regex_to_dfa.given.columns import check_table, merge_columns

LONG = 100
"""A choice of words is compiled from its trie if the pattern has at least this many characters: it's a list then."""

_PLAIN = re.compile(r"[^()\[\]{}.*+?^$\\]*")


def words_of(pattern: str) -> list[str] | None:
    """Return the words of a long pattern that is nothing but a choice of them; None for every other pattern.

    >>> words_of("yes|no"), words_of("yes|no" * 100) == ["yes", *["noyes"] * 99, "no"]
    (None, True)
    """
    if not isinstance(pattern, str) or not LONG <= len(pattern) <= MAX_PATTERN or not _PLAIN.fullmatch(pattern):
        return None
    return pattern.split("|")


def literals(texts: Iterable[str]) -> Dfa:
    """Return the automaton of a finite set of texts: their trie, with equal subtries made one from the leaves upward.

    Raises:
        LimitExceeded: if it is larger than the limits of ``labkit.automata.dfa``.

    Source of the idea: minimal acyclic automata, Daciuk and others (2000), here for a trie that is ready.

    >>> dfa = literals(["red", "bed", "bid"])
    >>> len(dfa), dfa.class_of(ord("e")) == dfa.class_of(ord("i"))
    (5, False)
    """
    children, ends = trie_of(sorted(texts))  # so that equal nodes list their children in one order
    kept: dict[tuple[bool, tuple[tuple[str, int], ...]], int] = {}
    number = [0] * len(children)
    for node in reversed(range(len(children))):  # a child has a larger number than its parent
        below = tuple([(char, number[child]) for char, child in children[node].items()])
        number[node] = kept.setdefault((ends[node], below), len(kept))
    return tabulate([dict(below) for _, below in kept], number[0], [end for end, _ in kept])


def trie_of(texts: Iterable[str]) -> tuple[list[dict[str, int]], list[bool]]:
    """Return, for each node of a trie, the children by character, and whether a text ends there.

    >>> trie_of(["a", "ab"])
    ([{'a': 1}, {'b': 2}, {}], [False, True, True])
    """
    children: list[dict[str, int]] = [{}]
    ends = [False]
    for text in texts:
        node = 0
        for char in text:
            node = children[node].setdefault(char, len(children))
            if node == len(children):
                children.append({})
                ends.append(False)
        ends[node] = True
    return children, ends


def tabulate(rows: Sequence[Mapping[str, int]], initial: int, accepting: Sequence[bool]) -> Dfa:
    """Return the automaton whose transitions are given character by character.

    Args:
        rows: for each state the targets by character; all other characters are dead.

    Raises:
        LimitExceeded: if it is larger than the limits of ``labkit.automata.dfa``.

    >>> tabulate([{"a": 1, "b": 1}, {}], 0, [False, True]).class_ranges
    (((97, 98),),)
    """
    symbols = sorted({ord(char) for row in rows for char in row})
    check_table(len(rows), len(symbols))
    spend(10 * len(rows))
    columns = {chr(symbol): column for column, symbol in enumerate(symbols)}
    table = np.full((len(rows), len(symbols)), DEAD, dtype=np.int32)
    states = np.arange(len(rows)).repeat([len(row) for row in rows])
    table[states, [columns[char] for row in rows for char in row]] = [after for row in rows for after in row.values()]
    bounds = sorted({0, *symbols, *(symbol + 1 for symbol in symbols)} - {0x110000})
    classes = [columns.get(chr(bound), DEAD) for bound in bounds]
    return merge_columns(Dfa(bounds, classes, table, initial, accepting))
