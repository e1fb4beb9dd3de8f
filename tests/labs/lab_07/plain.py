"""What a guide must answer, the plain way: each token on its own, byte by byte, and a search through all texts.

Nothing of lab 07 is used.
"""

from functools import cache
from math import inf

import numpy as np

from labkit.errors import TokenNotAllowed
from labkit.oracles.automata import living

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


class Plain:
    """A guide through the texts of an automaton over characters.

    A state is the automaton's own, or how many bytes a character still lacks with where its last bits lead; None is the
    finished state.
    """

    def __init__(self, dfa, vocabulary):
        self.dfa, self.eos_id = dfa, vocabulary.eos_id
        special = set(vocabulary.special_ids) | {self.eos_id}
        self.tokens = [b"" if i in special else token or b"" for i, token in enumerate(vocabulary.token_bytes)]
        self.initial = dfa.initial
        self.live = living(dfa)
        self.step, self.after, self.far = cache(self._step), cache(self._after), {}
        self.leading_on = cache(self._leading_on)

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
        if state is None:
            return None
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

    def _after(self, state):
        """Return where each token leads that is alive."""
        found = {}
        for token_id, token in enumerate(self.tokens):
            here = state if token else None
            for byte in token:
                here = self.step(here, byte)
            if here is not None:
                found[token_id] = here
        return found

    def is_accepting(self, state):
        return state is None or (isinstance(state, int) and bool(self.dfa.accepting[state]))

    def tokens_to_accept(self, state):
        if state not in self.far:
            reached, before = [state], {}
            for here in reached:  # which grows
                for target in set(self.after(here).values()):
                    if target not in before:
                        before[target] = []
                        if target != state:
                            reached.append(target)
                    before[target].append(here)
            self.far |= dict.fromkeys(reached, inf)
            level, steps = [each for each in reached if self.is_accepting(each)], 0
            while level:
                self.far |= dict.fromkeys(level, steps)
                level, steps = (
                    [e for e in {s for t in level for s in before.get(t, ())} if self.far[e] == inf],
                    steps + 1,
                )
        return self.far[state]

    def allowed(self, state, remaining=None):
        """Return the tokens that may come next, EOS among them."""
        most = inf if remaining is None else remaining - 2
        living = {i for i, target in self.after(state).items() if most == inf or self.tokens_to_accept(target) <= most}
        return living | ({self.eos_id} if state is not None and self.is_accepting(state) else set())

    def mask(self, state, remaining=None):
        words = [0] * (len(self.tokens) // 32 + (len(self.tokens) % 32 > 0))
        for token_id in self.allowed(state, remaining):
            words[token_id // 32] |= 1 << token_id % 32
        return np.array(words, np.uint32).view(np.int32)

    def next_bytes(self, state):
        return bytes(byte for byte in range(256) if self.step(state, byte) is not None)

    def advance(self, state, token_id):
        if token_id == self.eos_id and state is not None and self.is_accepting(state):
            return None
        if token_id not in self.after(state):
            raise TokenNotAllowed(token_id, f"state {state}")
        return self.after(state)[token_id]
