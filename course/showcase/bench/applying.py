"""``python -m course bench apply``: a packed bitmask applied to logits on the CPU, by lab 14 and by other libraries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from statistics import geometric_mean, median
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from course.showcase.environment import name_missing
from course.showcase.jobs import with_progress
from course.showcase.timing import Job, in_turns
from labs.lab_14_gpu_bitmask import solution as lab_14
from labs.lab_14_gpu_bitmask.given import kept, tuned

ROWS, COLUMNS = 256, 131_072
DENSITIES = (0.001, 0.5, 0.97)
"""Shares of tokens that are allowed; each token of each row is drawn by itself."""

TURNS = 5
LINE = 64
"""Bytes of a line of the processor's cache, the least that it moves."""

OURS, TUNED, LEAST, LINES = "lab 14, rows kept", "lab 14, tuned", "copy of the bytes", "copy of their lines"
WANTED = ("torch", "xgrammar")


@dataclass(frozen=True)
class Batch:
    """Logits, a bitmask, and the forbidden tokens of the same bitmask as booleans."""

    density: float
    logits: NDArray[np.float32]
    bitmask: NDArray[np.int32]
    forbidden: NDArray[np.bool_]

    @property
    def least_bytes(self) -> int:
        """Bytes to move: every word read, every masked logit written."""
        return self.bitmask.nbytes + int(self.forbidden.sum()) * self.logits.itemsize

    @property
    def line_bytes(self) -> int:
        """Bytes to move: every word read, and every cache line written that has a masked logit."""
        per_line = LINE // self.logits.itemsize
        whole = self.forbidden[:, : self.forbidden.shape[1] // per_line * per_line]
        return self.bitmask.nbytes + LINE * int(whole.reshape(-1, per_line).any(axis=1).sum())


@dataclass(frozen=True)
class Measured:
    """Seconds of each method, turn by turn, at one density; and the methods whose outcome was wrong."""

    density: float
    least_bytes: int
    line_bytes: int
    turns: Mapping[str, Sequence[float]]
    wrong: Sequence[str]

    def ratio(self, method: str) -> float:
        """Return how many times as long as ours a method takes: the median over the turns."""
        return median(a / b for a, b in zip(self.turns[method], self.turns[OURS], strict=True))


def batch_of(density: float, rows: int = ROWS, columns: int = COLUMNS) -> Batch:
    """Return random logits and a random bitmask, always the same.

    >>> batch = batch_of(0.5, rows=2, columns=64)
    >>> batch.logits.shape, batch.bitmask.shape, batch.least_bytes == 16 + 4 * int(batch.forbidden.sum())
    ((2, 64), (2, 2), True)
    """
    rng = np.random.default_rng(0)
    logits = rng.standard_normal((rows, columns), dtype=np.float32)
    forbidden = rng.random((rows, columns), dtype=np.float32) >= density
    packed = np.packbits(~forbidden, axis=1, bitorder="little")
    return Batch(density, logits, packed.view("<i4").astype(np.int32, copy=False), forbidden)


def methods_of(batch: Batch, logits: NDArray[np.float32]) -> dict[str, Job]:
    """Return each method to mask these logits in place, and two copies of as many bytes as must move."""
    size = batch.logits.shape[1]
    methods: dict[str, Job] = {
        LEAST: _copy(batch.least_bytes),
        LINES: _copy(batch.line_bytes),
        OURS: partial(kept.apply_kept, logits, [kept.keep_row(words, size) for words in batch.bitmask]),
        TUNED: partial(tuned.apply, logits, batch.bitmask, size),
        "lab 14, clear": partial(lab_14.apply, logits, batch.bitmask, size),
        "NumPy, boolean index": partial(_boolean_index, logits, batch.bitmask, size),
    }
    if find_spec("torch"):
        import torch

        tensor = torch.from_numpy(logits)
        methods["torch, masked_fill_"] = partial(tensor.masked_fill_, torch.from_numpy(batch.forbidden), float("-inf"))
        if find_spec("xgrammar"):
            import xgrammar

            bitmask = torch.from_numpy(batch.bitmask)
            methods["xgrammar's kernel"] = partial(xgrammar.apply_token_bitmask_inplace, tensor, bitmask)
    return methods


def _copy(n_bytes: int) -> Job:
    source, target = np.zeros(n_bytes, np.uint8), np.ones(n_bytes, np.uint8)
    return partial(np.copyto, target, source)


def _boolean_index(logits: NDArray[np.float32], bitmask: NDArray[np.int32], size: int) -> None:
    """Mask with a boolean for each token of the batch."""
    logits[np.unpackbits(bitmask.view(np.uint8), axis=1, count=size, bitorder="little") == 0] = -np.inf


def measure(density: float, rows: int = ROWS, columns: int = COLUMNS, turns: int = TURNS) -> Measured:
    """Time each method once a turn, after each has been tried and its outcome checked.

    >>> found = measure(0.5, rows=2, columns=64, turns=1)
    >>> found.wrong, found.ratio(OURS)
    ([], 1.0)
    """
    batch = batch_of(density, rows, columns)
    logits = batch.logits.copy()
    methods, wrong = methods_of(batch, logits), []
    expected = np.where(batch.forbidden, np.float32("-inf"), batch.logits).view(np.uint32)
    for name, method in methods.items():
        np.copyto(logits, batch.logits)
        method()
        if name not in (LEAST, LINES) and not np.array_equal(logits.view(np.uint32), expected):
            wrong.append(name)
    return Measured(density, batch.least_bytes, batch.line_bytes, in_turns(methods, turns), wrong)


def run_apply(console: Console, rows: int = ROWS, columns: int = COLUMNS) -> tuple[dict[str, Any], bool]:
    """Measure at each density, print the table, and return the data, and whether every method was right."""
    jobs = [partial(measure, density, rows, columns) for density in DENSITIES]
    results = with_progress(console, "applying bitmasks", jobs)
    show(console, results, rows, columns)
    name_missing(console, [name for name in WANTED if not find_spec(name)])
    data = {"rows": rows, "columns": columns, "densities": [_data(each) for each in results]}
    return data, not any(each.wrong for each in results)


def show(console: Console, results: Sequence[Measured], rows: int, columns: int) -> None:
    """Print a line for each method: its best time at each density, and how many times as long as ours it takes."""
    console.print(f"\n[bold]a bitmask applied to float32[{rows}, {columns}][/] on the CPU, by tokens allowed (lab 14)")
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("method", no_wrap=True)
    for result in results:
        table.add_column(f"{result.density:.1%}", justify="right", no_wrap=True)
    for method in results[0].turns:
        cells = [f"{min(result.turns[method]) * 1000:.1f} ms, {result.ratio(method):.2f}" for result in results]
        table.add_row(method, *cells)
    console.print(table)
    console.print("Best of the turns, then the median of its ratio to lab 14's kept rows, turn by turn.")
    for method in results[0].turns:
        if method not in (OURS, LEAST, LINES):
            mean = geometric_mean(result.ratio(method) for result in results)
            console.print(f"  {method}: {mean:.1f} times as long in the geometric mean", markup=False, highlight=False)
    for result in results:
        for method in result.wrong:
            console.print(f"WRONG: {method} at {result.density:.1%} leaves other logits", markup=False)


def _data(result: Measured) -> dict[str, Any]:
    return {
        "allowed": result.density,
        "least_bytes": result.least_bytes,
        "line_bytes": result.line_bytes,
        "seconds": {name: list(turns) for name, turns in result.turns.items()},
        "ratio_to_kept": {name: result.ratio(name) for name in result.turns},
        "wrong": list(result.wrong),
    }
