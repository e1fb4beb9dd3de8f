"""Fixed questions to each function of lab 11. The answers distinguish one misconception from another.

The automata are small tables, and the guides answer from a dict.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import DEAD, Dfa
from labkit.checking.probing import attempt
from labkit.errors import TokenNotAllowed

TEXTS: tuple[Sequence[str], ...] = (
    *(["<a>", "b"], ["ab", "abc"], ["abc", "ab"], ["xabc", "ab"], ["aab"], ["abab", "babb"], ["xab", "b", "ab"]),
    *(
        [""],
        ["a", ""],
        ["ab", "ab"],
        ("a",),
        [],
        ["abcd", "bcx", "cdd"],
        ["bab", "aba", "ab"],
        ["babb", "a", "abab", "aabb"],
    ),
)


def _nodes(texts: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(["", *(text[:end] for text in texts for end in range(1, len(text) + 1))]))


def _trie(texts: Sequence[str]) -> tuple[list[dict[str, int]], list[str | None]]:
    """Return children and ends, by comparing every node with every other."""
    nodes = _nodes(texts)
    children = [{each[-1]: place for place, each in enumerate(nodes) if each and each[:-1] == node} for node in nodes]
    return children, [node if node and node in texts else None for node in nodes]


def _links(texts: Sequence[str]) -> tuple[list[int], list[str | None]]:
    """Return failures and found triggers, by trying every suffix."""
    nodes = _nodes(texts)
    failure, found = [], []
    for text in nodes:
        suffixes = [text[start:] for start in range(1, len(text) + 1)]
        failure.append(next((nodes.index(suffix) for suffix in suffixes if suffix in nodes), 0))
        found.append(next((suffix for suffix in (text, *suffixes) if suffix and suffix in texts), None))
    return failure, found


def _triggers(lab: Any, texts: Sequence[str]) -> Any:
    return lab.Triggers(_trie(texts)[0], *_links(texts))


def probe_failure_links(lab: Any) -> object:
    numbered = ([{"a": 1, "b": 3}, {"a": 4}, {}, {}, {"b": 2}], [None, None, "aab", "b", None])
    return [attempt(lab.failure_links, *_trie(texts)) for texts in TEXTS if "" not in texts] + [
        attempt(lab.failure_links, *numbered)
    ]


def probe_step(lab: Any) -> list[object]:
    found: list[object] = []
    for texts in TEXTS:
        if "" in texts:
            continue
        triggers = _triggers(lab, texts)
        found.append(
            [attempt(lab.step, triggers, node, char) for node in range(len(triggers.found)) for char in "abcx<d"]
        )
    return found


LETTERS = Dfa([0, 97, 98, 99], [-1, 0, 1, -1], [[1, 2], [-1, 2], [-1, -1]], 0, [False, False, True])
"""``ab`` or ``b``; state 1 has read the a."""

DIGITS = Dfa([0, 55, 56, 59, 60], [-1, 0, -1, 1, -1], [[1, -1], [1, 2], [-1, -1]], 0, [False, False, True])
"""Sevens, then a semicolon."""


def _language(dfa: Dfa, state: int, chars: str = "ab7;=x<", most: int = 4) -> list[str]:
    """Return the texts up to a length that an automaton matches from a state."""
    found, here = [], [("", state)]
    for _ in range(most + 1):
        found += [text for text, at in here if dfa.accepting[at]]
        here = [(text + c, dfa.step(at, ord(c))) for text, at in here for c in chars if dfa.step(at, ord(c)) != DEAD]
    return sorted(found)


def probe_merge_openings(lab: Any) -> list[object]:
    one, two = (DIGITS, 0), (LETTERS, 0)
    asked: list[list[Any]] = [
        [("<", one)],
        [("<", (LETTERS, 1))],
        [("<", one), ("<x=", two)],
        [("<x=", two), ("<", one)],
        [("<", one), ("<", two)],
        [("<", None), ("<x", two)],
        [("<", one), ("<x", None)],
        [("<", None), ("a", None)],
        [("<", one), ("<a", two), ("<b", None)],
        [("a", one), ("b", (LETTERS, 1)), ("ab", two)],
        [],
    ]
    found: list[object] = []
    for openings in asked:
        how, *merged = attempt(lab.merge_openings, openings)
        if how == "error":
            found.append(merged)
            continue
        bodies = [(text, body and [body[1], _language(*body)]) for text, body in merged[0].items()]
        whole = [body is not None and len(body[0]) for body in merged[0].values()]
        found.append((how, [bodies, whole]))
    return found


def probe_link_triggers(lab: Any) -> list[object]:
    found: list[object] = []
    for texts in (["<a>", "b"], ["ab", "xabc"], ["aab"]):
        entries = {text: -1 if text == "b" else 50 * place for place, text in enumerate(texts)}
        for root in (0, 10):
            for closed in (False, True):
                found.append(attempt(lab.link_triggers, _triggers(lab, texts), root, entries, closed))
    return found


def probe_join(lab: Any) -> list[object]:
    found: list[object] = []
    for bodies in (
        {"<": (DIGITS, 0)},
        {"<a": (LETTERS, 0), "ab": (DIGITS, 0)},
        {"<": (LETTERS, 0), "x": (LETTERS, 1)},
        {"<": None, "x": (DIGITS, 0)},
        {"<": None},
    ):
        for required in (False, True):
            for parallel in (True, False):
                how, joined, *_ = attempt(
                    lambda b, r, p: lab.join(b, required=r, parallel=p), bodies, required, parallel
                )
                if how == "error":
                    found.append(joined)
                    continue
                states = {"": joined.dfa.initial}
                for text in list(_texts("<ax7;b", 4)):
                    before = states.get(text[:-1], DEAD)
                    states[text] = DEAD if before == DEAD else joined.dfa.step(before, ord(text[-1]))
                live = [(text, state) for text, state in states.items() if state != DEAD]
                ends = [[text, state, bool(joined.dfa.accepting[state])] for text, state in live]
                found.append((how, [len(joined.dfa), list(joined.held), _hash(ends)]))
    return found


def _texts(chars: str, most: int) -> Sequence[str]:
    """Return the texts up to a length, short ones first."""
    found = [""]
    for text in found:
        if len(text) < most:
            found += [text + char for char in chars]
    return found[1:]


def _hash(value: object) -> str:
    """Return a short text that differs where the value does."""
    return sha256(repr(value).encode()).hexdigest()[:16]


class AddingGuide:
    """A guide that moves by adding numbers, and notes its calls; states below 50 are free."""

    def __init__(self) -> None:
        self.calls: list[Any] = []

    def ids(self, state: int, remaining: int | None) -> set[int]:
        """Return the tokens of a state; with one token left, only the last one."""
        return {39} if remaining == 1 else set(range(40)) - {state % 7, 33}

    def words(self, state: int, remaining: int | None) -> NDArray[np.int32]:
        """Return the same as a bitmask."""
        bits = np.isin(np.arange(64), sorted(self.ids(state, remaining)))
        return np.packbits(bits, bitorder="little").view("<i4").astype(np.int32)

    def mask(self, state: int, remaining: int | None = None) -> NDArray[np.int32]:
        """Return a state's bitmask, and note the call."""
        self.calls.append(["mask", state, remaining])
        return self.words(state, remaining)

    def fill(self, states: Sequence[int], out: NDArray[np.int32], remaining: Any = None) -> NDArray[np.int32]:
        """Write the rows of some states."""
        self.calls.append(["fill", list(states), remaining])
        for row, state, budget in zip(out, states, remaining or [None] * len(states), strict=True):
            row[:] = self.words(state, budget)
        return out

    def advance(self, state: int, token_id: int) -> int:
        """Return the next state."""
        self.calls.append(["advance", state, token_id])
        if token_id not in self.ids(state, None):
            raise TokenNotAllowed(token_id, f"the table's state {state}")
        return (state + token_id) % 100

    def made(self, lab: Any) -> Any:
        """Return the guide as the lab takes it."""
        guide = lab.GuideOfFunctions(0, self.mask, self.fill, self.advance, bool, int)
        return lab.ToolGuide(guide, 50, 100)


