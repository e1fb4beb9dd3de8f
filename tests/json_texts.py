"""Texts out of a machine, and values out of a schema: what the tests of lab 08's compiler are fed with."""

import json
import random
from collections import deque
from typing import Any

import numpy as np

from labkit.dfa import DEAD, Dfa

FORMS: tuple[dict[str, Any], ...] = (
    {"ensure_ascii": False},
    {"ensure_ascii": True},
    {"separators": (",", ":")},
    {"indent": 2, "ensure_ascii": False},
)
"""Ways in which json.dumps writes a value; the machine for flexible white space knows all of them."""


def distances(dfa: Dfa) -> list[float]:
    """The fewest characters from each state to an accepting one."""
    found = [0.0 if accepting else float("inf") for accepting in dfa.accepting]
    before: list[set[int]] = [set() for _ in found]
    for state, target in zip(*np.nonzero(dfa.transitions != DEAD), strict=True):
        before[int(dfa.transitions[state, target])].add(int(state))
    waiting = deque(state for state, distance in enumerate(found) if distance == 0)
    while waiting:
        state = waiting.popleft()
        for earlier in before[state]:
            if found[earlier] == float("inf"):
                found[earlier] = found[state] + 1
                waiting.append(earlier)
    return found


def sample_text(dfa: Dfa, rng: random.Random, length: int = 60) -> str:
    """A text that the machine matches: a random walk, that goes home after ``length`` characters."""
    home = distances(dfa)
    state, text = dfa.initial, ""
    while True:
        if dfa.accepting[state] and (rng.random() < 0.3 or not (dfa.transitions[state] != DEAD).any()):
            return text
        classes = np.flatnonzero(dfa.transitions[state] != DEAD).tolist()
        if len(text) >= length:
            nearest = min(home[dfa.transitions[state, c]] for c in classes) if classes else 0
            if dfa.accepting[state]:
                return text
            classes = [c for c in classes if home[dfa.transitions[state, c]] == nearest]
        chosen = rng.choice(classes)
        first, last = rng.choice(dfa.class_ranges[chosen])
        text += chr(rng.randint(first, min(last, first + 40)))
        state = int(dfa.transitions[state, chosen])


def written(value: Any) -> list[str]:
    """A value in all forms of json.dumps."""
    return [json.dumps(value, **form) for form in FORMS]
