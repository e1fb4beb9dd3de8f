"""Automata spliced into automata: a symbol of a skeleton is replaced by a whole language, or by nothing.

These symbols are *markers*: the 2,048 surrogates (D800 to DFFF), which occur in no JSON text.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np

from labkit.automata.dfa import DEAD, Dfa, Nfa
from labkit.automata.syntax import Ranges
from labs.lab_06_regex_to_dfa.solution import complement_ranges, merge_ranges, minimize_dfa, nfa_to_dfa


def substitute(skeleton: Dfa, automata: Mapping[int, Dfa]) -> Dfa:
    """Return a skeleton with a language in place of a symbol: where it read the symbol, it reads any text of it.

    Each transition on the symbol becomes a copy of the automaton, with an epsilon transition from each of its
    accepting states to the target. Transitions on one symbol to one target share a copy.

    Args:
        skeleton: over code points.
        automata: by symbol (a code point). Other symbols of the skeleton are kept, and so are all symbols of the
            automata.

    Returns:
        A minimal automaton.

    Raises:
        LimitExceeded: beyond the limits of ``labkit.automata.dfa``.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
    >>> lists = substitute(compile_dfa("<N(,N)*>"), {ord("N"): compile_dfa("[0-9]+")})
    >>> fullmatch(lists, "<1,23,4>"), fullmatch(lists, "<1,,4>"), fullmatch(lists, "<N>")
    (True, False, False)
    """
    nfa = _begin(skeleton, automata)
    copies: dict[tuple[int, int], int] = {}
    for symbol, automaton in automata.items():
        for state, target in _transitions_on(skeleton, symbol):
            if (symbol, target) not in copies:
                copies[symbol, target] = automaton.initial + _add_copy(nfa, automaton, end=target)
            nfa.epsilon[state].append(copies[symbol, target])
    return minimize_dfa(nfa_to_dfa(nfa))


def erase(dfa: Dfa, symbols: Collection[int]) -> Dfa:
    """Return the minimal automaton of a language with some symbols deleted from its texts.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
    >>> erased = erase(compile_dfa("a-b|c-+"), [ord("-")])
    >>> fullmatch(erased, "ab"), fullmatch(erased, "c"), fullmatch(erased, "c-")
    (True, True, False)
    """
    nfa = _begin(dfa, symbols)
    for symbol in symbols:
        for state, target in _transitions_on(dfa, symbol):
            nfa.epsilon[state].append(target)
    return minimize_dfa(nfa_to_dfa(nfa))


def _begin(dfa: Dfa, without: Collection[int]) -> Nfa:
    """Return an ``Nfa`` of an automaton's states without its transitions on some symbols, and one more that accepts."""
    nfa = Nfa()
    while len(nfa) < len(dfa) + 1:
        nfa.add_state()
    nfa.initial, nfa.accepting = dfa.initial, len(dfa)
    gaps = merge_ranges((symbol, symbol) for symbol in without)
    _add_transitions(nfa, dfa, 0, [_subtract(ranges, gaps) for ranges in dfa.class_ranges])
    _add_ends(nfa, dfa, 0, nfa.accepting)
    return nfa


def _add_copy(nfa: Nfa, dfa: Dfa, end: int) -> int:
    """Add the states of an automaton, with epsilon transitions to ``end``; return the number of its state 0."""
    first = nfa.add_state()
    while len(nfa) < first + len(dfa):
        nfa.add_state()
    _add_transitions(nfa, dfa, first, dfa.class_ranges)
    _add_ends(nfa, dfa, first, end)
    return first


def _add_transitions(nfa: Nfa, dfa: Dfa, first: int, ranges_of_class: Sequence[Ranges]) -> None:
    states, classes = np.nonzero(dfa.transitions != DEAD)
    targets = dfa.transitions[states, classes] + first
    for state, symbol_class, target in zip(states.tolist(), classes.tolist(), targets.tolist(), strict=True):
        nfa.moves[first + state].append((ranges_of_class[symbol_class], target))


def _add_ends(nfa: Nfa, dfa: Dfa, first: int, end: int) -> None:
    for state in np.flatnonzero(dfa.accepting).tolist():
        nfa.epsilon[first + state].append(end)


def _transitions_on(dfa: Dfa, symbol: int) -> Iterator[tuple[int, int]]:
    """Yield the states that read a symbol, each with its target."""
    symbol_class = dfa.class_of(symbol)
    if symbol_class != DEAD:
        column = dfa.transitions[:, symbol_class]
        states = np.flatnonzero(column != DEAD)
        yield from zip(states.tolist(), column[states].tolist(), strict=True)


def _subtract(ranges: Ranges, gaps: Ranges) -> Ranges:
    """Return canonical ranges without the code points of others."""
    return complement_ranges(merge_ranges((*complement_ranges(ranges), *gaps)))
