"""What one pattern gave: times, ratios against ours, agreement; and the same over all patterns."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import median

from course.showcase.bench.engines.compare import Comparison
from course.showcase.bench.engines.judge import Finding
from course.showcase.bench.engines.turns import Steps, Turn, mean_ratio, ratio
from course.showcase.bench.engines.work import Work

Kind = Callable[[Turn], float | None]


@dataclass(frozen=True)
class Result:
    """Everything that was measured on one pattern, by the engine's name; the first engine is ours."""

    work: Work
    turns: dict[str, list[Turn]]
    steps: dict[str, Steps]
    comparisons: dict[str, Comparison]
    findings: tuple[Finding, ...]


def first_mask(turn: Turn) -> float | None:
    """Seconds from the pattern to its first mask."""
    return turn.first_mask


def all_masks(turn: Turn) -> float | None:
    """Seconds from the pattern to the masks of all states; None where an engine never has them."""
    return turn.all_masks


def engines_of(results: Sequence[Result]) -> list[str]:
    """The engines, ours first."""
    return list(results[0].turns)


def times(result: Result, engine: str, kind: Kind) -> list[float]:
    """An engine's seconds, turn by turn; empty where it has no such thing."""
    return [value for value in map(kind, result.turns[engine]) if value is not None]


def against_ours(result: Result, engine: str, kind: Kind) -> float | None:
    """How many times as long as ours an engine takes."""
    ours, other = (times(result, name, kind) for name in (next(iter(result.turns)), engine))
    return ratio(other, ours) if ours and other else None


def overall(results: Iterable[Result], engine: str, kind: Kind) -> float | None:
    """The geometric mean of an engine's ratios over the patterns."""
    ratios = [value for value in (against_ours(result, engine, kind) for result in results) if value is not None]
    return mean_ratio(ratios) if ratios else None


def middle_and_slowest(steps: Iterable[float]) -> tuple[float, float]:
    """The median step and the slowest one.

    >>> middle_and_slowest([3, 1, 9])
    (3, 9)
    """
    ordered = sorted(steps)
    return median(ordered), ordered[-1]


def as_data(results: Sequence[Result]) -> dict[str, object]:
    """The results for a JSON file; times in seconds, a row's bytes as text with escapes."""
    return {
        "geometric_means": {
            engine: {kind.__name__: overall(results, engine, kind) for kind in (first_mask, all_masks)}
            for engine in engines_of(results)
        },
        "patterns": [_pattern(result) for result in results],
    }


def _pattern(result: Result) -> dict[str, object]:
    return {
        "name": result.work.name,
        "regex": result.work.regex,
        "engines": {engine: _engine(result, engine) for engine in result.turns},
        "findings": [
            asdict(finding) | {"prefix": readable(finding.prefix), "token": readable(finding.token)}
            for finding in result.findings
        ],
    }


def _engine(result: Result, engine: str) -> dict[str, object]:
    steps, comparison = result.steps[engine], result.comparisons.get(engine)
    median_row, slowest_row = middle_and_slowest(steps.later)
    return {
        "first_mask": times(result, engine, first_mask),
        "all_masks": times(result, engine, all_masks),
        "row": {"steps": len(steps.later), "median": median_row, "slowest": slowest_row},
        "slowest_first_visit": max(steps.first),
        "masks": comparison
        and {
            "compared": comparison.masks,
            "equal": comparison.masks - len(comparison.differences),
            "unreached": comparison.unreached,
        },
    }


def readable(data: bytes) -> str:
    r"""Bytes as text; what is no text, and control characters, as escapes.

    >>> readable("Größe\n".encode() + b"\xf0\x9f")
    'Größe\\n\\xf0\\x9f'
    """
    text = data.decode("utf-8", errors="backslashreplace")
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
