"""Fixed questions to each function of lab 02. The answers distinguish one misconception from another.

Functions that take atoms or automata get them as data, so that a fault in one TODO shows as little as
possible in the answers of another.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from labkit.automata import Atom, Fsm
from labkit.checking import Recorder
from labkit.checking.probing import Attempt, attempt
from labkit.models import uniform

HEX = Fsm(({"0": 1}, {"x": 2}, dict.fromkeys("01f", 3), dict.fromkeys("01f", 3)), initial=0, accepting=frozenset({3}))
RING = Fsm(({"a": 1}, {"b": 0}), initial=0, accepting=frozenset({0}))
LOOP = Fsm(({"a": 0, " ": 0}, {}), initial=0, accepting=frozenset({0}))
"""As many states as RING, with other transitions, so that what a function keeps shows."""

BACKWARDS = Fsm(({}, {"a": 0}, {"a": 1}), initial=2, accepting=frozenset({0, 1}))
"""An automaton that starts in its last state and may end before it has to."""


def probe_advance(lab: Any) -> list[Attempt]:
    walks = [(HEX, 0, "0x1"), (HEX, 2, "1x"), (HEX, 0, "x"), (HEX, 3, "x1"), (HEX, 0, "0gx"), (HEX, 2, "")]
    walks += [(RING, 0, "ab"), (RING, 0, "aba"), (RING, 1, "bb"), (RING, 1, "b"), (RING, 0, "")]
    walks += [(LOOP, 0, "ab"), (LOOP, 0, "aa")]
    return [attempt(lab.advance, fsm, state, text) for fsm, state, text in walks]


def probe_token_mask(lab: Any) -> list[Attempt]:
    texts = ["0", "x", "0x", "0x1", "1f", "1x", "xx", "", None, "f"]
    hex_masks = [attempt(lab.token_mask, HEX, state, texts) for state in range(4)]
    more = [(LOOP, ["a", "ab", "b", "ba", "bb"]), (LOOP, [" ", "a", "b", "a", "  "]), (LOOP, [])]
    hex_masks += [attempt(lab.token_mask, fsm, 0, tokens) for fsm, tokens in more]
    return [*hex_masks, *(attempt(lab.token_mask, RING, state, ["a", "ab", "b", "ba", "bb"]) for state in range(2))]


def probe_generate(lab: Any) -> list[object]:
    def question(fsm: Fsm, texts: Sequence[str | None], us: list[float]) -> object:
        model = Recorder(uniform(len(texts)))
        return [attempt(lab.generate, model, fsm, texts, us), model.calls]

    return [
        question(HEX, ["0", "x", "0x", "1"], [0.9, 0.1, 0.9, 0.4]),
        question(HEX, ["0", "x", "0x", "1"], [0.1, 0.1, 0.1, 0.9]),
        question(RING, ["ab", "a", "b", "ba"], [0.1, 0.9, 0.1, 0.9]),
        question(BACKWARDS, ["a", "aa"], [0.1, 0.1, 0.1]),
        question(Fsm(({"a": 1}, {}), 0, frozenset({1})), ["a", None], [0.5, 0.5]),
        question(HEX, ["q"], [0.5]),
        *_numbers(lab),
    ]


def _numbers(lab: Any) -> list[object]:
    """Return answers for numbers u of two types, with a model that keeps its array, and what is left of both."""
    logits, us = np.array([0, 1, 2, 0], np.float32), [0.2, 0.9, 0.2]
    found = [
        attempt(lab.generate, lambda ids: logits, RING, ["ab", "a", "b", "ba"], numbers)
        for numbers in (us, np.array([0.2, 0.9, 0.2]))
    ]
    ruled_out = np.array([float("-inf"), 0, 0, float("-inf")])
    found.append(attempt(lab.generate, lambda ids: ruled_out, RING, ["ab", "a", "b", "ba"], [0.0, 0.9]))
    return [*found, us, logits]


def probe_parse_atoms(lab: Any) -> list[object]:
    patterns = ["", "ab", "ab+c", "[ab]+c", "a]", "+a", "a++", "a|b", "^a$", "a.", "a*", "(a)", "[a", "a" * 1001]
    patterns += ["a b", "a*b++", "a++b*", "[ -\uffff]*", "[ -\uffff]++"]
    return [[attempt(lab.parse_atoms, pattern) for pattern in patterns], _says(lab, "a*", "repetition by '*'")]


def _says(lab: Any, pattern: str, problem: str) -> bool | None:
    """Return whether the error has this text, apart from the pattern that it quotes."""
    try:
        lab.parse_atoms(pattern)
    except Exception as error:
        return bool(getattr(error, "problem", None) == problem)
    return None


def probe_refuse_ambiguity(lab: Any) -> list[object]:
    rows = [["a+", "a"], ["a", "a"], ["a", "a+"], ["ab+", "b"], ["b+", "ab"], ["ab+", "bc"]]
    rows += [["a+", "b", "a"], ["a+", "b+"], ["ab+", "d", "bc+", "cd"], ["a"], []]
    rows += [["a", "b", "a+", "a"]]
    found: list[object] = []
    for row in rows:
        given = _atoms(row)
        found += [attempt(lab.refuse_ambiguity, given, "".join(row)), _names_both(lab, row), len(given)]
    return [*found, attempt(lab.refuse_ambiguity, tuple(_atoms(["a+", "b", "a"])), "a+ba")]


def _atoms(row: Sequence[str]) -> list[Atom]:
    """Return atoms whose characters are the letters of their sources."""
    starts = [sum(map(len, row[:n])) for n in range(len(row))]
    return [
        Atom(frozenset(text.rstrip("+")), text.endswith("+"), text, start)
        for text, start in zip(row, starts, strict=True)
    ]


def _names_both(lab: Any, row: Sequence[str]) -> bool | None:
    """Return whether the error's message, without the pattern that it quotes, names both atoms of the row."""
    try:
        lab.refuse_ambiguity(_atoms(row), "")
    except Exception as error:
        problem = getattr(error, "problem", "")
        return isinstance(problem, str) and sum(repr(text) in problem for text in set(row)) == len(set(row[:2]))
    return None


def probe_compile_pattern(lab: Any) -> list[Attempt]:
    patterns = ["", "a", "ab", "a+", "a+b", "ba+", "a+b+", "[ab]+c", "a+a", "a+[ab]", "xa+x", "b+a"]
    return [attempt(lab.compile_pattern, pattern) for pattern in patterns]
