"""Text drawings: which logits were masked and which should be, and how many bytes moved beside the fewest possible."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

_WORD = 32
_MOST_LINES = 6
_BAR = 40

LEGEND = ". kept   # masked   ! should be masked   X should be as it was"


def masked_picture(wanted: NDArray[np.bool_], masked: NDArray[np.bool_], kept: NDArray[np.bool_]) -> str:
    """Draw the first few words of a batch in which something is wrong, one sign for each column.

    Args:
        wanted: ``bool[batch, C]``: where -inf should be.
        masked: ``bool[batch, C]``: where it is.
        kept: ``bool[batch, C]``: where the logit has every bit that it had.

    Returns:
        A line for each word; its first sign is the word's lowest bit. Empty where nothing is wrong.

    >>> wanted = np.array([[False, True, True, False]])
    >>> print(masked_picture(wanted, masked=np.array([[False, True, False, True]]), kept=~wanted & [[1, 1, 1, 0]] > 0))
    row 0, columns 0 to 3:  .#!X
    . kept   # masked   ! should be masked   X should be as it was
    """
    good = np.where(wanted, masked, kept)
    signs = np.where(good, np.where(wanted, "#", "."), np.where(wanted, "!", "X"))
    faulty = [
        (row, start)
        for row in range(len(wanted))
        for start in range(0, wanted.shape[1], _WORD)
        if not good[row, start : start + _WORD].all()
    ]
    lines = []
    for row, start in faulty[:_MOST_LINES]:
        word = signs[row, start : start + _WORD].tolist()
        eights = " ".join("".join(word[first : first + 8]) for first in range(0, len(word), 8))
        lines.append(f"row {row}, columns {start} to {start + len(word) - 1}:  {eights}")
    left = len(faulty) - _MOST_LINES
    more = [f"and {left} word{'s' * (left > 1)} more"] if left > 0 else []
    return "\n".join([*lines, *more, LEGEND]) if faulty else ""


def bytes_picture(least: int, moved: Mapping[str, int]) -> str:
    """Draw bars of bytes: the least possible, and what was moved, part by part.

    Args:
        least: the fewest bytes that must move.
        moved: bytes by what they are.

    >>> print(bytes_picture(100, {"words loaded": 20, "logits stored": 180}))
    least          ####################                            100 bytes
    words loaded   ####                                             20 bytes
    logits stored  ####################################            180 bytes
    together       ########################################        200 bytes, 2.00 times the least
    """
    total = sum(moved.values())
    rows: Sequence[tuple[str, int]] = [("least", least), *moved.items(), ("together", total)]
    longest, largest = max(len(name) for name, _ in rows), max(size for _, size in rows) or 1
    lines = [f"{name:{longest}}  {'#' * -(-size * _BAR // largest):{_BAR}} {size:>10,} bytes" for name, size in rows]
    return "\n".join(lines) + (f", {total / least:.2f} times the least" if least else "")
