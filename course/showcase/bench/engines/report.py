"""Everything that the engines' bench measured: ratios against ours, tables for the terminal, data for a file."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import geometric_mean, mean, median

from rich.console import Console
from rich.table import Table
from rich.text import Text

from course.showcase.bench.engines.differences import Comparison, Finding
from course.showcase.bench.engines.timing import (
    BATCH,
    FEWEST_TURNS,
    LATER_VISITS,
    TIME_LIMIT,
    TURNS,
    Lap,
    StepTimes,
)
from course.showcase.bench.engines.work import Work
from course.showcase.measuring import plain_table
from course.student.core.trace import visible
from labkit.pictures import quantity

OF_TURNS = {
    "first_mask": "From the source to the first mask",
    "generation": "From the source to the last mask along a text",
    "batch": f"Warm: the masks of a batch of {BATCH}",
    "advance": "Warm: a step by a token",
}
"""What a turn measures, by the name in ``Lap``."""

OF_STEPS = {
    "row": "Warm: a mask, mean over the steps",
    "slowest_row": "Warm: a mask, slowest step",
    "slowest_first_visit": "A mask on the first visit, slowest step",
}

METHOD = (
    f"One process. The engines take turns, {TURNS} at each pattern or schema ({FEWEST_TURNS} where these take an engine"
    f" more than {TIME_LIMIT:.0f} s, one where that takes as long), with Python's garbage collector off. How many times"
    " as long as ours an engine takes is the median over the turns. Making it ready for the vocabulary is not counted."
    " What depends on no single pattern is kept for the process: in our engine rows of the vocabulary for sets of"
    " characters, and the bytes of Unicode's classes. Masks: every step along the texts and, for a pattern, along walks"
    f" sampled from our masks; later: the median of {LATER_VISITS} visits of a step, after a walk that is not timed."
    " Each request of a batch has just taken a token. xgrammar has one thread and no cache of grammars."
)


@dataclass(frozen=True)
class Timings:
    """Everything that was measured on one item, by the engine's name; the first engine is ours.

    ``refused`` has the error of each engine that does not take the pattern or the schema.
    """

    work: Work
    turns: dict[str, list[Lap]]
    steps: dict[str, StepTimes]
    comparisons: dict[str, Comparison]
    findings: tuple[Finding, ...]
    refused: Mapping[str, str] = field(default_factory=dict)

    def times(self, engine: str, kind: str) -> list[float]:
        """Return an engine's seconds, turn by turn; one entry for a kind of steps; none where it has no such times."""
        if kind in OF_TURNS:
            turns = self.turns.get(engine, [])
            return [seconds for turn in turns if (seconds := getattr(turn, kind)) is not None]
        steps = self.steps.get(engine)
        if steps is None:
            return []
        return [{"row": mean(steps.later), "slowest_row": max(steps.later)}.get(kind, max(steps.first))]

    def ratio(self, engine: str, kind: str) -> float | None:
        """Return how many times as long as ours an engine takes: the median over the turns that both took."""
        ours, other = self.times(next(iter(self.turns)), kind), self.times(engine, kind)
        return median(b / a for a, b in zip(ours, other, strict=False)) if ours and other else None


def ratios(results: Iterable[Timings], engine: str, kind: str) -> dict[str, float]:
    """Return an engine's ratios, by the name of the item; none where it took no part."""
    found = ((result.work.name, result.ratio(engine, kind)) for result in results)
    return {name: ratio for name, ratio in found if ratio is not None}


def overall(results: Iterable[Timings], engine: str, kind: str) -> float | None:
    """Return the geometric mean of an engine's ratios, in which twice as fast and half as fast cancel out."""
    found = ratios(results, engine, kind)
    return geometric_mean(found.values()) if found else None


def as_data(results: Sequence[Timings], engines: Sequence[str]) -> dict[str, object]:
    """Return the results for a JSON file; times in seconds, a token's bytes as text with escapes."""
    items = []
    for result in results:
        found = [
            asdict(each) | {"prefix": readable(each.prefix), "token": readable(each.token)} for each in result.findings
        ]
        measured = {engine: _engine(result, engine) for engine in result.turns}
        source = {"regex": result.work.regex} if result.work.schema is None else {"schema": result.work.schema}
        items.append(
            {"name": result.work.name, **source, "engines": measured, "findings": found, "refused": result.refused}
        )
    means = {engine: {kind: overall(results, engine, kind) for kind in OF_TURNS | OF_STEPS} for engine in engines}
    return {"geometric_means": means, "items": items}


