"""Fixed questions to each function of lab 03. The answers distinguish one misconception from another.

Automata, tries and tables are given as data, so that a fault in one TODO shows as little as possible in the
answers of another.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from labkit.automata import Fsm
from labkit.automata.tries import Trie
from labkit.checking import Recorder
from labkit.checking.probing import Attempt, attempt

HEX = Fsm(({"0": 1}, {"x": 2}, dict.fromkeys("01f", 3), dict.fromkeys("01f", 3)), initial=0, accepting=frozenset({3}))
RING = Fsm(({"a": 1}, {"b": 0}, {}), initial=1, accepting=frozenset({0}))
"""An automaton that does not start in state 0 and has a state that allows nothing."""

TWIN = Fsm(({}, {"b": 1, " ": 1}, {}), initial=1, accepting=frozenset({1}))
"""As many states as RING, with other transitions; it is asked after RING, so that what a function keeps shows."""

APART = Fsm(({"b": 0}, {"b": 1}), initial=1, accepting=frozenset({1}))
"""State 0 is never reached from the initial state."""

SPACES = (" ", None, "b", " b", "b")
TEXTS = ("0", None, "x", "0x", "0x1", "", "1f", "1x", "0", "f")
LETTERS = ("a", "ab", "b", "ba", "", "aba", "bb")


def probe_partial_match(lab: Any) -> list[Attempt]:
    walks = [(HEX, 0, "0x1"), (HEX, 2, "1x"), (HEX, 3, "1f"), (HEX, 0, "x"), (HEX, 2, ""), (HEX, 0, "0gx")]
    walks += [(RING, 0, "ab"), (RING, 1, "ba"), (RING, 1, "b"), (RING, 1, "bb"), (RING, 0, ""), (RING, 2, "a")]
    walks += [(TWIN, 1, "bb"), (TWIN, 1, "ba"), (TWIN, 1, " ")]
    return [attempt(lab.partial_match, fsm, state, token) for fsm, state, token in walks]


def probe_allowed_tokens(lab: Any) -> list[object]:
    questions: list[tuple[Fsm, int, Sequence[str | None]]] = [(HEX, state, TEXTS) for state in range(4)]
    questions += [(RING, state, LETTERS) for state in range(3)]
    questions += [(TWIN, 1, LETTERS), (TWIN, 1, SPACES)]
    answers = [attempt(lab.allowed_tokens, *question) for question in questions]
    # with the order of a dictionary's keys, which its fingerprint would not show
    return [[answer, list(answer[1]) if isinstance(answer[1], dict) else None] for answer in answers]


def probe_build_trie(lab: Any) -> list[Attempt]:
    vocabularies: list[Sequence[str | None]] = [
        TEXTS,
        LETTERS,
        ("ab", "a", "ab"),
        (None, "a"),
        ("", "a"),
        (),
        ("x" * 9,),
        SPACES,
    ]
    return [attempt(_shape, lab, texts) for texts in vocabularies]


def _shape(lab: Any, texts: Sequence[str | None]) -> list[object]:
    """Return the trie by paths, whatever the numbers of its nodes."""
    trie = lab.build_trie(texts)
    paths: list[list[object]] = []
    waiting = [("", 0)]
    while waiting and len(paths) < 100:
        path, node = waiting.pop()
        paths.append([path, trie.ids[node]])
        waiting += [(path + char, below) for char, below in trie.children[node].items()]
    return [type(trie).__name__, len(trie), sorted(paths, key=str)]


def _trie() -> Trie:
    """Return a trie of 0, 0x, 0x1, 1f, x and x0 twice, f and ff; no token ends at the node of 1."""
    below = [{"0": 1, "x": 2, "1": 3, "f": 4}, {"x": 5}, {"0": 6}, {"f": 7}, {"f": 8}, {"1": 9}, {}, {}, {}, {}]
    return Trie(below, [[], [0], [1], [], [2], [3], [4, 5], [6], [7], [8]])


def _letters() -> Trie:
    """Return a trie of ab, aba and b: two of them lead a ring back to the state it was in."""
    return Trie([{"c": 5, "a": 1, "b": 4}, {"b": 2}, {"a": 3}, {}, {}, {}], [[], [], [0], [1], [2], [3]])


def _turned() -> Trie:
    """Return a trie of b, bb and ba with its nodes in no order, of the same size as one of ``_letters``."""
    return Trie([{"b": 5}, {}, {}, {}, {}, {"a": 4, "b": 2}], [[], [], [1], [], [3, 4], [2]])


def probe_walk_trie(lab: Any) -> list[object]:
    hex_rows = [attempt(lab.walk_trie, HEX, state, _trie()) for state in range(4)]
    ring_rows = [attempt(lab.walk_trie, RING, state, _letters()) for state in range(3)]
    chain = Trie([*({"a": node + 1} for node in range(3000)), {}], [[] for _ in range(3000)] + [[0]])
    trie = _turned()
    twice = [attempt(lab.walk_trie, fsm, state, trie) for fsm in (RING, TWIN) for state in (1, 0)]
    return [*hex_rows, *ring_rows, *twice, trie.ids, attempt(lab.walk_trie, Fsm(({"a": 0},), 0, frozenset()), 0, chain)]


def probe_generate(lab: Any) -> list[object]:
    def question(table: tuple[dict[int, int], ...], initial: int, us: list[float]) -> object:
        model = Recorder(lambda ids: np.array([len(ids), 1, 0], np.float32))
        return [attempt(lab.generate, model, table, initial, us), model.calls]

    return [
        question(({1: 2, 2: 0}, {0: 0}, {0: 1, 2: 2}), 0, [0.9, 0.1, 0.9, 0.4]),
        question(({1: 2, 2: 0}, {0: 0}, {0: 1, 2: 2}), 2, [0.1, 0.1, 0.9]),
        question(({}, {2: 0}), 1, [0.5, 0.5]),
        question(({},), 0, [0.5]),
        question(({0: 0, 1: 0, 2: 0},), 0, [0.05, 0.3, 0.95]),
        question(({0: 0},), 0, []),
        *_numbers(lab),
    ]


def _numbers(lab: Any) -> list[object]:
    """Return answers for numbers u of two types, with a model that keeps its array, and what is left of both."""
    logits, us = np.array([0, 1, 2], np.float32), [0.2, 0.9]
    table = ({0: 1, 1: 1}, {2: 0, 0: 0})
    got = [attempt(lab.generate, lambda ids: logits, table, 0, numbers) for numbers in (us, np.array([0.2, 0.9]))]
    ruled_out = np.array([0, float("-inf"), 0])
    got.append(attempt(lab.generate, lambda ids: ruled_out, table, 0, [0.9, 0.9]))
    return [*got, us, logits]
