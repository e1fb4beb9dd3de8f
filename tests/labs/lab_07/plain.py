"""What a guide must answer, the plain way: each token on its own, byte by byte, and a search through all texts.

Of lab 07 only ``byte_dfa`` is used, which the lab's own tests try with every byte in every state.
"""

from collections import defaultdict
from functools import cache
from math import inf

import numpy as np

from labkit.automata.dfa import DEAD
from labkit.oracles.guides import END, BruteGuide
from labs.lab_07_bytes_and_vocabularies.solution import byte_dfa


class Plain(BruteGuide):
    """A guide through the texts of an automaton over characters."""

    def __init__(self, dfa, vocabulary):
        super().__init__(vocabulary.eos_id, len(vocabulary))
        special = {*vocabulary.special_ids, self.eos_id}
        self.tokens = {i: token for i, token in enumerate(vocabulary.token_bytes) if token and i not in special}
        self.bytes, self.initial, self.far = byte_dfa(dfa), dfa.initial, {}
        self.steps, self.viable = cache(self._steps), cache(self._viable)

    def _steps(self, state):
        """Return where each byte leads."""
        return self.bytes.successors(np.full(256, state), self.bytes.byte_classes).tolist()

    def _viable(self, state):
        found = {}
        for token_id, token in self.tokens.items() if state != END else ():
            here = state
            for byte in token:
                here = self.steps(here)[byte]
                if here == DEAD:
                    break
            else:
                found[token_id] = here
        return found

    def accepts(self, state):
        return state == END or self.bytes.is_accepting(state)

    def fewest(self, state, most=None):
        if state not in self.far:
            reached, before = {state: None}, defaultdict(set)
            for here in (waiting := [state]):  # which grows
                for target in self.viable(here).values():
                    before[target].add(here)
                    if target not in reached:
                        reached[target] = waiting.append(target)
            self.far |= dict.fromkeys(reached, inf)
            level, steps = {each for each in reached if self.accepts(each)}, 0
            while level:
                self.far |= dict.fromkeys(level, steps)
                level, steps = {s for t in level for s in before[t] if self.far[s] == inf}, steps + 1
        return self.far[state]

    def next_bytes(self, state):
        return bytes(byte for byte in range(256) if state != END and self.steps(state)[byte] != DEAD)
