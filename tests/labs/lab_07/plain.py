"""What a guide must answer, the plain way: each token on its own, byte by byte, and a search through all texts.

Nothing of lab 07 is used.
"""

from collections import defaultdict
from functools import cache
from math import inf

from labkit.oracles.automata import closed, living
from labkit.oracles.guides import END, BruteGuide

LEADS = {1: (0x00, 0x7F), 2: (0xC0, 0xDF), 3: (0xE0, 0xEF), 4: (0xF0, 0xF7)}
FEWEST = {1: 0, 2: 0x80, 3: 0x800, 4: 0x10000}
"""The first code point that needs so many bytes."""


def clipped(pieces, first, last):
    """Return the parts of some ranges of characters between two, counted from the first; each has its target."""
    return tuple(
        (max(low, first) - first, min(high, last) - first, target)
        for low, high, target in pieces
        if low <= last and first <= high
    )


class Plain(BruteGuide):
    """A guide through the texts of an automaton over characters.

    A state is the automaton's own, or how many bytes a character still lacks with where its last bits lead.
    """

    def __init__(self, dfa, vocabulary):
        super().__init__(vocabulary.eos_id, len(vocabulary))
        special = {*vocabulary.special_ids, self.eos_id}
        self.tokens = {i: token for i, token in enumerate(vocabulary.token_bytes) if token and i not in special}
        self.dfa, self.initial, self.live, self.far = dfa, dfa.initial, living(dfa), {}
        self.step, self.viable, self.leading_on = cache(self._step), cache(self._viable), cache(self._leading_on)

    def _leading_on(self, state):
        """Return the ranges of characters that lead on from a state, with the target; surrogates are none."""
        row = self.dfa.transitions[state].tolist()
        ranges = [(*each, row[c]) for c, ranges in enumerate(self.dfa.class_ranges) for each in ranges]
        found = []
        for low, high, target in sorted(ranges):
            for first, last in ((0, 0xD7FF), (0xE000, 0x10FFFF)):
                if target in self.live and low <= last and first <= high:
                    found.append((max(low, first), min(high, last), target))
        return found

    def _step(self, state, byte):
        if isinstance(state, int):
            size = next((n for n, (low, high) in LEADS.items() if low <= byte <= high), 0)
            if not size:
                return None
            missing, pieces, number = size - 1, self.leading_on(state), byte - LEADS[size][0]
            pieces = [(max(low, FEWEST[size]), high, target) for low, high, target in pieces if high >= FEWEST[size]]
        else:
            if not 0x80 <= byte <= 0xBF:
                return None
            missing, pieces, number = state[0] - 1, state[1], byte - 0x80
        first = number << 6 * missing
        pieces = clipped(pieces, first, first + (1 << 6 * missing) - 1)
        return None if not pieces else (missing, pieces) if missing else pieces[0][2]

    def _viable(self, state):
        found = {}
        for token_id, token in self.tokens.items() if state != END else ():
            here = state
            for byte in token:
                here = self.step(here, byte)
                if here is None:
                    break
            else:
                found[token_id] = here
        return found

    def accepts(self, state):
        return state == END or (isinstance(state, int) and bool(self.dfa.accepting[state]))

    def fewest(self, state, most=None):
        if state not in self.far:
            reached, before = closed([state], lambda here: self.viable(here).values()), defaultdict(set)
            for here in reached:
                for target in self.viable(here).values():
                    before[target].add(here)
            self.far |= dict.fromkeys(reached, inf)
            level, steps = {each for each in reached if self.accepts(each)}, 0
            while level:
                self.far |= dict.fromkeys(level, steps)
                level, steps = {s for t in level for s in before[t] if self.far[s] == inf}, steps + 1
        return self.far[state]

    def next_bytes(self, state):
        return bytes(byte for byte in range(256) if state != END and self.step(state, byte) is not None)
