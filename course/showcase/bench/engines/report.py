"""Everything that the engines' bench measured: ratios against ours, tables for the terminal, data for a file."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import geometric_mean, median
from typing import Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from course.showcase.bench.engines.differences import Comparison, Finding
from course.showcase.bench.engines.work import FEWEST_TURNS, LATER_VISITS, TIME_LIMIT, TURNS, Steps, Turn, Work
from course.showcase.measuring import plain_table
from labkit.pictures import quantity

Kind = Literal["first_mask", "all_masks"]
KINDS: tuple[Kind, ...] = ("first_mask", "all_masks")

METHOD = (
    f"One process. The engines take turns, {TURNS} at each pattern ({FEWEST_TURNS} where these take an engine more than"
    f" {TIME_LIMIT:.0f} s), with Python's garbage collector off. Times are medians; in brackets the median over the"
    " turns of how many times as long as ours, and below these their geometric mean. Making an engine ready for the"
    " vocabulary is not counted. Masks: every step along the pattern's texts and along walks sampled from our masks;"
    f" later visits: for each step the median of {LATER_VISITS}, after a walk that is not timed. xgrammar has one"
    " thread and no cache of grammars."
)


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
    engines, patterns = results[0].turns, []
    for result in results:
        found = [
            asdict(each) | {"prefix": readable(each.prefix), "token": readable(each.token)} for each in result.findings
        ]
        measured = {engine: _engine(result, engine) for engine in engines}
        patterns.append({"name": result.work.name, "regex": result.work.regex, "engines": measured, "findings": found})
    means = {engine: {kind: overall(results, engine, kind) for kind in KINDS} for engine in engines}
    return {"geometric_means": means, "patterns": patterns}


def _engine(result: Result, engine: str) -> dict[str, object]:
    steps, compared = result.steps[engine], result.comparisons.get(engine)
    equal = compared and compared.masks - len(compared.differences)
    return {
        **{kind: result.times(engine, kind) for kind in KINDS},
        "row": {"steps": len(steps.later), "median": median(steps.later), "slowest": max(steps.later)},
        "slowest_first_visit": max(steps.first),
        "masks": compared and {"compared": compared.masks, "equal": equal, "unreached": compared.unreached},
    }


def readable(data: bytes) -> str:
    r"""Return bytes as text; control characters, and bytes that are no text, as escapes.

    >>> readable("Größe\n".encode() + b"\xf0\x9f")
    'Größe\\n\\xf0\\x9f'
    """
    text = data.decode("utf-8", errors="backslashreplace")
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def show(console: Console, results: Sequence[Result], vocab_size: int) -> None:
    """Print all tables."""
    others = list(results[0].turns)[1:]
    tables = {
        f"From a pattern to its first mask, {vocab_size:,} tokens": _turns_table(results, "first_mask"),
        "From a pattern to the masks of all states": _turns_table(results, "all_masks"),
        "A mask on later visits: median and slowest step": _steps_table(results, "later"),
        "A mask on the first visit: median and slowest step": _steps_table(results, "first"),
    }
    if others:
        tables["Masks along the walks, bit for bit against ours"] = _agreement_table(results, others)
    for title, table in tables.items():
        console.print(f"\n[bold]{title}[/]")
        console.print(table)
    if others:
        console.print()
        findings = sorted((each for result in results for each in result.findings), key=lambda each: each.engine)
        for finding in findings:
            console.print(f"  {in_words(finding)}", markup=False, style="" if finding.ours_right else "bold red")
        if not findings:
            console.print("  No mask differs.")
    console.print(f"\n{METHOD}", style="dim", markup=False)


def _turns_table(results: Sequence[Result], kind: Kind) -> Table:
    def took(result: Result, engine: str) -> str:
        return quantity(median(result.times(engine, kind)), "s")

    ours, *others = (engine for engine in results[0].turns if results[0].times(engine, kind))
    table = plain_table("pattern", ours, *others)
    for result in results:
        cells = (f"{took(result, engine)} ({quantity(result.ratio(engine, kind) or 0)})" for engine in others)
        table.add_row(Text(result.work.name), took(result, ours), *cells)
    means = (f"({quantity(overall(results, engine, kind) or 0)})" for engine in others)
    table.add_row("geometric mean", "", *means, style="bold")
    return table


def _steps_table(results: Sequence[Result], visit: str) -> Table:
    table = plain_table("pattern", *results[0].turns)
    for name, some in [*((result.work.name, [result]) for result in results), ("all patterns", results)]:
        cells = []
        for engine in results[0].turns:
            steps = [step for result in some for step in getattr(result.steps[engine], visit)]
            cells.append(f"{quantity(median(steps), 's')} / {quantity(max(steps), 's')}")
        table.add_row(Text(name), *cells, style="bold" if some is results else "")
    return table


def _agreement_table(results: Sequence[Result], engines: Sequence[str]) -> Table:
    table = plain_table("engine", "masks", "equal", "allows more", "allows less", "after a token it refused")
    for engine in engines:
        found = [result.comparisons[engine] for result in results]
        differences = [difference for comparison in found for difference in comparison.differences]
        masks, unreached = sum(each.masks for each in found), sum(each.unreached for each in found)
        more, less = sum(bool(d.extra) for d in differences), sum(bool(d.missing) for d in differences)
        table.add_row(engine, *(f"{count:,}" for count in (masks, masks - len(differences), more, less, unreached)))
    return table


def in_words(finding: Finding) -> str:
    r"""Return a finding as one line.

    >>> print(in_words(Finding("xgrammar", ".*", True, "its dot matches a newline", 3, 7, True, b"a", b"\n")))
    xgrammar, .*: allows '\n' after 'a': its dot matches a newline (3 prefixes, 7 tokens judged).
    """
    does = "allows" if finding.extra else "forbids"
    where = f"{does} '{readable(finding.token)}' after '{readable(finding.prefix)}'"
    counts = f"{finding.prefixes:,} prefixes, {finding.tokens:,} tokens judged"
    return f"{finding.engine}, {finding.work}: {where}: {finding.cause} ({counts})."
