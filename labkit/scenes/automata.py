"""Walks over both kinds of automata, and what an automaton expects next."""

from collections.abc import Iterator, Sequence

import numpy as np

from labkit.automata import Dfa, Fsm
from labkit.automata.dfa import DEAD
from labkit.pictures import Svg, fsm_svg
from labkit.pictures.graphs.graph import graph_of

MOST_DRAWN = 40
"""The most states of an automaton that is drawn; of arrows there may be four times as many."""

_MOST = 3
"""How many characters, or ranges of them, are named."""


def follow(automaton: Fsm | Dfa, state: int, text: str) -> int | None:
    """Return the state after a text, or None.

    >>> from labkit.automata import decimal_fsm
    >>> follow(decimal_fsm(), 0, "1."), follow(decimal_fsm(), 0, "1.x")
    (2, None)
    """
    for char in text:
        if isinstance(automaton, Fsm):
            state = automaton.transitions[state].get(char, DEAD)
        else:
            state = automaton.step(state, ord(char))
        if state == DEAD:
            return None
    return state


def accepts_in(automaton: Fsm | Dfa, state: int) -> bool:
    """Return whether a text may end in this state.

    >>> from labkit.automata import decimal_fsm
    >>> accepts_in(decimal_fsm(), 2), accepts_in(decimal_fsm(), 3)
    (False, True)
    """
    return state in automaton.accepting if isinstance(automaton, Fsm) else bool(automaton.accepting[state])


def walked_svg(automaton: Fsm | Dfa | None, tokens: Sequence[str]) -> Iterator[Svg]:
    """Draw the way that these tokens take, each below the state that it led to last; nothing where that's too large.

    >>> from labkit.automata import decimal_fsm
    >>> [drawn.name for drawn in walked_svg(decimal_fsm(), ["1.", "5"])]
    ["The automaton after '1.5'"]
    """
    if automaton is None or len(automaton) > MOST_DRAWN or len(graph_of(automaton).arrows) > 4 * MOST_DRAWN:
        return
    path, notes = [automaton.initial], dict[int, str]()
    for token in tokens:
        ways = [follow(automaton, path[-1], token[:length]) for length in range(1, len(token) + 1)]
        path += [state for state in ways if state is not None]
        notes[path[-1]] = repr(token)
    yield fsm_svg(
        automaton, highlight=path[-1], path=path, notes=notes, title=f"The automaton after {''.join(tokens)!r}"
    )


def next_characters(automaton: Dfa, state: int) -> str:
    """Return the characters that lead on from a state, in words; empty where none does.

    >>> a_to_c_or_7 = Dfa([0, 55, 56, 97, 100], [-1, 0, -1, 0, -1], [[1], [-1]], 0, [False, True])
    >>> next_characters(a_to_c_or_7, 0), next_characters(a_to_c_or_7, 1)
    ("'7' or 'a' to 'c'", '')
    """
    classes = np.flatnonzero(automaton.transitions[state] != DEAD).tolist()
    ranges = sorted(bounds for symbols in classes for bounds in automaton.class_ranges[symbols])
    named = [repr(chr(a)) if a == b else f"{chr(a)!r} to {chr(b)!r}" for a, b in ranges]
    if len(named) > _MOST:
        return ", ".join(named[:_MOST]) + " ..."
    return " or ".join(filter(None, [", ".join(named[:-1]), *named[-1:]]))
