"""How many bytes masking costs: those that a kernel must move, and those that the host sends in each step."""

import numpy as np
from numpy.typing import NDArray

from labs.lab_14_gpu_bitmask.solution import unpack, words_for


def least_bytes(bitmask: NDArray[np.int32], vocab_size: int, n_columns: int, itemsize: int) -> int:
    """Return the fewest bytes that must move to apply a bitmask: read every word, write every masked logit.

    Args:
        bitmask: ``int32[batch, ceil(V / 32)]``.
        n_columns: the columns of the logits, padding included, which is masked too.
        itemsize: the bytes of a logit.

    >>> least_bytes(np.array([[5], [2]], np.int32), 3, 4, itemsize=2)
    18
    """
    allowed = int(unpack(bitmask, vocab_size).sum())
    masked = len(bitmask) * n_columns - allowed  # the padding is among them
    return len(bitmask) * words_for(vocab_size) * 4 + masked * itemsize


def bytes_per_step(batch: int, n_constrained: int, vocab_size: int) -> dict[str, int]:
    """Return the bytes that the host sends to the device in each step to mask a batch, in five designs.

    Args:
        n_constrained: how many rows of the batch have a constraint.

    Returns:
        Bytes under these names: ``booleans`` (a byte for each token of each row), ``words`` (a packed row for each
        row), ``constrained rows`` (a packed row and an int32 row number for each constrained row), ``state numbers``
        (an int32 for each row, the table being on the device), and ``states on the device`` (which advance there).

    >>> bytes_per_step(4, 2, 33)
    {'booleans': 132, 'words': 32, 'constrained rows': 24, 'state numbers': 16, 'states on the device': 0}
    """
    row = 4 * words_for(vocab_size)
    return {
        "booleans": batch * vocab_size,
        "words": batch * row,
        "constrained rows": n_constrained * (row + 4),  # with its number, an int32
        "state numbers": batch * 4,  # also for unconstrained rows: FREE is a number
        "states on the device": 0,
    }
