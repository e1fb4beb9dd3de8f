"""The graph of an automaton of any kind: its states, and the arrows between them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
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

    An arrow of ``joined`` has words instead.

    >>> Symbols(((48, 57),), epsilon=True).label(), Symbols((), epsilon=True).label(unicode=False)
    ('ε, [0-9]', 'eps')
    """

    ranges: Ranges
    epsilon: bool = False
    alphabet: int = CODE_POINTS
    words: str = ""

    def label(self, *, limit: int | None = None, unicode: bool = True) -> str:
        """Return the symbols as a text of about ``limit`` characters at most; words stay whole."""
        if self.words:
            return self.words
        parts = ["ε" if unicode else "eps"] if self.epsilon else []
        if self.ranges:
            parts.append(range_label(self.ranges, limit=limit, unicode=unicode, alphabet=self.alphabet))
        return ", ".join(parts)


@dataclass(frozen=True)
class Graph:
    """The numbers of the states, ascending, and the arrows between them, in order, with their symbols."""

    states: Sequence[int]
    initial: int
    accepting: frozenset[int]
    arrows: Mapping[Arrow, Symbols]

    def __len__(self) -> int:
        return len(self.states)

    def distances(self, start: int) -> dict[int, int]:
        """Return how many arrows away from a state each state is that can be reached from there."""
        following: dict[int, list[int]] = {}
        for source, target in self.arrows:
            following.setdefault(source, []).append(target)
        found, waiting = {start: 0}, [start]
        for state in waiting:  # the list grows meanwhile
            new = [target for target in following.get(state, ()) if target not in found]
            found |= dict.fromkeys(new, found[state] + 1)
            waiting += new
        return found

    def backward(self) -> set[Arrow]:
        """Return the arrows of a loop that lead back, to a state no farther away from the initial one."""
        far = self.distances(self.initial)
        nearer = {(one, other) for one, other in self.arrows if far.get(other, 0) <= far.get(one, 0)}
        return {(one, other) for one, other in nearer if one in self.distances(other)}


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
    return Graph(range(len(automaton)), automaton.initial, automaton.accepting, arrows)


@graph_of.register
def _(automaton: Dfa) -> Graph:
    found: dict[Arrow, list[tuple[int, int]]] = {}
    for state, symbol_class in zip(*np.nonzero(automaton.transitions != DEAD), strict=True):
        ranges = automaton.class_ranges[symbol_class]  # none, if no symbol has this class
        if ranges:
            found.setdefault((int(state), int(automaton.transitions[state, symbol_class])), []).extend(ranges)
    arrows = {arrow: Symbols(_union(found[arrow]), alphabet=automaton.symbols) for arrow in sorted(found)}
    accepting = frozenset(np.flatnonzero(automaton.accepting).tolist())
    return Graph(range(len(automaton)), automaton.initial, accepting, arrows)


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
    return Graph(range(len(automaton)), automaton.initial, frozenset({automaton.accepting}), arrows)


def joined(graph: Graph, kept: Iterable[int] = ()) -> Graph:
    """Return the graph with each chain of single characters as one arrow, which has a word; ``kept`` states stay.

    >>> fsm = Fsm(({"n": 1}, {"o": 2}, {"w": 3}, {}), 0, frozenset({3}))
    >>> {arrow: symbols.label() for arrow, symbols in joined(graph_of(fsm)).arrows.items()}
    {(0, 3): 'now'}
    """
    labels = {arrow: symbols.label() for arrow, symbols in graph.arrows.items() if symbols.ranges}
    single = {arrow: label for arrow, label in labels.items() if len(label) == 1}
    after, inside = dict(single.keys()), _inside(graph, set(single)) - set(kept)
    arrows: dict[Arrow, Symbols] = {}
    for (source, target), symbols in graph.arrows.items():
        if source in inside:
            continue
        end, word = target, symbols.label()
        while end in inside:
            end, word = after[end], word + single[end, after[end]]
        other = [arrows[source, end].label()] if (source, end) in arrows else []
        arrows[source, end] = symbols if end == target and not other else Symbols((), words="|".join([*other, word]))
    states = [state for state in graph.states if state not in inside]
    return Graph(states, graph.initial, graph.accepting, dict(sorted(arrows.items())))


def _inside(graph: Graph, single: set[Arrow]) -> set[int]:
    """Return the states with one arrow in and one out, both of a single character, where no text starts or ends."""
    sources, targets = (Counter(arrow[end] for arrow in graph.arrows) for end in (0, 1))
    lone = {state for state in graph.states if sources[state] == targets[state] == 1}
    reads, read = ({arrow[end] for arrow in single} for end in (0, 1))
    return lone & reads & read - {graph.initial, *graph.accepting}


def _union(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return the ranges as canonical ones. (Lab 06 has the same as an exercise, so it cannot be imported.)"""
    union: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if union and first <= union[-1][1] + 1:
            first, last = union[-1][0], max(last, union.pop()[1])
        union.append((first, last))
    return tuple(union)
