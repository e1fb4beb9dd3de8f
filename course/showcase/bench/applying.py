"""``python -m course bench apply``: a packed bitmask applied to logits on the CPU, by lab 14 and by those installed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from statistics import geometric_mean, median
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from course.showcase.jobs import with_progress
from course.student.commands.machine import Machine, install_command
from labs.lab_14_gpu_bitmask import solution as lab_14
from labs.lab_14_gpu_bitmask.given import kept, tuned

ROWS, COLUMNS = 256, 131_072
DENSITIES = (0.001, 0.5, 0.97)
"""Shares of tokens that are allowed, each token of each row by itself: no row is like another."""

TURNS = 5
LINE = 64
"""Bytes that a processor moves at least: a line of its cache."""

OURS, TUNED, LEAST, LINES = "lab 14, rows kept", "lab 14, tuned", "copy of the bytes", "copy of their lines"
WANTED = ("torch", "xgrammar")

Way = Callable[[], object]


@dataclass(frozen=True)
class Batch:
    """Logits, a bitmask, the same as booleans of what is forbidden, and how many bytes must move."""

    density: float
    logits: NDArray[np.float32]
    bitmask: NDArray[np.int32]
    forbidden: NDArray[np.bool_]

    @property
    def least_bytes(self) -> int:
        """Every word read, every masked logit written."""
        return self.bitmask.nbytes + int(self.forbidden.sum()) * self.logits.itemsize

    @property
    def line_bytes(self) -> int:
        """Every word read, and every line written that has a masked logit."""
        per_line = LINE // self.logits.itemsize
        whole = self.forbidden[:, : self.forbidden.shape[1] // per_line * per_line]
        return self.bitmask.nbytes + LINE * int(whole.reshape(-1, per_line).any(axis=1).sum())


@dataclass(frozen=True)
class Measured:
    """Seconds of each way, turn by turn, at one density; and which ways gave something else than lab 14's clear one."""

    density: float
    least_bytes: int
    line_bytes: int
    turns: Mapping[str, Sequence[float]]
    wrong: Sequence[str]

    def best(self, way: str) -> float:
        """The fastest turn of a way."""
        return min(self.turns[way])

    def ratio(self, way: str) -> float:
        """How many times as long as ours a way takes: the median over the turns."""
        return median(a / b for a, b in zip(self.turns[way], self.turns[OURS], strict=True))


def batch_of(density: float, rows: int = ROWS, columns: int = COLUMNS) -> Batch:
    """Random logits and a random bitmask, always the same.

    >>> batch = batch_of(0.5, rows=2, columns=64)
    >>> batch.logits.shape, batch.bitmask.shape, batch.least_bytes == 16 + 4 * int(batch.forbidden.sum())
    ((2, 64), (2, 2), True)
    """
    rng = np.random.default_rng(0)
    logits = rng.standard_normal((rows, columns), dtype=np.float32)
    forbidden = rng.random((rows, columns), dtype=np.float32) >= density
    packed = np.packbits(~forbidden, axis=1, bitorder="little")
    return Batch(density, logits, packed.view("<i4").astype(np.int32, copy=False), forbidden)


def ways_of(batch: Batch, logits: NDArray[np.float32]) -> dict[str, Way]:
    """Each way to mask these logits in place, and two copies of as many bytes as must move."""
    size = batch.logits.shape[1]
    ways: dict[str, Way] = {
        LEAST: _copy(batch.least_bytes),
        LINES: _copy(batch.line_bytes),
        OURS: partial(kept.apply_kept, logits, [kept.keep_row(words, size) for words in batch.bitmask]),
        TUNED: partial(tuned.apply, logits, batch.bitmask, size),
        "lab 14, clear": partial(lab_14.apply, logits, batch.bitmask, size),
        "NumPy, boolean index": partial(_boolean_index, logits, batch.bitmask, size),
    }
    if find_spec("torch"):
        ways["torch, masked_fill_"] = _torch_way(logits, batch.forbidden)
    if find_spec("torch") and find_spec("xgrammar"):
        ways["xgrammar's kernel"] = _xgrammar_way(logits, batch.bitmask)
    return ways


def _copy(n_bytes: int) -> Way:
    source, target = np.zeros(n_bytes, np.uint8), np.ones(n_bytes, np.uint8)
    return partial(np.copyto, target, source)


