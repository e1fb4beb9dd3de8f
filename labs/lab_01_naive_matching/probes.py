"""Fixed questions to each function of lab 01. The answers distinguish one misconception from another.

The models and predicates here are simple, so that a fault in one TODO changes the answers of another as little
as possible.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from labkit.checking import Recorder
from labkit.checking.probing import Attempt, attempt

NUMBER = r"([0-9]+)?\.[0-9]+"


def probe_could_match(lab: Any) -> list[Attempt]:
    texts = ["", "1", "1.", "1.2", "1.2.", "1.2a", "a1.2", "a", "1.2\n"]
    questions = [(NUMBER, text) for text in texts] + [("a|1[.]", "ab"), ("a|1[.]", "1"), ("1|1[.]a", "1.")]
    return [attempt(lab.could_match, pattern, text) for pattern, text in questions]


def probe_build_mask(lab: Any) -> list[object]:
    def questions(texts: Sequence[str | None], prefix: str, yes: set[str]) -> object:
        viable = Recorder(lambda text: text in yes)
        return [attempt(lab.build_mask, texts, prefix, viable), viable.calls, list(texts)]

    return [
        questions(["b", "bc", "c", "bd"], "a", {"a", "ab", "abc", "bc"}),
        questions(["b", None, "", "b"], "a", {"a", "ab"}),
        questions(["a", "ba"], "", {"a"}),
        questions(["a", "bb"], "bb", {"bba", "abb", "bbb"}),
        questions([None, ""], "x", {"x"}),
        questions([], "x", {"x"}),
        questions(["b", None, "", "b"], "a", {"a"}),
        questions(("b", None, " ", "b"), "a", {"ab", "a "}),
    ]


def probe_apply_mask(lab: Any) -> list[object]:
    def question(dtype: type[np.floating], logits: Sequence[float], allowed: Sequence[bool]) -> object:
        row = np.array(logits, dtype)
        kind, masked, *more = attempt(lab.apply_mask, row, np.array(allowed, np.bool_))
        return [(kind, masked, *more), masked is row, row]

    return [
        question(np.float32, [1, 2, 3], [True, False, True]),
        question(np.float64, [-0.0, np.inf, np.inf, -5], [True, False, True, False]),
        question(np.float16, [1, 2, 3], [False, False, True]),
        question(np.float32, [-1, -2], [True, True]),
        question(np.float32, [-1, -2], [False, False]),
        [attempt(lab.apply_mask, np.zeros(2, np.float32), np.array([True]))],
    ]


def probe_softmax(lab: Any) -> list[object]:
    def question(dtype: type[np.floating], logits: Sequence[float], digits: int = 10) -> object:
        """Round the result, because the last digits of an exponential differ between computers."""
        row = np.array(logits, dtype)
        return [attempt(lambda: np.round(lab.softmax(row), digits)), row]

    return [
        question(np.float32, [0, 0, 0]),
        question(np.float32, [5, -np.inf, 5, 5]),
        question(np.float32, [1000, 1000]),
        question(np.float32, [-1000, -1000]),
        question(np.float64, [-1000, 0], 40),
        question(np.float64, [0, 1, 2]),
        question(np.float64, [-np.inf, 1]),
        question(np.float64, [-40, 0], 24),
        question(np.float32, [-np.inf, -np.inf]),
    ]


def probe_sample(lab: Any) -> list[object]:
    tenths = [0.1] * 10
    questions = [
        ([0.25, 0.0, 0.75], 0.25),
        ([0.25, 0.0, 0.75], 0.0),
        ([0.0, 0.5, 0.5], 0.0),
        ([0.25, 0.5, 0.25], 0.5),
        ([0.25, 0.5, 0.25], 0.9),
        ([0.125, 0.25, 0.625], 0.2),
        (tenths, 0.9999999999999999),
        ([*tenths, 0.0], 0.9999999999999999),
        ([1.0], 1.0),
        (tenths, 0.5),
    ]
    rows = [np.array(probs) for probs, _ in questions]
    return [[attempt(lab.sample, row, u), row] for row, (_, u) in zip(rows, questions, strict=True)]


def probe_generate(lab: Any) -> list[object]:
    def question(row: Sequence[float], texts: Sequence[str], viable: Callable[[str], bool], us: list[float]) -> object:
        # a model that likes the first token better with every token written: it looks at all the ids
        model = Recorder(lambda ids: np.array([row[0] + len(ids), *row[1:]], np.float32))
        return [attempt(lab.generate, model, texts, viable, us), model.calls]

    return [
        question([1, 1, 1], ["a", "b", "ab"], lambda text: "abab".startswith(text), [0.1, 0.9, 0.9, 0.1, 0.5]),
        question([1, 1], ["a", "b"], lambda text: True, [0.1, 0.9, 0.4, 0.6]),
        question([1, 4], ["a", "b"], lambda text: True, [0.3, 0.3, 0.02]),
        question([1000, 0, 0], ["x", "a", "b"], lambda text: "x" not in text, [0.2, 0.8]),
        question([1], ["a"], lambda text: False, [0.5]),
        question([1], ["a"], lambda text: True, []),
        question([1, 1, 1], ["a", "b", "ab"], lambda text: "ba".startswith(text), [0.1, 0.9, 0.9]),
        question([1, 1], ["a", " "], lambda text: "a  ".startswith(text), [0.1, 0.9, 0.9, 0.9, 0.9]),
        *_numbers(lab),
    ]


def _numbers(lab: Any) -> list[object]:
    """Return answers for numbers u of two types, with a model that keeps its array, and what is left of both."""
    logits, us = np.array([0, 1, 2], np.float32), [0.2, 0.9, 0.2]
    found = [
        attempt(lab.generate, lambda ids: logits, ["x", "y", "z"], lambda text: "xyz".find(text) >= 0, numbers)
        for numbers in (us, np.array([0.2, 0.9, 0.2]))
    ]
    return [*found, us, logits]
