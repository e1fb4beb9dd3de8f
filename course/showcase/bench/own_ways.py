"""``python -m course bench labs``: each lab's way beside that of the lab before, as ratios."""

from collections.abc import Sequence
from itertools import groupby

from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

from course.showcase.bench.cases import Row, cases, settings
from course.showcase.jobs import with_progress
from labkit.pictures import quantity
from labkit.vocabulary import Vocabulary


def run_labs(console: Console, vocabulary: Vocabulary) -> list[Row]:
    """Run every case and print the tables."""
    made = with_progress(console, "building tries", settings(vocabulary))
    rows = with_progress(console, "measuring", (job for setting in made for job in cases(setting)))
    show(console, rows)
    console.print("\nMedians of jobs that took turns; ratios hold on this machine, times only now.")
    return rows


def show(console: Console, rows: Sequence[Row]) -> None:
    """A small table for each job at each size of the vocabulary: one line a pattern."""
    for (size, job), group in groupby(sorted(rows, key=_kind), key=_kind):
        lines = list(group)
        table = Table(box=None, pad_edge=False, header_style="dim")
        for name, justify in _columns(lines[0]):
            table.add_column(name, justify=justify, no_wrap=True)
        for row in lines:
            figures = (quantity(row.slow, "s"), quantity(row.fast, "s"), f"{row.ratio:.1f}")
            table.add_row(Text(row.pattern), *figures)
        console.print(f"\n[bold]{job}[/], {size:,} tokens (lab {lines[0].lab})")
        console.print(table)
        for row in lines:
            console.print(
                f"  {row.pattern}: {row.note}" if row.note else "", markup=False, style="dim", end="\n" * bool(row.note)
            )


def _kind(row: Row) -> tuple[int, str]:
    return row.vocab_size, row.job


def _columns(row: Row) -> list[tuple[str, JustifyMethod]]:
    return [("pattern", "left"), (row.slow_way, "right"), (row.fast_way, "right"), ("ratio", "right")]
