"""How tests look at automata, guides and masks: by their steps and bits alone, with no function of any lab."""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from labkit.automata.dfa import DEAD, Dfa
from labkit.oracles.automata import accepts


def words(alphabet: str, most: int) -> list[str]:
    """All texts of at most so many characters."""
    return ["".join(chars) for length in range(most + 1) for chars in product(alphabet, repeat=length)]


def matched(dfa: Dfa, texts: list[str]) -> set[str]:
    """Those of the texts that an automaton matches."""
    return {text for text in texts if accepts(dfa, text)}


def samples(dfa: Dfa, choose: random.Random, count: int, steps: int = 60) -> Iterator[str]:
    """Texts that an automaton matches, by random walks that head for the nearest end after so many steps.

    Characters at the ends of ranges are as likely as all others together: faults sit there. No text comes if nothing
    matches.
    """
    away = _distances(dfa)
    if away[dfa.initial] is None:
        return
    rows = map(enumerate, dfa.transitions.tolist())
    moves = [[(c, target) for c, target in row if target != DEAD and away[target] is not None] for row in rows]
    for _ in range(count):
        state, text = dfa.initial, ""
        while moves[state] and not (dfa.accepting[state] and (len(text) >= steps or choose.random() < 0.1)):
            nearest = min(moves[state], key=lambda move: away[move[1]])
            symbol_class, state = nearest if len(text) >= steps else choose.choice(moves[state])
            first, last = choose.choice(dfa.class_ranges[symbol_class])
            text += chr(choose.choice([first, last, choose.randint(first, last)]))
        yield text


def _distances(dfa: Dfa) -> list[int | None]:
    """How many characters each state is away from an accepting one."""
    before: dict[int, set[int]] = {}
    for state, row in enumerate(dfa.transitions.tolist()):
        for target in row:
            before.setdefault(target, set()).add(state)
    away: list[int | None] = [0 if accepts else None for accepts in dfa.accepting.tolist()]
    waiting = [state for state, distance in enumerate(away) if distance == 0]
    for state in waiting:  # the list grows meanwhile
        for source in before.get(state, ()):
            if away[source] is None:
                away[source] = away[state] + 1
                waiting.append(source)
    return away


def ids_of(mask: np.ndarray) -> list[int]:
    """The tokens that a bitmask allows."""
    return np.unpackbits(mask.view(np.uint8), bitorder="little").nonzero()[0].tolist()


def read(guide: Any, text: str) -> list[int] | None:
    """The states of a guide over bytes on the way through a text, or None where a mask forbids its next byte."""
    states = [guide.initial]
    for byte in text.encode():
        if not guide.mask(states[-1])[byte // 32] >> byte % 32 & 1:
            return None
        states.append(guide.advance(states[-1], byte))
    return states
