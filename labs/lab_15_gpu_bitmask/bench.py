"""The cases of lab 15 in ``python3 -m course bench``: ways to apply a bitmask on the CPU, beside the tuned one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from labkit.bench import Case, Job, Setting
from labs.lab_15_gpu_bitmask.given import tuned
from labs.lab_15_gpu_bitmask.solution import apply, least_bytes, pack, unpack

ROWS = 256
DENSITIES = (0.001, 0.5, 0.97)
"""Shares of tokens that are allowed; each token of each row is drawn by itself."""

WANTED = ("torch", "xgrammar")
"""Packages whose methods are compared where they are installed."""

CACHE_LINE = 64
"""Bytes of a line of the processor's cache, the least that it moves."""


@dataclass(frozen=True)
class Batch:
    """Logits, the bitmask for them, and its forbidden tokens as booleans."""

    logits: NDArray[np.float32]
    bitmask: NDArray[np.int32]
    forbidden: NDArray[np.bool_]


@lru_cache(maxsize=1)  # the cases of one density share it
def batch_of(density: float, columns: int, rows: int = ROWS) -> Batch:
    """Return random logits and a random bitmask, always the same."""
    rng = np.random.default_rng(0)
    logits = rng.standard_normal((rows, columns), dtype=np.float32)
    forbidden = rng.random((rows, columns), dtype=np.float32) >= density
    return Batch(logits, pack(~forbidden), forbidden)


# Methods: each returns a job that masks the logits in place -----------------------------------------------


def _tuned(batch: Batch, logits: NDArray[np.float32]) -> Job:
    return partial(tuned.apply, logits, batch.bitmask, logits.shape[1])


def _boolean_index(batch: Batch, logits: NDArray[np.float32]) -> Job:
    def mask() -> None:
        logits[~unpack(batch.bitmask, logits.shape[1])] = -np.inf

    return mask


def _torch(batch: Batch, logits: NDArray[np.float32]) -> Job:
    import torch

    return partial(torch.from_numpy(logits).masked_fill_, torch.from_numpy(batch.forbidden), float("-inf"))


def _xgrammar(batch: Batch, logits: NDArray[np.float32]) -> Job:
    import torch
    import xgrammar

    tensors = torch.from_numpy(logits), torch.from_numpy(batch.bitmask)
    return partial(xgrammar.apply_token_bitmask_inplace, *tensors)


METHODS: dict[str, Callable[[Batch, NDArray[np.float32]], Job]] = {
    "lab 15, clear": lambda batch, logits: partial(apply, logits, batch.bitmask, logits.shape[1]),
    "NumPy, boolean index": _boolean_index,
    "torch, masked_fill_": _torch,
    "xgrammar's kernel": _xgrammar,
}
NEEDS = {"torch, masked_fill_": ("torch",), "xgrammar's kernel": ("torch", "xgrammar")}


# Cases ------------------------------------------------------------------------------------------------


def cases(setting: Setting) -> Iterator[Callable[[], Case]]:
    """Yield the methods at each density, and copies of as many bytes as must move; none for a part of a vocabulary."""
    if setting.vocabulary is None:
        return
    for density in DENSITIES:
        for name in METHODS:
            if all(map(find_spec, NEEDS.get(name, ()))):
                yield partial(_case, density, len(setting.texts), name)
        yield partial(_copy, density, len(setting.texts), "copy of the bytes", bytes_to_move)
        yield partial(_copy, density, len(setting.texts), "copy of their lines", lines_to_move)


def _case(density: float, columns: int, name: str) -> Case:
    batch = batch_of(density, columns)
    logits = batch.logits.copy()
    expected = np.where(batch.forbidden, np.float32("-inf"), batch.logits).view(np.uint32)
    slow, fast = METHODS[name](batch, logits), _tuned(batch, logits)
    for who, method in {name: slow, "lab 15, tuned": fast}.items():
        np.copyto(logits, batch.logits)
        method()
        if not np.array_equal(logits.view(np.uint32), expected):
            raise ValueError(f"{who} leaves other logits, with {density:.1%} of the tokens allowed")
    return Case(_job(density), name, ("this method", "tuned"), slow, fast, times=5)


def _copy(density: float, columns: int, name: str, count: Callable[[Batch], int]) -> Case:
    batch = batch_of(density, columns)
    size = count(batch)
    copy = partial(np.copyto, np.ones(size, np.uint8), np.zeros(size, np.uint8))
    fast = _tuned(batch, batch.logits.copy())
    note = f"{size:,} bytes"
    return Case(_job(density), name, ("this method", "tuned"), copy, fast, times=5, note=lambda times: note)


def _job(density: float) -> str:
    return f"{ROWS} rows of float32 masked, {density:.1%} of the tokens allowed"


def bytes_to_move(batch: Batch) -> int:
    """Return the bytes that must move: every word read, every masked logit written."""
    size = batch.logits.shape[1]
    return least_bytes(batch.bitmask, size, size, batch.logits.itemsize)


def lines_to_move(batch: Batch) -> int:
    """Return the bytes of every word, and of every cache line that has a masked logit."""
    per_line = CACHE_LINE // batch.logits.itemsize
    whole = batch.forbidden[:, : batch.forbidden.shape[1] // per_line * per_line]
    return batch.bitmask.nbytes + CACHE_LINE * int(whole.reshape(-1, per_line).any(axis=1).sum())