def _boolean_index(logits: NDArray[np.float32], bitmask: NDArray[np.int32], size: int) -> None:
    """The plain way: a boolean for each token of the batch."""
    logits[np.unpackbits(bitmask.view(np.uint8), axis=1, count=size, bitorder="little") == 0] = -np.inf


def _torch_way(logits: NDArray[np.float32], forbidden: NDArray[np.bool_]) -> Way:
    """PyTorch's, which is handed the booleans."""
    import torch

    mine, mask = torch.from_numpy(logits), torch.from_numpy(forbidden)
    return lambda: mine.masked_fill_(mask, float("-inf"))


def _xgrammar_way(logits: NDArray[np.float32], bitmask: NDArray[np.int32]) -> Way:
    import torch
    import xgrammar

    mine, words = torch.from_numpy(logits), torch.from_numpy(bitmask)
    return lambda: xgrammar.apply_token_bitmask_inplace(mine, words)


def measure(density: float, rows: int = ROWS, columns: int = COLUMNS, turns: int = TURNS) -> Measured:
    """Each way once a turn, after each has been tried and its outcome compared.

    >>> found = measure(0.5, rows=2, columns=64, turns=1)
    >>> found.wrong, found.ratio(OURS)
    ([], 1.0)
    """
    batch = batch_of(density, rows, columns)
    logits = batch.logits.copy()
    ways = ways_of(batch, logits)
    expected = np.where(batch.forbidden, np.float32("-inf"), batch.logits).view(np.uint32)
    wrong = [name for name, way in ways.items() if not _right(way, batch, logits, expected, name)]
    found: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(turns):
        for name, way in ways.items():
            start = perf_counter()
            way()
            found[name].append(perf_counter() - start)
    return Measured(density, batch.least_bytes, batch.line_bytes, found, wrong)


def _right(way: Way, batch: Batch, logits: NDArray[np.float32], expected: NDArray[np.uint32], name: str) -> bool:
    """Whether a way leaves what it should; a copy leaves nothing."""
    np.copyto(logits, batch.logits)
    way()
    return name in (LEAST, LINES) or np.array_equal(logits.view(np.uint32), expected)


def run_apply(console: Console, rows: int = ROWS, columns: int = COLUMNS) -> tuple[dict[str, Any], bool]:
    """Measure at each density, print the table, and give the data, and whether every way was right."""
    jobs = [partial(measure, density, rows, columns) for density in DENSITIES]
    results = with_progress(console, "applying bitmasks", jobs)
    show(console, results, rows, columns)
    if lacking := [name for name in WANTED if not find_spec(name)]:
        command = install_command(Machine(), "bench")
        console.print(f"Not installed, so not compared: {', '.join(lacking)}. To add them: {command}", markup=False)
    return {"rows": rows, "columns": columns, "densities": [_data(each) for each in results]}, not any(
        each.wrong for each in results
    )


def show(console: Console, results: Sequence[Measured], rows: int, columns: int) -> None:
    """One line a way: its best time at each density, and how many times as long as ours it takes."""
    console.print(f"\n[bold]a bitmask applied to float32[{rows}, {columns}][/] on the CPU, by tokens allowed (lab 14)")
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("way", no_wrap=True)
    for result in results:
        table.add_column(f"{result.density:.1%}", justify="right", no_wrap=True)
    for way in results[0].turns:
        cells = [f"{result.best(way) * 1000:.1f} ms, {result.ratio(way):.2f}" for result in results]
        table.add_row(way, *cells)
    console.print(table)
    console.print("Best of the turns; behind it the median of its ratio to lab 14's kept rows, turn by turn.")
    for way in results[0].turns:
        if way not in (OURS, LEAST, LINES):
            mean = geometric_mean(result.ratio(way) for result in results)
            console.print(f"  {way}: {mean:.1f} times as long in the geometric mean", markup=False, highlight=False)
    for result in results:
        for way in result.wrong:
            console.print(f"WRONG: {way} at {result.density:.1%} leaves other logits", markup=False)


def _data(result: Measured) -> dict[str, Any]:
    return {
        "allowed": result.density,
        "least_bytes": result.least_bytes,
        "line_bytes": result.line_bytes,
        "seconds": {name: list(turns) for name, turns in result.turns.items()},
        "ratio_to_kept": {name: result.ratio(name) for name in result.turns},
        "wrong": list(result.wrong),
    }
