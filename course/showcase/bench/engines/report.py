"""The engines' bench in the terminal."""

from collections.abc import Iterable, Sequence
from statistics import median

from rich.console import Console
from rich.table import Table
from rich.text import Text

from course.showcase.bench.engines.differences import Finding
from course.showcase.bench.engines.results import Kind, Result, overall, readable
from course.showcase.bench.engines.turns import FEWEST_TURNS, LATER_VISITS, TIME_LIMIT, TURNS
from labkit.pictures import quantity

METHOD = (
    f"One process. The engines take turns, {TURNS} at each pattern ({FEWEST_TURNS} where these take an engine more than"
    f" {TIME_LIMIT:.0f} s), with Python's garbage collector off. Times are medians; in brackets the median over the"
    " turns of how many times as long as ours, and below these their geometric mean. Making an engine ready for the"
    " vocabulary is not counted. Masks: every step along the pattern's texts and along walks sampled from our masks;"
    f" later visits: for each step the median of {LATER_VISITS}, after a walk that is not timed. xgrammar has one"
    " thread and no cache of grammars."
)


def show(console: Console, results: Sequence[Result], vocab_size: int) -> None:
    """Print all tables."""
    engines = list(results[0].turns)
    first = f"From a pattern to its first mask, {vocab_size:,} tokens"
    _print(console, first, _turns_table(results, "first_mask"))
    _print(console, "From a pattern to the masks of all states", _turns_table(results, "all_masks"))
    for visit, when in {"later": "later visits", "first": "the first visit"}.items():
        _print(console, f"A mask on {when}: median and slowest step", _steps_table(results, engines, visit))
    if len(engines) > 1:
        _print(console, "Masks along the walks, bit for bit against ours", _agreement_table(results, engines[1:]))
        _show_findings(console, [finding for result in results for finding in result.findings])
    console.print(f"\n{METHOD}", style="dim", markup=False)


def _turns_table(results: Sequence[Result], kind: Kind) -> Table:
    ours, *others = (engine for engine in results[0].turns if results[0].times(engine, kind))
    table = _table("pattern", ours, *others)
    for result in results:
        cells = (f"{_seconds(result, engine, kind)} ({quantity(result.ratio(engine, kind) or 0)})" for engine in others)
        table.add_row(Text(result.work.name), _seconds(result, ours, kind), *cells)
    table.add_section()
    means = (f"({quantity(overall(results, engine, kind) or 0)})" for engine in others)
    table.add_row("geometric mean", "", *means, style="bold")
    return table


def _seconds(result: Result, engine: str, kind: Kind) -> str:
    return quantity(median(result.times(engine, kind)), "s")


def _steps_table(results: Sequence[Result], engines: Sequence[str], visit: str) -> Table:
    def cells(some: Iterable[Result]) -> list[str]:
        steps = [[step for result in some for step in getattr(result.steps[engine], visit)] for engine in engines]
        return [f"{quantity(median(each), 's')} / {quantity(max(each), 's')}" for each in steps]

    table = _table("pattern", *engines)
    for result in results:
        table.add_row(Text(result.work.name), *cells([result]))
    table.add_section()
    table.add_row("all patterns", *cells(results), style="bold")
    return table


def _agreement_table(results: Sequence[Result], engines: Sequence[str]) -> Table:
    table = _table("engine", "masks", "equal", "allows more", "allows less", "after a token it refused")
    for engine in engines:
        found = [result.comparisons[engine] for result in results]
        differences = [difference for comparison in found for difference in comparison.differences]
        masks, unreached = sum(each.masks for each in found), sum(each.unreached for each in found)
        more, less = sum(bool(d.extra) for d in differences), sum(bool(d.missing) for d in differences)
        table.add_row(engine, *(f"{count:,}" for count in (masks, masks - len(differences), more, less, unreached)))
    return table


def _show_findings(console: Console, findings: Sequence[Finding]) -> None:
    console.print()
    for finding in sorted(findings, key=lambda finding: finding.engine):
        console.print(f"  {in_words(finding)}", markup=False, style="" if finding.ours_right else "bold red")
    if not findings:
        console.print("  No mask differs.")


def in_words(finding: Finding) -> str:
    r"""Return a finding as one line.

    >>> print(in_words(Finding("xgrammar", ".*", True, "its dot matches a newline", 3, 7, True, b"a", b"\n")))
    xgrammar, .*: allows '\n' after 'a': its dot matches a newline (3 prefixes, 7 tokens judged).
    """
    does = "allows" if finding.extra else "forbids"
    where = f"{does} '{readable(finding.token)}' after '{readable(finding.prefix)}'"
    counts = f"{finding.prefixes:,} prefixes, {finding.tokens:,} tokens judged"
    return f"{finding.engine}, {finding.work}: {where}: {finding.cause} ({counts})."


def _table(*titles: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for number, title in enumerate(titles):
        table.add_column(title, justify="right" if number else "left", no_wrap=True)
    return table


def _print(console: Console, title: str, table: Table) -> None:
    console.print(f"\n[bold]{title}[/]")
    console.print(table)
