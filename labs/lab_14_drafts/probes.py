"""Fixed questions to each function of lab 14. The answers distinguish one misconception from another.

The guide is a list of texts, draws are fixed numbers, and what is computed is rounded to six digits.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.checking.probing import attempt
from labkit.errors import TokenNotAllowed
from labkit.numeric_probes import answered, rounded, scripted

LETTERS, V, END = "abc.", 4, 3
TEXTS = ("ab", "abc", "aba", "a", "bca", "ba")
ROWS = np.array([[2, 1, 1, 0], [1, 1, 1, 1], [0, 2, 1, 1], [1, 0, 0, 3]]) / 4
DRAWS = ((0.1,) * 9, (0.1, 0.7, 0.9, 0.4, 0.1, 0.6), (0.9, 0.2, 0.6) * 3, (0.0,) * 9)


class _Texts:
    """A guide that is a list of texts, and notes its calls."""

    def __init__(self) -> None:
        self.calls: list[Any] = []

    def row(self, state: str, remaining: int | None = None) -> list[bool]:
        """Return which letters may come after a text."""
        whole = [text + "." for text in TEXTS if text.startswith(state)]
        able = [text for text in whole if remaining is None or len(text) - len(state) <= remaining]
        return [any(text.startswith(state + letter) for text in able) for letter in LETTERS]

    def mask(self, state: str, remaining: int | None = None) -> NDArray[np.int32]:
        """Return the same as a bitmask, and note the call."""
        self.calls.append(["mask", state, remaining])
        return np.array([sum(bit << place for place, bit in enumerate(self.row(state, remaining)))], np.int32)

    def advance(self, state: str, token_id: int) -> str:
        """Return the next state, and note the call."""
        self.calls.append(["advance", state, int(token_id)])
        if token_id == END or not self.row(state)[token_id]:
            raise TokenNotAllowed(int(token_id), f"the text {state!r}")
        return state + LETTERS[token_id]

    def made(self, lab: Any) -> Any:
        """Return the guide as the lab takes it."""
        return lab.GuideOfFunctions("", self.mask, print, self.advance, bool, len)


class _Moving:
    """A matcher over the same texts; after EOS it has no mask."""

    def __init__(self, text: str) -> None:
        self.text, self.texts = text, _Texts()

    def mask(self) -> NDArray[np.bool_]:
        """Return what may come next."""
        if self.is_finished():
            raise OverflowError
        return np.array(self.texts.row(self.text))

    def accept(self, token_id: int) -> bool:
        """Move by a token if it may come."""
        legal = not self.is_finished() and self.texts.row(self.text)[token_id]
        self.text += LETTERS[token_id] * legal
        return legal

    def rollback(self, count: int) -> None:
        """Take tokens back."""
        if count > len(self.text):
            raise OverflowError
        self.text = self.text[: len(self.text) - count]

    def is_finished(self) -> bool:
        """Return whether EOS was accepted."""
        return self.text.endswith(".")

    def made(self, lab: Any) -> Any:
        """Return the matcher as the lab takes it."""
        return lab.MatcherOfFunctions(self.mask, self.accept, self.rollback, self.is_finished)


def _ids(text: str) -> list[int]:
    return [LETTERS.index(letter) for letter in text]


def probe_residual(lab: Any) -> Any:
    found = [answered(lab.residual, p, q) for p in ROWS for q in ROWS]
    near = np.array([0.5, 0.5 - 1e-12, 1e-12, 0.0]), np.array([0.5, 0.5, 0.0, 0.0])
    p = ROWS[0].copy()
    kind, *rest = attempt(lab.residual, p, p.copy())
    if kind == "value":
        rest[0][:] = 0
    return [found, rounded(attempt(lab.residual, *near)[-1][2] > 0.5 if found else 0), rounded(p)]


def probe_verify(lab: Any) -> Any:
    found = []
    for numbers in DRAWS:
        for p, q, draft in (
            ([0, 1], [1], [0]),
            ([2, 0], [1], [0]),
            ([0, 1], [2, 3], [1, 3]),
            ([3, 2, 0], [1, 1], [3, 1]),
        ):
            draw, taken = scripted(numbers)
            found.append([answered(lab.verify, ROWS[p], ROWS[q], draft, draw), len(taken)])
        draw, taken = scripted(numbers)
        found.append([answered(lab.verify, ROWS[:1], np.zeros((0, V)), [], draw), len(taken)])
    return found


def probe_walk_draft(lab: Any) -> Any:
    found = []
    for draft, remaining in (
        ("", 9),
        ("abc", 9),
        ("abc.a", 9),
        ("acb", 9),
        ("c", 9),
        (".", 9),
        ("abca", 3),
        ("bca", 4),
    ):
        guide = _Texts()
        found.append([answered(lab.walk_draft, guide.made(lab), "", _ids(draft), V, END, remaining), guide.calls])
    return found


def probe_one_round(lab: Any) -> Any:
    found, rows = [], ROWS[[0, 0, 2, 1, 1]]
    for numbers in DRAWS:
        for draft, remaining in (("ab", 9), ("cb", 9), ("abc.", 9), ("", 9), ("ac", 9), ("abab", 2)):
            guide, (draw, taken), read = _Texts(), scripted(numbers), list[Any]()

            def score(ids: Sequence[int], new: Sequence[int], read: list[Any] = read) -> NDArray[np.float64]:
                read.append([list(ids), list(new)])
                return np.array([[0.0, 1.0, 0.5, 0.0]] * (len(new) + 1))

            q_rows = rows[: len(draft)]
            given = (guide.made(lab), "", _ids(draft), q_rows, score, [1], END, remaining, draw)
            found.append([answered(lab.one_round, *given), guide.calls, read, len(taken)])
    return found


def probe_draft_legally(lab: Any) -> Any:
    found = []
    for numbers in DRAWS:
        for length, remaining in ((1, 9), (4, 9), (4, 2), (3, 3)):
            guide, (draw, taken), read, text = _Texts(), scripted(numbers), list[Any](), [1]

            def drafter(ids: Sequence[int], read: list[Any] = read) -> NDArray[np.float64]:
                read.append(list(ids))
                return np.array([0.0, 1.0, 0.5, 0.25 * len(ids)])

            given = (guide.made(lab), "", drafter, text, length, END, remaining, draw)
            found.append([answered(lab.draft_legally, *given), guide.calls, read, len(taken), text])
    return found


def probe_masks_by_matcher(lab: Any) -> Any:
    found = []
    for before in ("", "a"):
        for draft in ("", "ab", "abc.", "b.", "cab", "bb"):
            matcher = _Moving(before)
            found.append([answered(lab.masks_by_matcher, matcher.made(lab), _ids(draft)), matcher.text])
    return found


def probe_tree_masks(lab: Any) -> Any:
    found = []
    for parents, tokens in (
        ([-1, 0, 1], "abc"),
        ([-1, -1, 0, 1], "abba"),
        ([-1, 0, 1, -1], "cab."),
        ([-1, 0, 1, -1, 3], "a.bbc"),
        ([-1, 0, 0, 2, 0], "acbcb"),
    ):
        guide = _Texts()
        found.append([answered(lab.tree_masks, guide.made(lab), "", parents, _ids(tokens), V, END), guide.calls])
    return found
