"""``python -m course bench``: the course's own ways compared within one run, as a table and as JSON."""

import json
import os
import platform
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path

from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

from course.bench.cases import Row, cases, settings
from course.jobs import with_progress
from labkit.pictures import quantity
from labkit.vocabulary import Vocabulary


def run_bench(console: Console, out: str, vocabulary: Vocabulary | None = None) -> int:
    """Run every case, print the table, write the JSON."""
    made = with_progress(console, "building tries", settings(vocabulary or Vocabulary.tekken()))
    rows = with_progress(console, "measuring", (job for setting in made for job in cases(setting)))
    show(console, rows)
    path = Path(out)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(as_data(rows), indent=2) + "\n", encoding="utf-8")
    console.print(f"\nMedians of jobs that took turns; ratios hold on this machine, times only now. Data: {path}")
    return 0


def as_data(rows: Sequence[Row]) -> dict[str, object]:
    """The rows with the machine and the day, for the JSON file; times are in seconds."""
    return {
        "date": time.strftime("%Y-%m-%d"),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        "implementation": sys.implementation.name,
        "rows": [asdict(row) for row in rows],
    }


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
