"""Fixed questions to each function of lab 15. Their answers distinguish the misconceptions.

Arrays are passed as data; where they are changed in place, their raw bits are the answer. A kernel is asked through its
launcher, with launches that need no other TODO than the one in question and those before it.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.checking.probing import attempt

SIZE = 70
ROWS = [[0, 31, 32, 63], [], [5], [31], [64, 69], list(range(SIZE))]
DTYPES = [np.float32, np.float16, np.uint16]


def _bools(rows: Sequence[Sequence[int]], size: int) -> NDArray[np.bool_]:
    return np.array([np.isin(np.arange(size), ids) for ids in rows], bool).reshape(len(rows), size)


def _words(rows: Sequence[Sequence[int]], size: int, *, tail: bool = False) -> NDArray[np.int32]:
    """Return rows packed by NumPy's own packing; with ``tail`` garbage after the last token."""
    whole = np.full((len(rows), -(-size // 32) * 32), tail)
    whole[:, :size] = _bools(rows, size)
    return np.packbits(whole, axis=1, bitorder="little").view("<i4").astype(np.int32)


def _logits(dtype: Any, n_rows: int, n_columns: int) -> NDArray[Any]:
    """Return logits of both signs, a NaN among them; random bits for bfloat16."""
    if dtype == np.uint16:
        return np.resize(np.array([0x3F80, 0xC000, 0x8000, 0x7FC0], np.uint16), (n_rows, n_columns))
    return np.resize(np.array([1.5, -2.0, -0.0, np.nan], dtype), (n_rows, n_columns))


def _in_place(function: Callable[..., Any], array: NDArray[Any], *args: Any, **named: Any) -> list[Any]:
    """Return the result of a call, and the raw bits of an array after it: bits compare a NaN as well."""
    result = attempt(lambda: function(*args, **named))
    return [result, [array.dtype.name, np.ascontiguousarray(array).view(np.uint8).tolist()]]


# NumPy ----------------------------------------------------------------------------------------------------------------


def probe_fill(lab: Any) -> list[Any]:
    table = _words([[0], [1, 31], [39], []], 40)
    questions: list[tuple[list[int | None], list[int]]]
    questions = [([0, 0, 0], [0, 2, 1]), ([None, 0, None, 0], [0, 1, 0, 2]), ([None], [0]), ([0, 0], [1, 3]), ([], [])]

    def ask(guides: Sequence[int | None], states: Sequence[int]) -> list[Any]:
        out = np.full((len(states), 2), 7, np.int32)
        masks = [None if guide is None else table.__getitem__ for guide in guides]
        return [attempt(lab.fill, masks, states, out, 40), out]

    def refused(rows: list[list[int]], size: int, tail: bool) -> Any:
        words = _words(rows, size, tail=tail)
        try:
            return lab.fill([words.__getitem__] * len(rows), range(len(rows)), np.zeros_like(words), size)
        except ValueError as error:
            return list(error.args)

    batches = [([[0], [39]], 40), ([[31], [1]], 33), ([[1], [], [2]], 40), ([[], []], 5), ([[31]], 32)]
    found = [attempt(refused, rows, size, tail) for rows, size in batches for tail in (False, True)]
    out = np.full((2, 2), 7, np.int32)
    two = [table.__getitem__, table[::-1].__getitem__]
    return [
        *found,
        *(ask(guides, states) for guides, states in questions),
        attempt(lab.fill, two, (1, 1), out, 40),
        out,
    ]


def probe_apply(lab: Any) -> list[Any]:
    found = _applied(lab.apply)
    for rows in ([0, 2], (1, 2)):
        logits = _logits(np.float32, len(ROWS), SIZE)
        found.append(_in_place(lab.apply, logits, logits, _words(ROWS, SIZE), SIZE, rows))
    return found


def _applied(
    function: Callable[..., Any], choices: Sequence[Sequence[int] | None] = (None, [4, 0], []), **named: Any
) -> list[Any]:
    """Return the answers for a batch in each format and layout, with and without padding, all rows and some."""
    found = []
    for dtype in DTYPES:
        for n_columns, step, tail in ((SIZE, 1, False), (SIZE + 10, 1, True), (SIZE + 31, 2, False)):
            for rows in choices:
                logits = _logits(dtype, len(ROWS), n_columns * step + 1)[:, :-1:step]
                more = named if rows is None else {**named, "rows": np.array(rows, np.int32)}
                found.append(_in_place(function, logits, logits, _words(ROWS, SIZE, tail=tail), SIZE, **more))
    return found


# Kernels --------------------------------------------------------------------------------------------------------------


def probe_mask_block(lab: Any) -> list[Any]:
    found: list[Any] = []
    for size, n_columns, block_id, step, tail in (
        (64, 64, 0, 1, False),
        (70, 96, 1, 1, True),
        (70, 200, 2, 1, False),
        (33, 40, 0, 2, True),
        (40, 40, 0, 1, False),
    ):
        logits = _logits(np.float32, 1, n_columns * step)[0, ::step]
        words = _words([[0, 31, 32]], size, tail=tail)[0]
        found.append(_in_place(lab.mask_block_on_device, logits, logits, words, size, block_id, 64))
        found.append(attempt(lab.moved, "mask_block_on_device", logits, words, size, block_id, 64))
    return found


def probe_apply_bitmask_kernel(lab: Any) -> list[Any]:
    wide = np.full((len(ROWS), 5), -1, np.int32)
    wide[:, :3] = _words(ROWS, SIZE)
    logits = _logits(np.float32, len(ROWS), SIZE + 3)
    return [
        *_applied(lab.apply_on_device, (None,), block=32),
        _in_place(lab.apply_on_device, logits, logits, wide[:, :3], SIZE, block=64),
    ]


def probe_apply_rows_kernel(lab: Any) -> list[Any]:
    return _applied(lab.apply_on_device, ([4, 0], [5], [1, 2, 3]), block=64)


# States -----------------------------------------------------------------------------------------------------------


def probe_apply_states_kernel(lab: Any) -> list[Any]:
    table, found = _words(ROWS, SIZE), []
    for states in ([0, 1, 2], [2, 2, 5, 0], [-1, 3, -1], [4], [-2, 0]):
        logits = _logits(np.float32, len(states), SIZE + 10)
        numbers = np.array(states, np.int32)
        found.append(_in_place(lab.apply_states_on_device, logits, logits, numbers, table, SIZE, block=32))
    return found


def probe_advance_kernel(lab: Any) -> list[Any]:
    table = (np.arange(4)[:, None] * 7 + np.arange(258) * 5 + 1).astype(np.int32) % 4
    symbols = np.array([97, 98, 97, 255, 98, 256, 257, 3, 4, 5], np.int16)
    offsets = np.array([0, 1, 2, 5, 6, 7, 10], np.int32)
    found: list[Any] = []
    for states, tokens in (([0, 1, 2, 3], [0, 1, 2, 3]), ([-1, 3, -1], [2, 5, 0]), ([2, 2], [4, 5]), ([-2, 0], [0, 1])):
        numbers = np.array(states, np.int32)
        found.append(
            _in_place(lab.advance_on_device, numbers, numbers, np.array(tokens, np.int32), symbols, offsets, table)
        )
        args = (np.array(tokens, np.int32), symbols, offsets, table)
        found.append(attempt(lab.moved, "advance_on_device", np.array(states, np.int32), *args))
    return found
