"""Everything measured on one pattern, ratios against ours, and the same over all patterns."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import geometric_mean, median
from typing import Literal

from course.showcase.bench.engines.differences import Comparison, Finding
from course.showcase.bench.engines.turns import Steps, Turn
from course.showcase.bench.engines.work import Work

Kind = Literal["first_mask", "all_masks"]
KINDS: tuple[Kind, ...] = ("first_mask", "all_masks")


@dataclass(frozen=True)
class Result:
    """Everything that was measured on one pattern, by the engine's name; the first engine is ours."""

    work: Work
    turns: dict[str, list[Turn]]
    steps: dict[str, Steps]
    comparisons: dict[str, Comparison]
    findings: tuple[Finding, ...]

    def times(self, engine: str, kind: Kind) -> list[float]:
        """Return an engine's seconds, turn by turn; empty where it has no such masks."""
        return [seconds for turn in self.turns[engine] if (seconds := getattr(turn, kind)) is not None]

    def ratio(self, engine: str, kind: Kind) -> float | None:
        """Return how many times as long as ours an engine takes: the median over the turns that both took."""
        ours, other = self.times(next(iter(self.turns)), kind), self.times(engine, kind)
        return median(b / a for a, b in zip(ours, other, strict=False)) if ours and other else None


def overall(results: Iterable[Result], engine: str, kind: Kind) -> float | None:
    """Return the geometric mean of an engine's ratios, in which twice as fast and half as fast cancel out."""
    ratios = [ratio for result in results if (ratio := result.ratio(engine, kind)) is not None]
    return geometric_mean(ratios) if ratios else None


def as_data(results: Sequence[Result]) -> dict[str, object]:
    """Return the results for a JSON file; times in seconds, a token's bytes as text with escapes."""
    return {
        "geometric_means": {
            engine: {kind: overall(results, engine, kind) for kind in KINDS} for engine in results[0].turns
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
    return {
        **{kind: result.times(engine, kind) for kind in KINDS},
        "row": {"steps": len(steps.later), "median": median(steps.later), "slowest": max(steps.later)},
        "slowest_first_visit": max(steps.first),
        "masks": comparison
        and {
            "compared": comparison.masks,
            "equal": comparison.masks - len(comparison.differences),
            "unreached": comparison.unreached,
        },
    }


def readable(data: bytes) -> str:
    r"""Return bytes as text; control characters, and bytes that are no text, as escapes.

    >>> readable("Größe\n".encode() + b"\xf0\x9f")
    'Größe\\n\\xf0\\x9f'
    """
    text = data.decode("utf-8", errors="backslashreplace")
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