def probe_mask_rows(lab: Any) -> list[object]:
    found: list[object] = []
    for current in ([0, 60, None, 3], [0, 3], [60, 61], [None], [None, 70]):
        for remaining in (None, [5, 1, 2, 1][: len(current)]):
            table = AddingGuide()
            guide = table.made(lab)
            states = [None if state is None else lab.StructuredOutputState(guide, state) for state in current]
            logits = np.arange(40.0 * len(current), dtype=np.float32).reshape(-1, 40)
            logits[:, 3] = np.inf
            answer = attempt(lab.mask_rows, states, logits, remaining)
            struck = [np.flatnonzero(row == -np.inf).tolist() for row in logits]
            found.append(
                [answer, struck, _hash(logits.tolist()), list(table.calls), [state is None for state in states]]
            )
    table = AddingGuide()
    plain = lab.GuideOfFunctions(0, table.mask, table.fill, table.advance, bool, int)
    pair = [lab.StructuredOutputState(plain, state) for state in (0, 3)]
    mixed = [pair[0], lab.StructuredOutputState(table.made(lab), 0), pair[1]]
    for states, remaining in ((pair, None), (mixed, [5, 5, 1])):
        logits = np.zeros((len(states), 40), np.float32)
        answer = attempt(lab.mask_rows, states, logits, remaining)
        found.append([answer, [np.flatnonzero(row).tolist() for row in logits], list(table.calls)])
    return found


def probe_split_answer(lab: Any) -> list[object]:
    """Ask about ``<a`` with the body ``7;``: states 0 and 1 are free, 2 and 3 in a call."""
    bounds, classes = [0, 55, 56, 59, 60, 61, 97, 98], [4, 0, 4, 1, 2, 4, 3, 4]
    rows = [[0, 0, 1, 0, 0], [0, 0, 1, 2, 0], [3, -1, -1, -1, -1], [-1, 0, -1, -1, -1]]
    joined = lab.Joined(Dfa(bounds, classes, rows, 0, [True, True, False, False]), [0, 1])
    found: list[object] = []
    for text in ("xx<a7;xx", "<a7;<a7;", "x<<a7;", "x<x<", "x<axx<a7;", "<a7", "", "x"):
        for size in (1, 2, 99):
            state, held, told = 0, "", list[object]()
            for start in range(0, max(1, len(text)), size):
                answer = attempt(lab.split_answer, joined, state, held, text[start : start + size])
                told.append(answer)
                if answer[0] == "error":
                    break
                state, held, _ = answer[1]
            found.append(told)
    return found
