"""The graph of an automaton of any kind: its states, and the arrows between them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import singledispatch

import numpy as np

from labkit.automata import Dfa, Fsm, Nfa
from labkit.automata.dfa import CODE_POINTS, DEAD
from labkit.automata.syntax import Ranges
from labkit.pictures.graphs.labels import Arrow, range_label

Automaton = Fsm | Dfa | Nfa
"""What can be drawn."""


@dataclass(frozen=True)
class Symbols:
    """The symbols of an arrow: canonical ranges of code points or bytes, and whether it is an epsilon transition too.

    >>> Symbols(((48, 57),), epsilon=True).label(), Symbols((), epsilon=True).label(unicode=False)
    ('ε, [0-9]', 'eps')
    """

    ranges: Ranges
    epsilon: bool = False
    alphabet: int = CODE_POINTS

    def label(self, *, limit: int | None = None, unicode: bool = True) -> str:
        """Return the symbols as a text of about ``limit`` characters at most."""
        parts = ["ε" if unicode else "eps"] if self.epsilon else []
        if self.ranges:
            parts.append(range_label(self.ranges, limit=limit, unicode=unicode, alphabet=self.alphabet))
        return ", ".join(parts)


@dataclass(frozen=True)
class Graph:
    """States 0 to ``len(graph) - 1``, and the arrows between them, in order, with their symbols."""

    states: int
    initial: int
    accepting: frozenset[int]
    arrows: Mapping[Arrow, Symbols]

    def __len__(self) -> int:
        return self.states

    def following(self) -> list[list[int]]:
        """Return, for each state, the states that its arrows lead to, ascending."""
        found: list[list[int]] = [[] for _ in range(self.states)]
        for source, target in self.arrows:
            found[source].append(target)
        return found


@singledispatch
def graph_of(automaton: Automaton) -> Graph:
    """Return an automaton as a graph; transitions between the same two states are one arrow.

    >>> graph = graph_of(Fsm(({"b": 0, "a": 0},), 0, frozenset({0})))
    >>> {arrow: symbols.ranges for arrow, symbols in graph.arrows.items()}
    {(0, 0): ((97, 98),)}

    Raises:
        TypeError: for anything but the automata of ``labkit.automata``.
    """
    raise TypeError(f"this is no automaton to draw: {automaton!r:.80}")


@graph_of.register
def _(automaton: Fsm) -> Graph:
    found: dict[Arrow, list[tuple[int, int]]] = {}
    for state, row in enumerate(automaton.transitions):
        for char, target in row.items():
            found.setdefault((state, target), []).append((ord(char), ord(char)))
    arrows = {arrow: Symbols(_union(found[arrow])) for arrow in sorted(found)}
    return Graph(len(automaton), automaton.initial, automaton.accepting, arrows)


@graph_of.register
def _(automaton: Dfa) -> Graph:
    found: dict[Arrow, list[tuple[int, int]]] = {}
    for state, symbol_class in zip(*np.nonzero(automaton.transitions != DEAD), strict=True):
        ranges = automaton.class_ranges[symbol_class]  # none, if no symbol has this class
        if ranges:
            found.setdefault((int(state), int(automaton.transitions[state, symbol_class])), []).extend(ranges)
    arrows = {arrow: Symbols(_union(found[arrow]), alphabet=automaton.symbols) for arrow in sorted(found)}
    accepting = frozenset(np.flatnonzero(automaton.accepting).tolist())
    return Graph(len(automaton), automaton.initial, accepting, arrows)


@graph_of.register
def _(automaton: Nfa) -> Graph:
    found: dict[Arrow, list[tuple[int, int]]] = {}
    for state, moves in enumerate(automaton.moves):
        for ranges, target in moves:
            if ranges:  # a class without characters leads nowhere
                found.setdefault((state, target), []).extend(ranges)
    silent = {(state, target) for state, row in enumerate(automaton.epsilon) for target in row}
    pairs = sorted(found.keys() | silent)
    arrows = {arrow: Symbols(_union(found.get(arrow, ())), arrow in silent) for arrow in pairs}
    return Graph(len(automaton), automaton.initial, frozenset({automaton.accepting}), arrows)


def _union(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return the ranges as canonical ones. (Lab 06 has the same as an exercise, so it cannot be imported.)"""
    union: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if union and first <= union[-1][1] + 1:
            first, last = union[-1][0], max(last, union.pop()[1])
        union.append((first, last))
    return tuple(union)
