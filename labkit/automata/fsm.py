"""Automata over characters, as plain data. The labs build them and walk them; the types check themselves.

``Nfa`` and ``Dfa``, over classes of symbols, are defined in ``labkit.automata.dfa`` and exported here too.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from labkit.automata.dfa import Dfa, Nfa
from labkit.errors import LimitExceeded

__all__ = ["MAX_CLASS", "Atom", "Dfa", "Fsm", "Nfa", "decimal_fsm"]

MAX_CLASS = 4096
"""The most characters that one atom may name. Lab 06 keeps classes as ranges and needs no such limit."""


@dataclass(frozen=True)
class Atom:
    """One piece of a lab 02 pattern: the characters that it matches, and whether ``+`` repeats it.

    ``source`` is the text of the atom in the pattern, and ``position`` where that text starts.

    >>> Atom(chars=frozenset("ab"), plus=True, source="[ab]+", position=2).source
    '[ab]+'
    >>> Atom(chars=frozenset(), plus=False, source="[]", position=0)
    Traceback (most recent call last):
    ValueError: the atom '[]' matches no character
    """

    chars: frozenset[str]
    plus: bool
    source: str
    position: int

    def __post_init__(self) -> None:
        if not self.chars:
            raise ValueError(f"the atom {self.source!r} matches no character")
        if set(map(len, self.chars)) != {1}:
            raise ValueError(f"the atom {self.source!r} must hold single characters, not {set(self.chars)!r}")
        if len(self.chars) > MAX_CLASS:
            raise LimitExceeded(
                f"{self.source!a} at position {self.position} names {len(self.chars):,} characters", MAX_CLASS
            )


@dataclass(frozen=True)
class Fsm:
    """A deterministic finite automaton over characters.

    ``transitions[state][char]`` is the next state; a missing entry means that the automaton dies there.
    States are ``0 .. len(transitions) - 1``.

    >>> two_as = Fsm(transitions=({"a": 1}, {"a": 2}, {}), initial=0, accepting=frozenset({2}))
    >>> len(two_as), two_as.transitions[1]["a"], two_as.transitions[2].get("a")
    (3, 2, None)
    >>> Fsm(transitions=({"a": 7},), initial=0, accepting=frozenset())
    Traceback (most recent call last):
    ValueError: state 0 goes on 'a' to state 7, but the states are 0 to 0
    """

    transitions: tuple[Mapping[str, int], ...]
    initial: int
    accepting: frozenset[int]

    def __post_init__(self) -> None:
        if not self.transitions:
            raise ValueError("an automaton needs at least one state")
        self._check_state(self.initial, "the automaton starts in")
        for state in self.accepting:
            self._check_state(state, "the automaton accepts in")
        for state, row in enumerate(self.transitions):
            for char, target in row.items():
                if len(char) != 1:
                    raise ValueError(f"state {state} has a transition on {char!r}, which is not one character")
                self._check_state(target, f"state {state} goes on {char!r} to")

    def _check_state(self, state: int, what: str) -> None:
        if not 0 <= state < len(self.transitions):
            raise ValueError(f"{what} state {state}, but the states are 0 to {len(self.transitions) - 1}")

    def __len__(self) -> int:
        """Return the number of states."""
        return len(self.transitions)


def hex_fsm() -> Fsm:
    """Return the automaton of ``0x[0-9a-f]+``, written by hand: what lab 02 begins with, before it compiles patterns.

    State 0 is the start, 1 has read the 0, 2 has read the x, 3 has read a digit.

    >>> automaton = hex_fsm()
    >>> automaton.transitions[:2], automaton.transitions[2]["f"], automaton.initial, sorted(automaton.accepting)
    (({'0': 1}, {'x': 2}), 3, 0, [3])
    """
    digit = dict.fromkeys("0123456789abcdef", 3)
    return Fsm(transitions=({"0": 1}, {"x": 2}, digit, dict(digit)), initial=0, accepting=frozenset({3}))


def decimal_fsm() -> Fsm:
    r"""Return the automaton of ``([0-9]+)?\.[0-9]+``, written by hand because lab 02's language has no ``?``.

    State 0 is the start, 1 has read digits, 2 has read the dot, 3 has read a digit after it.

    >>> automaton = decimal_fsm()
    >>> automaton.transitions[0]["."], automaton.transitions[2]["7"], sorted(automaton.accepting)
    (2, 3, [3])
    """
    digits = "0123456789"
    before = {**dict.fromkeys(digits, 1), ".": 2}
    after = dict.fromkeys(digits, 3)
    return Fsm(transitions=(before, dict(before), after, dict(after)), initial=0, accepting=frozenset({3}))
