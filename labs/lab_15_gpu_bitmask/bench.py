"""Lab 15 in ``python3 -m course bench``: ways to apply a bitmask on the CPU, and a copy of the bytes that must move."""

from collections.abc import Sequence
from functools import partial
from importlib.util import find_spec

import numpy as np

from labkit.bench import BenchTable, Job
from labkit.vocabulary import Vocabulary
from labs.lab_15_gpu_bitmask.given import tuned
from labs.lab_15_gpu_bitmask.solution import apply, least_bytes, pack, unpack

ROWS = 256
DENSITIES = (0.001, 0.5, 0.97)
"""Shares of tokens that are allowed; each token of each row is drawn by itself."""

WANTED = ("torch", "xgrammar")
"""Packages whose methods are compared where they are installed."""

METHODS = ("index", "torch", "xgrammar", "a copy", "clear", "tuned")


def bench(vocabulary: Vocabulary) -> BenchTable:
    """Return a row for each density, over as many columns as the vocabulary has tokens."""
    rows = {f"{density:.1%} allowed": partial(jobs, density, len(vocabulary)) for density in DENSITIES}
    return BenchTable(f"{ROWS} rows of float32 masked", METHODS, rows, turns=7)


def jobs(density: float, columns: int) -> Sequence[Job | None]:
    """Return what masks random logits in place, by method; ValueError if one leaves other logits."""
    rng = np.random.default_rng(0)
    logits = rng.standard_normal((ROWS, columns), dtype=np.float32)
    forbidden = rng.random((ROWS, columns), dtype=np.float32) >= density
    bitmask, masked = pack(~forbidden), logits.copy()
    moved = np.zeros(least_bytes(bitmask, columns, columns, logits.itemsize), np.uint8)

    def index() -> None:
        masked[~unpack(bitmask, columns)] = -np.inf

    made: list[Job | None] = [index, None, None, None]
    made += [partial(each, masked, bitmask, columns) for each in (apply, tuned.apply)]
    if find_spec("torch"):
        import torch

        tensor = torch.from_numpy(masked)
        made[1] = partial(tensor.masked_fill_, torch.from_numpy(forbidden), float("-inf"))
        if find_spec("xgrammar"):
            import xgrammar

            made[2] = partial(xgrammar.apply_token_bitmask_inplace, tensor, torch.from_numpy(bitmask))
    for name, job in zip(METHODS, made, strict=True):
        np.copyto(masked, logits)
        if job and (job(), np.array_equal(masked, np.where(forbidden, np.float32("-inf"), logits)))[1] is False:
            raise ValueError(f"{name} leaves other logits, with {density:.1%} of the tokens allowed")
    made[3] = partial(np.copyto, np.ones_like(moved), moved)
    return made
