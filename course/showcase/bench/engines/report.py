"""The engines' bench in the terminal."""

from collections.abc import Callable, Sequence
from statistics import median

from rich.console import Console
from rich.table import Table
from rich.text import Text

from course.showcase.bench.engines.judge import Finding
from course.showcase.bench.engines.results import (
    Kind,
    Result,
    against_ours,
    all_masks,
    engines_of,
    first_mask,
    middle_and_slowest,
    overall,
    readable,
    times,
)
from course.showcase.bench.engines.turns import FEWEST_TURNS, LATER_VISITS, PATIENCE, TURNS, Steps
from labkit.pictures import quantity

Visits = Callable[[Steps], Sequence[float]]

METHOD = (
    f"One process. The engines take turns, {TURNS} at each pattern ({FEWEST_TURNS} where these take an engine more than"
    f" {PATIENCE:.0f} s), with Python's garbage collector off. Times are medians; in brackets the median over the"
    " turns of how many times as long as ours, and below these their geometric mean. Making an engine ready for the"
    " vocabulary is not counted. Rows: every step along the pattern's texts and along walks sampled from our masks;"
    f" later visits: for each step the median of {LATER_VISITS}, behind a walk that is not timed. xgrammar has one"
    " thread and no cache of grammars."
)


def show(console: Console, results: Sequence[Result], vocab_size: int) -> None:
    """All tables."""
    first = f"From a pattern to its first mask, {vocab_size:,} tokens"
    _print(console, first, _turns_table(results, first_mask))
    _print(console, "From a pattern to the masks of all states", _turns_table(results, all_masks))
    kinds: dict[str, Visits] = {"later visits": lambda steps: steps.later, "the first visit": lambda steps: steps.first}
    for when, visits in kinds.items():
        _print(console, f"A row on {when}: median and slowest step", _rows_table(results, visits))
    if len(engines_of(results)) > 1:
        _print(console, "Masks along the walks, bit for bit against ours", _agreement_table(results))
        _show_findings(console, [finding for result in results for finding in result.findings])
    console.print(f"\n{METHOD}", style="dim", markup=False)


def _turns_table(results: Sequence[Result], kind: Kind) -> Table:
    engines = [engine for engine in engines_of(results) if times(results[0], engine, kind)]
    table = _table("pattern", *engines)
    for result in results:
        cells = (_time_and_ratio(result, engine, kind, ours=engine == engines[0]) for engine in engines)
        table.add_row(Text(result.work.name), *cells)
    table.add_section()
    means = (f"({quantity(overall(results, engine, kind) or 0)})" for engine in engines[1:])
    table.add_row("geometric mean", "", *means, style="bold")
    return table


def _time_and_ratio(result: Result, engine: str, kind: Kind, *, ours: bool) -> str:
    text = quantity(median(times(result, engine, kind)), "s")
    return text if ours else f"{text} ({quantity(against_ours(result, engine, kind) or 0)})"


def _rows_table(results: Sequence[Result], visits: Visits) -> Table:
    engines = engines_of(results)
    table = _table("pattern", *engines)
    for result in results:
        cells = (_middle_and_slowest(visits(result.steps[engine])) for engine in engines)
        table.add_row(Text(result.work.name), *cells)
    table.add_section()
    together = ([step for result in results for step in visits(result.steps[engine])] for engine in engines)
    table.add_row("all patterns", *map(_middle_and_slowest, together), style="bold")
    return table


def _middle_and_slowest(steps: Sequence[float]) -> str:
    return " / ".join(quantity(value, "s") for value in middle_and_slowest(steps))


def _agreement_table(results: Sequence[Result]) -> Table:
    table = _table("engine", "masks", "equal", "allows more", "allows less", "behind a token it refused")
    for engine in engines_of(results)[1:]:
        found = [result.comparisons[engine] for result in results]
        differences = [difference for comparison in found for difference in comparison.differences]
        masks = sum(comparison.masks for comparison in found)
        more, less = sum(bool(d.extra) for d in differences), sum(bool(d.missing) for d in differences)
        unreached = sum(comparison.unreached for comparison in found)
        table.add_row(engine, *(f"{count:,}" for count in (masks, masks - len(differences), more, less, unreached)))
    return table


def _show_findings(console: Console, findings: Sequence[Finding]) -> None:
    console.print()
    for finding in sorted(findings, key=lambda finding: finding.engine):
        console.print(f"  {tell(finding)}", markup=False, style="" if finding.ours_right else "bold red")
    if not findings:
        console.print("  No mask differs.")


def tell(finding: Finding) -> str:
    r"""A finding as one line.

    >>> print(tell(Finding("xgrammar", ".*", True, "its dot matches a newline", 3, 7, True, b"a", b"\n")))
    xgrammar, .*: allows '\n' behind 'a': its dot matches a newline (3 beginnings, 7 tokens judged).
    """
    does = "allows" if finding.extra else "forbids"
    where = f"{does} '{readable(finding.token)}' behind '{readable(finding.prefix)}'"
    counts = f"{finding.prefixes:,} beginnings, {finding.tokens:,} tokens judged"
    return f"{finding.engine}, {finding.work}: {where}: {finding.cause} ({counts})."


def _table(*titles: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for number, title in enumerate(titles):
        table.add_column(title, justify="right" if number else "left", no_wrap=True)
    return table


def _print(console: Console, title: str, table: Table) -> None:
    console.print(f"\n[bold]{title}[/]")
    console.print(table)
