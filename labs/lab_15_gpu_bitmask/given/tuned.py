"""A faster ``apply``, for logits with contiguous rows.

``tests/labs/lab_15/test_tuned.py`` holds it equal to the lab's ``apply``, bit for bit.

It never makes a boolean for each token. In a row with few allowed tokens it keeps their logits, fills the row, and puts
them back: memory is only written. In any other row it looks up each byte of the words in a table, which gives the 8
values to combine with the logits. It combines raw bits, not floats: as an unsigned number minus infinity is above every
other number, so the larger of the logit's bits and the table's is -inf where the table has -inf, and the logit itself
where the table has 0. Only a NaN with its sign set is above -inf; such logits are masked one by one. Threads share the
rows, because NumPy releases Python's lock in each step.
"""

import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labs.lab_15_gpu_bitmask.solution import apply as clear_apply
from labs.lab_15_gpu_bitmask.solution import minus_infinity

Bits = NDArray[Any]
"""Logits as unsigned numbers."""

FEW = 256
"""Below one allowed token in so many, the allowed logits are kept and put back."""

WORTH_A_THREAD = 16
"""The fewest rows for one thread."""


def n_threads(n_rows: int) -> int:
    """Return how many threads share so many rows: at most one for each core, each with enough rows.

    >>> n_threads(3)
    1
    """
    return max(1, min(os.cpu_count() or 1, n_rows // WORTH_A_THREAD))


def apply(
    logits: NDArray[Any],
    bitmask: NDArray[np.int32],
    vocab_size: int,
    rows: Sequence[int] | NDArray[np.int32] | None = None,
) -> None:
    """Do what ``apply`` of the lab does, faster; logits without contiguous rows are left to that one.

    >>> logits = np.zeros((2, 4), np.float32)
    >>> apply(logits, np.array([[5], [2]], np.int32), 3, rows=[1])
    >>> logits.tolist()
    [[0.0, 0.0, 0.0, 0.0], [-inf, 0.0, -inf, -inf]]
    """
    infinity = np.asarray(minus_infinity(logits.dtype))
    if logits.strides[1] != logits.itemsize or sys.byteorder != "little":
        return clear_apply(logits, bitmask, vocab_size, rows)
    bits = logits.view(f"u{logits.itemsize}")
    chosen = np.arange(len(logits)) if rows is None else np.asarray(rows, dtype=np.intp)
    parts = np.array_split(chosen, n_threads(len(chosen)))
    work = partial(_mask_rows, bits, bitmask, vocab_size, infinity.view(bits.dtype)[()])
    if len(parts) == 1:
        return work(parts[0])
    with ThreadPoolExecutor(len(parts)) as pool:
        list(pool.map(work, parts))
    return None


@cache
def _table(dtype: np.dtype[Any], infinity: int) -> Bits:
    """Return ``[256, 8]``: for each byte of a mask the values for its 8 tokens, 0 where allowed, else -inf."""
    allowed = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
    return np.where(allowed == 1, 0, infinity).astype(dtype)


def _mask_rows(bits: Bits, bitmask: NDArray[np.int32], vocab_size: int, infinity: Any, rows: NDArray[np.intp]) -> None:
    """Mask some rows, each in two pieces: whole bytes of tokens, and the remaining tokens with the padding."""
    n_bytes = vocab_size // 8
    scratch = np.empty((n_bytes, 8), bits.dtype)
    for row in rows.tolist():
        words, logits = np.ascontiguousarray(bitmask[row]), bits[row]
        in_bytes = words.view(np.uint8)
        if n_bytes * 8 < len(logits):
            # the tokens that fill no whole byte, and the padding
            allowed = np.unpackbits(in_bytes[n_bytes : n_bytes + 1], count=vocab_size % 8, bitorder="little")
            logits[n_bytes * 8 : vocab_size][allowed == 0] = logits[vocab_size:] = infinity
        if int(np.bitwise_count(words.view(np.uint32)).sum(dtype=np.int64)) * FEW < vocab_size:
            _keep_few(logits[: n_bytes * 8], words, infinity)
        else:
            _combine(logits[: n_bytes * 8], in_bytes[:n_bytes], scratch, infinity)


def _keep_few(logits: Bits, words: NDArray[np.int32], infinity: Any) -> None:
    """Keep the allowed logits, fill the row, put them back."""
    at = np.flatnonzero(words)
    bits = np.unpackbits(words[at].view(np.uint8), bitorder="little").view(np.bool_)
    set_bits = np.flatnonzero(bits)
    ids = (at[set_bits >> 5] << 5) + (set_bits & 31)
    ids = ids[ids < len(logits)]
    kept = logits[ids]
    logits.fill(infinity)
    logits[ids] = kept


def _combine(logits: Bits, in_bytes: NDArray[np.uint8], scratch: Bits, infinity: Any) -> None:
    """Look up each byte, and take the larger of the table's bits and the logit's."""
    np.take(_table(logits.dtype, int(infinity)), in_bytes, axis=0, out=scratch, mode="clip")
    values = scratch.reshape(-1)
    np.maximum(logits, values, out=logits)
    if len(logits) and np.maximum.reduce(logits) > infinity:
        logits[values == infinity] = infinity
