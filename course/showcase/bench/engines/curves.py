"""``python3 -m course bench curves``: what masks cost as vocabulary, automaton, pattern and batch grow."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from statistics import median

import numpy as np
from rich.console import Console

from course.showcase.bench.engines.adapters import Buffer, Encode, Language, MaskEngine, import_packages, make_ready
from course.showcase.bench.engines.timing import batch_seconds, refusal, take_turns
from course.showcase.bench.engines.work import Tokens, choices, work_set
from course.showcase.measuring import plain_table, with_progress
from labkit.pictures import quantity
from labkit.vocabulary import Vocabulary

SIZES = (1024, 4096, 16384, 65536, 131072, 262144)
WORDS = (10, 50, 250, 1250, 6250)
GROUPS = (1, 4, 16, 64, 256)
ROWS = (1, 4, 16, 64, 256, 1024)

SCHEMA = "S: an order"
"""The item of the engines' bench whose masks are asked for as the vocabulary grows, and for each row of a batch."""

GROUP = "[a-z]{3}-[0-9]{2} "
"""What is written again and again in a pattern that grows."""

WHAT = {
    "vocabulary": "tokens in the vocabulary",
    "states": "words in a choice",
    "length": "characters in the pattern",
    "batch": "rows in the batch",
}
KINDS = {
    "first_mask": "first mask",
    "cold_mask": "a further mask, first visit",
    "batch": "warm masks of the batch",
    "ready": "vocabulary made ready",
}
"""What is measured, in seconds."""


@dataclass(frozen=True)
class CurvePoint:
    """What engines took at one size.

    An engine that does not take the pattern, or refuses a text that matches, is not there.

    Attributes:
        curve: of ``WHAT``.
        size: how large it was.
        figures: by kind, then by engine.
    """

    curve: str
    size: int
    figures: dict[str, dict[str, float]]


