"""Anchors as symbols, which become epsilon transitions where a text starts or ends."""

from enum import IntEnum

from labkit.automata.dfa import Nfa
from labkit.automata.syntax import Ranges
from mask_engine.ecma.classes import characters

START, END = 0xD800, 0xD801
"""The markers of the anchors: surrogates, which occur in no text."""


class Phase(IntEnum):
    """The position in a text: at its start, inside, at its end, or in an empty text."""

    BEGINNING = 0
    INSIDE = 1
    AT_END = 2
    EMPTY = 3


_ON_CHARACTER = {Phase.BEGINNING: Phase.INSIDE, Phase.INSIDE: Phase.INSIDE}
_ON_START = {Phase.BEGINNING: Phase.BEGINNING, Phase.EMPTY: Phase.EMPTY}
_ON_END = {
    Phase.BEGINNING: Phase.EMPTY,
    Phase.EMPTY: Phase.EMPTY,
    Phase.INSIDE: Phase.AT_END,
    Phase.AT_END: Phase.AT_END,
}
"""The phase after a character or an anchor. A missing entry means that it cannot occur there."""


def resolve_anchors(nfa: Nfa) -> Nfa:
    """Return the automaton without anchor markers: its states are pairs of a given state and a phase.

    An anchor may be passed any number of times, and in the empty text in any order: ``$^`` matches it.

    >>> nfa = Nfa()
    >>> nfa.accepting = nfa.add_state()
    >>> nfa.moves[0].append((((START, START),), 1))
    >>> resolved = resolve_anchors(nfa)
    >>> resolved.moves, resolved.epsilon, resolved.accepting
    ([[], [], []], [[2], [], [1]], 1)
    """
    made = _Resolved()
    kinds = {}
    for ranges in {ranges for moves in nfa.moves for ranges, _ in moves}:
        start, end = (any(first <= marker <= last for first, last in ranges) for marker in (START, END))
        kinds[ranges] = characters(ranges, negated=False), start, end
    made.number(nfa.initial, Phase.BEGINNING)
    for state, phase in made.pairs:  # the list grows meanwhile
        source = made.number(state, phase)
        for target in nfa.epsilon[state]:
            made.nfa.epsilon[source].append(made.number(target, phase))
        for ranges, target in nfa.moves[state]:
            made.add_move(source, phase, kinds[ranges], target)
        if state == nfa.accepting:
            made.nfa.epsilon[source].append(made.nfa.accepting)
    return made.nfa


Kinds = tuple[Ranges, bool, bool]
"""The characters of ranges, and whether they contain the START and the END marker."""


class _Resolved:
    """The automaton under construction: state 0 is initial, 1 accepts, the others are numbered as they come."""

    def __init__(self) -> None:
        self.nfa = Nfa()
        self.nfa.accepting = self.nfa.add_state()
        self.pairs: list[tuple[int, Phase]] = []
        self._numbers: dict[tuple[int, Phase], int] = {}

    def number(self, state: int, phase: Phase) -> int:
        """Return the number of a pair, adding it if it is new."""
        if (state, phase) not in self._numbers:
            self._numbers[state, phase] = self.nfa.add_state() if self.pairs else self.nfa.initial
            self.pairs.append((state, phase))
        return self._numbers[state, phase]

    def add_move(self, source: int, phase: Phase, kinds: Kinds, target: int) -> None:
        """Add the transitions of a move in a phase: on characters, and epsilon ones for anchors."""
        chars, is_start, is_end = kinds
        if chars and phase in _ON_CHARACTER:
            self.nfa.moves[source].append((chars, self.number(target, _ON_CHARACTER[phase])))
        if is_start and phase in _ON_START:
            self.nfa.epsilon[source].append(self.number(target, _ON_START[phase]))
        if is_end and phase in _ON_END:
            self.nfa.epsilon[source].append(self.number(target, _ON_END[phase]))
