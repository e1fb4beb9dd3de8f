"""``python3 -m course bench``: what the labs' methods cost, one beside the other."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from rich.console import Console
from rich.text import Text

from course.showcase.measuring import environment, medians, name_missing, plain_table, with_progress
from course.student.core.catalog import Lab, all_labs, find_lab
from labkit.bench import BenchTable
from labkit.pictures import quantity
from labkit.vocabulary import Vocabulary


@dataclass(frozen=True)
class Row:
    """One row of a lab's table: seconds by method, None where a method takes no part."""

    lab: str
    job: str
    name: str
    seconds: dict[str, float | None]


def run_bench(console: Console, file: Path, vocabulary: Vocabulary | None = None, lab: str | None = None) -> None:
    """Measure the table of each lab, or of one, print them, and write the JSON.

    Raises:
        ValueError: if there is no such lab, or it has no ``bench.py``.
    """
    only = find_lab(lab) if lab else None
    if only and not benches(only):
        raise ValueError(f"{only.label} has no bench; {', '.join(lab.label for lab, _ in benches())} have one")
    where, vocabulary = environment(), vocabulary or Vocabulary.tekken()
    console.print(f"{where['machine']}, Python {where['python']}, {where['date']}", markup=False)
    found = [row for each, bench in benches(only) for row in run_lab(console, each, bench.bench(vocabulary))]
    console.print(f"\nOver {len(vocabulary):,} tokens. Medians of processor time; the jobs of a row took turns.")
    wanted = {name for _, bench in benches(only) for name in getattr(bench, "WANTED", ())}
    name_missing(console, sorted(name for name in wanted if not find_spec(name)))
    file.parent.mkdir(parents=True, exist_ok=True)
    data = {**where, "rows": [asdict(row) for row in found]}
    file.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    console.print(f"Data: {file}", markup=False)


def benches(only: Lab | None = None) -> list[tuple[Lab, ModuleType]]:
    """Return the labs' ``bench.py``, or that of one lab."""
    labs = [lab for lab in ([only] if only else all_labs()) if (lab.folder / "bench.py").is_file()]
    return [(lab, import_module(f"labs.{lab.name}.bench")) for lab in labs]


def run_lab(console: Console, lab: Lab, table: BenchTable) -> list[Row]:
    """Measure a table and print it."""

    def measured(name: str) -> Row:
        times = medians(table.rows[name](), table.turns)
        return Row(f"{lab.number:02}", table.job, name, dict(zip(table.methods, times, strict=True)))

    rows = with_progress(console, f"measuring {lab.label}", [partial(measured, name) for name in table.rows])
    console.print(f"\n[bold]{table.job}[/] ({lab.label})")
    show(console, table.methods, rows)
    return rows


def show(console: Console, methods: Sequence[str], rows: Sequence[Row]) -> None:
    """Print a table: a line for each row, and how many times as long the first method takes as the last."""
    drawn = plain_table("", *methods, "ratio")
    for row in rows:
        times = [row.seconds[method] for method in methods]
        ratio = f"{times[0] / times[-1]:.2f}" if times[0] and times[-1] else ""
        drawn.add_row(Text(row.name), *["" if each is None else quantity(each, "s") for each in times], ratio)
    console.print(drawn)
