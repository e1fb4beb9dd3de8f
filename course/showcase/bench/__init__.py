"""``python3 -m course bench``: what the labs' methods cost, one beside the other."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from types import ModuleType

import numpy as np
from rich.console import Console
from rich.text import Text

from course.showcase.measuring import environment, name_missing, paired, plain_table, seconds, with_progress
from course.student.core.catalog import Lab, all_labs, find_lab
from labkit.automata import decimal_fsm
from labkit.bench import Case, Job, Setting, Subject, Times
from labkit.pictures import quantity
from labkit.vocabulary import Vocabulary
from labs.lab_02_atom_fsm.solution import compile_pattern

SUBJECTS = (
    Subject(r"([0-9]+)?\.[0-9]+", decimal_fsm(), "3.14"),
    Subject("0x[0-9a-f]+", compile_pattern("0x[0-9a-f]+"), "0x1f"),
    Subject("[a-z]+@[a-z]+", compile_pattern("[a-z]+@[a-z]+"), "ada@home"),
)


def run_bench(console: Console, file: Path, vocabulary: Vocabulary | None = None, lab: str | None = None) -> None:
    """Run the cases of all labs, or of one, print their tables, and write the JSON.

    Raises:
        ValueError: if there is no such lab, or it has no ``bench.py``.
    """
    only = find_lab(lab) if lab else None
    if only and not benches(only):
        raise ValueError(f"{only.label} has no bench; {', '.join(lab.label for lab, _ in benches())} have one")
    where = environment()
    console.print(f"{where['machine']}, Python {where['python']}, {where['date']}", markup=False)
    rows = run_labs(console, vocabulary or Vocabulary.tekken(), only)
    file.parent.mkdir(parents=True, exist_ok=True)
    data = {**where, "rows": [asdict(row) for row in rows]}
    file.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    console.print(f"Data: {file}", markup=False)


@dataclass(frozen=True)
class Row:
    """One line of the bench: a job, the slower and the faster method, and how they compare."""

    lab: str
    job: str
    pattern: str
    vocab_size: int
    slow_way: str
    fast_way: str
    slow: float
    fast: float
    ratio: float
    note: str = ""


def run_labs(console: Console, vocabulary: Vocabulary, only: Lab | None = None) -> list[Row]:
    """Run every case, or those of one lab, print the tables, and name what the labs would compare with."""
    rows = with_progress(console, "measuring", jobs(vocabulary, only))
    show(console, rows)
    console.print("\nMedians of jobs that took turns; ratios hold on this machine, times only now.")
    wanted = {name for _, bench in benches(only) for name in getattr(bench, "WANTED", ())}
    name_missing(console, sorted(name for name in wanted if not find_spec(name)))
    return rows


def benches(only: Lab | None = None) -> list[tuple[Lab, ModuleType]]:
    """Return the labs' ``bench.py``, or that of one lab."""
    labs = [lab for lab in ([only] if only else all_labs()) if (lab.folder / "bench.py").is_file()]
    return [(lab, import_module(f"labs.{lab.name}.bench")) for lab in labs]


def jobs(vocabulary: Vocabulary, only: Lab | None = None) -> Iterator[Callable[[], Row]]:
    """Yield the cases that they offer, on 50,000 tokens and on all, still to be measured."""
    seconds_once = cache(seconds)
    for setting in settings(vocabulary):
        for lab, bench in benches(only):
            for make in bench.cases(setting):
                yield partial(_measured, lab, setting, make, seconds_once)


def settings(vocabulary: Vocabulary) -> tuple[Setting, Setting]:
    """Return 50,000 tokens drawn from the vocabulary, and all of it."""
    texts = vocabulary.texts()
    chosen = np.random.default_rng(0).choice(len(texts), min(50_000, len(texts)), replace=False)
    return Setting([texts[i] for i in chosen], SUBJECTS), Setting(texts, SUBJECTS, vocabulary)


def _measured(lab: Lab, setting: Setting, make: Callable[[], Case], seconds_once: Callable[[Job], float]) -> Row:
    case = make()
    slow, fast, ratio = paired(case.slow, case.fast, case.times)
    times = Times(slow, fast, seconds_once(case.prepare) if case.prepare else 0.0)
    note = case.note(times) if case.note else ""
    number, size = f"{lab.number:02}", case.tokens or len(setting.texts)
    return Row(number, case.job, case.pattern, size, *case.methods, slow, fast, ratio, note)


def show(console: Console, rows: Sequence[Row]) -> None:
    """Print a small table for each job at each size of the vocabulary: one line a pattern."""

    def kind(row: Row) -> tuple[int, str]:
        return row.vocab_size, row.job

    for (size, job), group in groupby(sorted(rows, key=kind), key=kind):
        lines = list(group)
        table = plain_table("", lines[0].slow_way, lines[0].fast_way, "ratio")
        for row in lines:
            table.add_row(Text(row.pattern), quantity(row.slow, "s"), quantity(row.fast, "s"), f"{row.ratio:.2f}")
        console.print(f"\n[bold]{job}[/], {size:,} tokens (lab {lines[0].lab})")
        console.print(table)
        for row in lines:
            if row.note:
                console.print(f"  {row.pattern}: {row.note}", markup=False, style="dim")
