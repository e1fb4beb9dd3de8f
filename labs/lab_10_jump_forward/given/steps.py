"""What a step of a batch needs around the model's pass, and what the passes that it saves are worth."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def share_step(pending: Sequence[int], limit: int) -> list[int]:
    """Share out a step: return how many tokens it reads of each request. Most have one pending, some have a jump.

    Args:
        pending: for each request, how many tokens the model hasn't read yet; 0 for one that has finished.
        limit: how many tokens a step may read: at least one for each request that has any pending.

    Returns:
        As much as each has, if all of it fits. If not, the whole limit is used, and shared as evenly as can be:
        a request that can't read everything reads no fewer tokens than any other, give or take one.

    >>> share_step([1, 9, 1, 5], 16), share_step([1, 9, 1, 5], 10), share_step([0, 9, 9], 6)
    ([1, 9, 1, 5], [1, 4, 1, 4], [0, 3, 3])
    """
    shares = [0] * len(pending)
    # The shortest first: what they leave of an equal share goes to the longer ones.
    for served, place in enumerate(sorted(range(len(pending)), key=lambda place: pending[place])):
        shares[place] = min(pending[place], limit // (len(pending) - served))
        limit -= shares[place]
    return shares


def ragged_batch(pieces: Sequence[Sequence[int]]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the tokens of a step as the model takes them: a row for each request, padded on the right.

    Args:
        pieces: the ids that the model reads of each request; none for one that has finished.

    Returns:
        ``intp[B, k]``, in which k is the length of the longest and at least 1, with zeros after the last id of a row;
        and ``intp[B]``, the length of each. Without requests both have no rows.

    >>> tokens, lengths = ragged_batch([[7], [5, 6, 7], []])
    >>> tokens.tolist(), lengths.tolist()
    ([[7, 0, 0], [5, 6, 7], [0, 0, 0]], [1, 3, 0])
    """
    lengths = np.array([len(piece) for piece in pieces], np.intp)
    tokens = np.zeros((len(pieces), max([1, *lengths])), np.intp)
    for row, piece in zip(tokens, pieces, strict=True):
        row[: len(piece)] = piece
    return tokens, lengths


def before_stop(text: bytes, tail: Sequence[bytes], stop: Sequence[str]) -> int:
    """Return how many tokens of a tail are written: up to the one in which a stop string is complete.

    Args:
        text: the answer before the tail; it may hold the first part of a stop string.
        tail: the bytes of its tokens.

    Returns:
        The number of tokens; all of them if no stop string comes.

    >>> before_stop(b"one E", [b"N", b"D t", b"wo"], ["END"])
    2
    """
    for written, token in enumerate(tail, start=1):
        text += token
        if any(each.encode() in text for each in stop):
            return written
    return len(tail)


def expected_speedup(forced: float, cost_ratio: float) -> float:
    """Return how many times faster an answer is written, by Amdahl's law.

    Args:
        forced: the share of its tokens that jumps append, 0 to 1.
        cost_ratio: what one more token in a pass costs, where a pass for a token of its own costs 1; 0 or more.

    Returns:
        The time of an answer without jumps over that with them; infinity if all is forced and costs nothing.

    Raises:
        ValueError: if a number is outside its range; NaN is in none.

    >>> expected_speedup(0.25, 0), round(expected_speedup(0.4, 0.1), 2), expected_speedup(1, 0)
    (1.3333333333333333, 1.56, inf)
    """
    if not 0 <= forced <= 1 or not cost_ratio >= 0:
        raise ValueError(f"a share of {forced} and a cost of {cost_ratio}: 0 to 1, and 0 or more")
    time = 1 - forced + forced * cost_ratio
    return 1 / time if time else np.inf
