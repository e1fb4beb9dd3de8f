"""Given: the type of a chain, and a model that looks only at the last token."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from labkit.models import Model
from labs.lab_05_truncation.solution import tokens_to_accept

END = -1
"""The target of EOS. As an index it means the last entry of an array, which is where weights keep that of the end."""

Chain = Sequence[Mapping[int, tuple[int, float]]]
"""``chain[node][token_id] = (target, score)``: where an allowed token leads, and its log-probability. Texts start in
node 0. The target of EOS is ``END``. A token of probability 0 has no entry."""

NO, YES, TERDAY, EOS = range(4)
WORDS: NDArray[np.float64] = np.array(
    [
        [-np.inf, -np.inf, -np.inf, 0.0],
        [-np.inf, -np.inf, np.log(0.75), np.log(0.25)],
        [-np.inf, -np.inf, -np.inf, 0.0],
        [0.0, 0.0, -np.inf, -np.inf],
    ]
)
"""The README's model, as logits: ``no`` and ``yes`` are equally likely, and ``terday`` follows ``yes`` with 3/4."""


def bigram(logits: NDArray[np.floating], eos_id: int) -> Model:
    """Return the model that looks up the last token's row of ``float[V, V]``; the first token follows EOS.

    >>> bigram(np.array([[0.0, 1.0], [2.0, 3.0]]), eos_id=1)([0]).tolist()
    [0.0, 1.0]
    """
    return lambda ids: logits[ids[-1] if len(ids) else eos_id].astype(np.float32)


def trimmed(chain: Chain) -> list[dict[int, tuple[int, float]]]:
    """Return the chain without transitions to nodes from which no path leads to the end.

    >>> trimmed([{0: (1, -1.0), 2: (-1, -2.0)}, {0: (1, 0.0)}])
    [{2: (-1, -2.0)}, {}]
    """
    targets = [{token: target % (len(chain) + 1) for token, (target, _) in row.items()} for row in chain]
    far = tokens_to_accept((*targets, {}), {len(chain)})
    return [{token: step for token, step in row.items() if far[step[0]] < np.inf} for row in chain]