def run_curves(console: Console, vocabulary: Vocabulary) -> dict[str, object]:
    """Measure, print a table for each curve with what fits it, and return the data."""
    import_packages()
    engines = [make()[0] for make in make_ready(vocabulary, longest_match(vocabulary))]

    def of_pattern(curve: str, size: int, pattern: str, text: str) -> CurvePoint:
        tokens = tuple(longest_match(vocabulary)(text))
        return CurvePoint(curve, size, _turns(engines, pattern, tokens, len(vocabulary)))

    jobs = [
        *(partial(_by_vocabulary, vocabulary, size) for size in SIZES),
        *(partial(of_pattern, "states", n, "|".join(choices(n)), choices(n)[n // 2]) for n in WORDS),
        *(partial(of_pattern, "length", n * len(GROUP), GROUP * n, "abc-12 " * min(n, 8)) for n in GROUPS),
        *(partial(_by_batch, engines, vocabulary, rows) for rows in ROWS),
    ]
    points = with_progress(console, "measuring curves", jobs)
    show(console, points)
    return {
        "versions": {engine.name: engine.version for engine in engines},
        "points": [asdict(each) for each in points],
    }


# The points ---------------------------------------------------------------------------------------------


def _by_vocabulary(whole: Vocabulary, size: int) -> CurvePoint:
    vocabulary = resized(whole, size)
    encode = longest_match(vocabulary)
    engines, took = zip(*(make() for make in make_ready(vocabulary, encode)), strict=True)
    work = next(each for each in work_set() if each.name == SCHEMA)
    tokens = tuple(encode(work.texts[0]))
    ready = dict(zip((engine.name for engine in engines), took, strict=True))
    return CurvePoint("vocabulary", size, {"ready": ready, **_turns(engines, work.language, tokens, len(vocabulary))})


def _turns(
    engines: Sequence[MaskEngine], language: Language, tokens: Tokens, vocab_size: int
) -> dict[str, dict[str, float]]:
    taking_part = [engine for engine in engines if not refusal(engine, language)]
    turns = take_turns(taking_part, language, tokens, vocab_size)
    figures: dict[str, dict[str, float]] = {"first_mask": {}, "cold_mask": {}}
    for name, taken in turns.items():
        further = [(turn.generation - turn.first_mask) / len(tokens) for turn in taken if turn.generation is not None]
        if not further:
            continue  # it refuses a text that matches
        figures["first_mask"][name] = median(turn.first_mask for turn in taken)
        figures["cold_mask"][name] = median(further)
    return figures


def _by_batch(engines: Sequence[MaskEngine], vocabulary: Vocabulary, rows: int) -> CurvePoint:
    work = next(each for each in work_set() if each.name == SCHEMA)
    tokens = tuple(longest_match(vocabulary)(work.texts[0]))
    buffer, found = Buffer(len(vocabulary), rows), dict[str, float]()
    for engine in engines:
        compiled = engine.compile(work.language)
        batch_seconds(compiled, tokens, buffer)  # makes the masks
        found[engine.name] = batch_seconds(compiled, tokens, buffer)
    return CurvePoint("batch", rows, {"batch": found})


# Vocabularies -------------------------------------------------------------------------------------------


def resized(vocabulary: Vocabulary, size: int) -> Vocabulary:
    """Return a vocabulary of a size: the oldest tokens of a byte-pair encoding; beyond all tokens, each once more.

    The special tokens are left out, but for EOS, which comes last.

    >>> resized(Vocabulary.toy(), 3).token_bytes
    (b'a', b'.', b'</s>')
    """
    texts = [token for i, token in enumerate(vocabulary.token_bytes) if i not in vocabulary.special_ids]
    while len(texts) < size:
        texts += texts
    return Vocabulary([*texts[: size - 1], b"</s>"], eos_id=size - 1, special_ids=[size - 1])


def longest_match(vocabulary: Vocabulary) -> Encode:
    """Return a tokenizer that writes the longest token it can, from left to right.

    >>> longest_match(Vocabulary.toy())("1a")
    [3, 0]
    """
    ids = {token: i for i, token in enumerate(vocabulary.token_bytes) if i not in vocabulary.special_ids and token}
    longest = max(map(len, ids))

    def encode(text: str) -> list[int]:
        data, found, at = text.encode(), list[int](), 0
        while at < len(data):
            end = next(end for end in range(min(at + longest, len(data)), at, -1) if data[at:end] in ids)
            found.append(ids[data[at:end]])
            at = end
        return found

    return encode


# Fits and tables ----------------------------------------------------------------------------------------


def exponent(points: Mapping[int, float]) -> float:
    """Return the b of ``a * size ** b`` that fits the larger half of some points: least squares of the logarithms.

    >>> round(exponent({1: 7.0, 10: 5.0, 100: 50.0, 1000: 500.0}), 3)
    1.0
    """
    larger = [pair for pair in sorted(points.items())[-max(2, (len(points) + 1) // 2) :] if pair[1] > 0]
    sizes, figures = np.log(larger).T
    return float(np.polyfit(sizes, figures, 1)[0])


def series(points: Iterable[CurvePoint], curve: str, kind: str) -> dict[str, dict[int, float]]:
    """Return for each engine what it took at each size.

    >>> series([CurvePoint("batch", 4, {"batch": {"ours": 0.5}})], "batch", "batch")
    {'ours': {4: 0.5}}
    """
    found: dict[str, dict[int, float]] = {}
    for point in points:
        if point.curve == curve:
            for engine, figure in point.figures.get(kind, {}).items():
                found.setdefault(engine, {})[point.size] = figure
    return found


def show(console: Console, points: Sequence[CurvePoint]) -> None:
    """Print a table for each curve and kind: an engine's figures by size, and the power that fits the larger half."""
    for curve, what in WHAT.items():
        for kind, title in KINDS.items():
            found = series(points, curve, kind)
            if not found:
                continue
            sizes = sorted({size for each in found.values() for size in each})
            table = plain_table(what, *map(quantity, sizes), "grows as")
            for engine, each in found.items():
                cells = (quantity(each[size], "s") if size in each else "-" for size in sizes)
                table.add_row(engine, *cells, f"n^{exponent(each):.2f}" if len(each) > 1 else "-")
            console.print(f"\n[bold]{title[0].upper() + title[1:]}[/]")
            console.print(table)
