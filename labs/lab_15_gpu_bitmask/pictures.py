"""The pictures of lab 15's README: each public function draws the one of its name."""

import numpy as np
from numpy.typing import NDArray

from labkit.gpu import jit, recorded, tl
from labkit.pictures import Svg, bar_chart, batch_svg, words_svg
from labs.lab_15_gpu_bitmask import solution
from labs.lab_15_gpu_bitmask.score import BLOCK, COLUMNS, ROWS, SHARES, TOKENS
from labs.lab_15_gpu_bitmask.score import score as score_of
from labs.lab_15_gpu_bitmask.solution import pack

_TOKENS, _COLUMNS = 70, 80
_ALLOWED = (
    (2, 5, 6, 31, 32, 33, 69),
    tuple(range(0, 70, 3)),
    None,
    tuple(i for i in range(70) if i % 9),
)
"""The tokens that each row of the drawn batch allows; None for a row without a constraint."""


@jit
def _where_kernel(
    logits_ptr: tl.tensor,
    words_ptr: tl.tensor,
    vocab_size: tl.tensor,
    n_columns: tl.tensor,
    BLOCK: tl.constexpr,
) -> None:
    """The obvious kernel, which loads every logit and stores it again; rows lie one after the other."""
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    is_token, is_there = columns < vocab_size, columns < n_columns
    row = tl.program_id(0)
    words = tl.load(words_ptr + row * tl.cdiv(vocab_size, 32) + columns // 32, mask=is_token, other=0)
    places = logits_ptr + row * n_columns + columns
    logits = tl.load(places, mask=is_there)
    allowed = (words >> (columns % 32)) & 1 == 1
    tl.store(places, tl.where(allowed, logits, float("-inf")), mask=is_there)


def packed_row() -> Svg:
    """Draw the first row of the batch below, in its words."""
    allowed = np.isin(np.arange(_TOKENS), _ALLOWED[0])[None]
    title = "A row of 70 tokens in three words: 2, 5, 6, 31, 32, 33 and 69 are allowed"
    return words_svg(pack(allowed)[0].tolist(), _TOKENS, title=title)


def programs() -> Svg:
    """Draw four rows of logits, one without a constraint, and the twelve programs that mask them."""
    masked = [None if ids is None else ~np.isin(np.arange(_COLUMNS), ids) for ids in _ALLOWED]
    rows = [None if row is None else row.tolist() for row in masked]
    names = [f"row {number}{', free' * (row is None)}" for number, row in enumerate(rows)]
    return batch_svg(rows, _TOKENS, names=names, title="Logits [4, 80] for 70 tokens, BLOCK = 32: a frame is a program")


def score() -> Svg:
    """Compare the bytes that two right kernels move with the least possible, at three shares of allowed tokens."""
    bars = {}
    for share in SHARES:
        found = score_of(solution, share)
        bars[f"{share:.0%} allowed: the least"] = found.least
        bars[f"{share:.0%} allowed: the lab's kernel"] = sum(found.moved.values())
        bars[f"{share:.0%} allowed: a kernel that loads logits"] = _moved_by_where(share)
    series = {label: place % 3 for place, label in enumerate(bars)}
    title = f"Bytes moved, {ROWS} rows of {COLUMNS} float32 logits, {TOKENS} tokens"
    return bar_chart(bars, title=title, series=series, unit="B")


def _moved_by_where(share: float) -> int:
    allowed: NDArray[np.bool_] = np.random.default_rng(0).random((ROWS, TOKENS)) < share
    with recorded() as launches:
        grid = (ROWS, -(-COLUMNS // BLOCK))
        _where_kernel[grid](np.zeros((ROWS, COLUMNS), np.float32), pack(allowed), TOKENS, COLUMNS, BLOCK=BLOCK)
    return launches[0].total().bytes