def _engine(result: Timings, engine: str) -> dict[str, object]:
    steps, compared = result.steps[engine], result.comparisons.get(engine)
    equal = compared and compared.masks - len(compared.differences)
    return {
        **{kind: result.times(engine, kind) for kind in OF_TURNS},
        **{kind: result.times(engine, kind)[0] for kind in OF_STEPS},
        "steps": len(steps.later),
        "masks": compared and {"compared": compared.masks, "equal": equal, "unreached": compared.unreached},
    }


def readable(data: bytes) -> str:
    r"""Return bytes as text; control characters, and bytes that are no text, as escapes.

    >>> readable("Größe\n".encode() + b"\xf0\x9f")
    'Größe\\n\\xf0\\x9f'
    """
    return visible(data.decode("utf-8", errors="backslashreplace"))


def show(console: Console, results: Sequence[Timings], engines: Sequence[str], vocab_size: int) -> None:
    """Print where masks agree, then the times; those of each item are in the data."""
    others = engines[1:]
    console.print(f"{vocab_size:,} tokens")
    if others:
        console.print("\n[bold]Masks along the walks of patterns, bit for bit against ours[/]")
        console.print(_agreement_table(results, others))
        console.print()
        findings = sorted((each for result in results for each in result.findings), key=lambda each: each.engine)
        for finding in findings:
            console.print(f"  {in_words(finding)}", markup=False, style="" if finding.ours_right else "bold red")
        if not findings:
            console.print("  No mask differs.")
        for result in results:
            for engine, error in result.refused.items():
                console.print(f"  {engine} does not take {result.work.name}: {error:.160}", markup=False)
    console.print("\n[bold]Ours, the median item; how many times as long: geometric mean, and where ours is worst[/]")
    console.print(_summary(results, engines[0], others))
    console.print(f"\n{METHOD}", style="dim", markup=False)


def _summary(results: Sequence[Timings], ours: str, engines: Sequence[str]) -> Table:
    table = plain_table("", ours, *engines)
    for kind, title in (OF_TURNS | OF_STEPS).items():
        cells = [quantity(median(median(times) for result in results if (times := result.times(ours, kind))), "s")]
        for engine in engines:
            found = ratios(results, engine, kind)
            worst = min(found, key=found.__getitem__, default="")
            cells.append(
                f"{quantity(geometric_mean(found.values()))}\n{quantity(found[worst])}: {worst}" if found else "-"
            )
        table.add_row(title, *map(Text, cells))
    return table


def _agreement_table(results: Sequence[Timings], engines: Sequence[str]) -> Table:
    table = plain_table("engine", "masks", "equal", "allows more", "allows less", "after a token it refused")
    for engine in engines:
        found = [result.comparisons[engine] for result in results if engine in result.comparisons]
        differences = [difference for comparison in found for difference in comparison.differences]
        masks, unreached = sum(each.masks for each in found), sum(each.unreached for each in found)
        more, less = sum(bool(d.extra) for d in differences), sum(bool(d.missing) for d in differences)
        table.add_row(engine, *(f"{count:,}" for count in (masks, masks - len(differences), more, less, unreached)))
    return table


def in_words(finding: Finding) -> str:
    r"""Return a finding as one line.

    >>> print(in_words(Finding("xgrammar", ".*", True, 3, 7, True, b"a", b"\n")))
    xgrammar, .*: allows '\n' after 'a', and the oracle forbids it (3 prefixes, 7 tokens judged).
    """
    does, oracle = ("allows", "forbids") if finding.extra else ("forbids", "allows")
    where = f"{does} '{readable(finding.token)}' after '{readable(finding.prefix)}'"
    verdict = f"and the oracle {oracle} it" if finding.ours_right else "and OUR MASK IS WRONG"
    counts = f"{finding.prefixes:,} prefixes, {finding.tokens:,} tokens judged"
    return f"{finding.engine}, {finding.work}: {where}, {verdict} ({counts})."
