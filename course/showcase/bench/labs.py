"""``python -m course bench labs``: each lab's method beside that of an earlier lab, as ratios."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from itertools import groupby

import numpy as np
from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

from course.showcase.jobs import with_progress
from course.showcase.timing import paired, seconds
from course.student.core.catalog import Lab, all_labs
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


def run_labs(console: Console, vocabulary: Vocabulary) -> list[Row]:
    """Run every case and print the tables."""
    rows = with_progress(console, "measuring", jobs(vocabulary))
    show(console, rows)
    console.print("\nMedians of jobs that took turns; ratios hold on this machine, times only now.")
    return rows


def jobs(vocabulary: Vocabulary) -> Iterator[Callable[[], Row]]:
    """Yield the cases that the labs' ``bench.py`` offer in each setting, still to be measured."""
    seconds_once = cache(seconds)
    for setting in settings(vocabulary):
        for lab in all_labs():
            if (lab.folder / "bench.py").is_file():
                for make in import_module(f"labs.{lab.name}.bench").cases(setting):
                    yield partial(_measured, lab, setting, make, seconds_once)


def settings(vocabulary: Vocabulary) -> tuple[Setting, Setting]:
    """Return 50,000 tokens drawn from the vocabulary, and all of it."""
    texts = vocabulary.texts()
    chosen = np.random.default_rng(0).choice(len(texts), min(50_000, len(texts)), replace=False)
    return Setting([texts[i] for i in chosen], SUBJECTS), Setting(texts, SUBJECTS, vocabulary)


def _measured(lab: Lab, setting: Setting, make: Callable[[], Case], seconds_once: Callable[[Job], float]) -> Row:
    case = make()
    pair = paired(case.slow, case.fast, case.times)
    times = Times(pair.slow, pair.fast, seconds_once(case.prepare) if case.prepare else 0.0)
    note = case.note(times) if case.note else ""
    number, size = f"{lab.number:02}", len(setting.texts)
    return Row(number, case.job, case.pattern, size, *case.methods, pair.slow, pair.fast, pair.ratio, note)


def show(console: Console, rows: Sequence[Row]) -> None:
    """Print a small table for each job at each size of the vocabulary: one line a pattern."""
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
            if row.note:
                console.print(f"  {row.pattern}: {row.note}", markup=False, style="dim")


def _kind(row: Row) -> tuple[int, str]:
    return row.vocab_size, row.job


def _columns(row: Row) -> list[tuple[str, JustifyMethod]]:
    return [("pattern", "left"), (row.slow_way, "right"), (row.fast_way, "right"), ("ratio", "right")]
