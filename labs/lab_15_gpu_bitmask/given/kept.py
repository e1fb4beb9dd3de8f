"""Rows that are unpacked once and kept for every step in which their state occurs again.

A guide returns the same words for a state each time. Where few tokens are allowed their ids are kept, where few are
masked the ids of those, and otherwise the words, which ``tuned`` applies. ``tests/labs/lab_15/test_tuned.py`` holds
this equal to ``apply`` of the lab, bit for bit.
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labs.lab_15_gpu_bitmask.given import tuned
from labs.lab_15_gpu_bitmask.solution import minus_infinity, unpack, words_for

FEW = 16
"""Ids are kept where at most one token in so many is allowed or masked."""


class KeptRow(NamedTuple):
    """A row, unpacked if that is worth it.

    Attributes:
        kind: whether ``ids`` are the allowed tokens or the masked ones, or there are too many of both.
        ids: ``intp[n]``, ascending; empty for ``"words"``.
        words: ``int32[ceil(V / 32)]``, the row itself.
        vocab_size: V.
    """

    kind: Literal["allowed", "masked", "words"]
    ids: NDArray[np.intp]
    words: NDArray[np.int32]
    vocab_size: int


def keep_row(words: NDArray[np.int32], vocab_size: int) -> KeptRow:
    """Return a row of words, ``int32[ceil(V / 32)]``, ready to be applied many times.

    >>> keep_row(np.array([4], np.int32), 32)[:2]
    ('allowed', array([2]))
    """
    allowed = unpack(words[None], vocab_size)[0]
    n_allowed = int(allowed.sum())
    if n_allowed * FEW <= vocab_size:
        return KeptRow("allowed", np.flatnonzero(allowed), words, vocab_size)
    if (vocab_size - n_allowed) * FEW <= vocab_size:
        return KeptRow("masked", np.flatnonzero(~allowed), words, vocab_size)
    return KeptRow("words", np.zeros(0, np.intp), words, vocab_size)


def apply_kept(logits: NDArray[Any], rows: Sequence[KeptRow | None]) -> None:
    """Mask a batch in place, row i by ``rows[i]``; None is an unconstrained row.

    Args:
        logits: ``[batch, C]``, float32, float16 or uint16 as raw bfloat16; columns after V are masked as well.

    Raises:
        ValueError: for other dtypes, or another number of rows.

    >>> logits = np.zeros((2, 34), np.float32)
    >>> apply_kept(logits, [keep_row(np.array([4], np.int32), 32), None])
    >>> np.flatnonzero(logits[0] == 0).tolist(), np.isinf(logits[1]).any().item()
    ([2], False)
    """
    infinity = minus_infinity(logits.dtype)
    if len(rows) != len(logits):
        raise ValueError(f"there are {len(rows)} rows for {len(logits)} rows of logits")
    by_ids = [number for number, kept in enumerate(rows) if kept and kept.kind != "words"]

    def work(numbers: NDArray[np.intp]) -> None:
        for number in numbers.tolist():
            _mask(logits[number], rows[number], infinity)

    tuned.in_threads(np.array(by_ids, np.intp), work)
    for vocab_size in {kept.vocab_size for kept in rows if kept and kept.kind == "words"}:
        bitmask = np.empty((len(rows), words_for(vocab_size)), np.int32)
        chosen = []
        for number, kept in enumerate(rows):
            if kept and kept.kind == "words" and kept.vocab_size == vocab_size:
                bitmask[number] = kept.words
                chosen.append(number)
        tuned.apply(logits, bitmask, vocab_size, chosen)


def _mask(row: NDArray[Any], kept: KeptRow, infinity: Any) -> None:
    if kept.kind == "masked":
        row[kept.ids] = infinity
        row[kept.vocab_size :] = infinity
    else:
        allowed = row[kept.ids]
        row.fill(infinity)
        row[kept.ids] = allowed
