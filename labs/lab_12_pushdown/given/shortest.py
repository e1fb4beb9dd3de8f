"""How many tokens write the shortest text to an end? That counts a token that ends two rules as one.

The prices of ``fewest_tokens`` add up rule by rule, so they count it as two. From each state there is one shortest
text, the first by its bytes among those of its length. After a token of it, what's left is the shortest text from
there. So if it fits into a budget once, it does at every token until the end, and a mask may rely on it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_BYTES = 64
"""Longer texts aren't looked at: a rule's price is close enough there."""


def fewest_pieces(text: bytes, tokens: AbstractSet[bytes], longest: int) -> float:
    """Return the fewest tokens that write a text; ``inf`` if none do.

    >>> fewest_pieces(b"]]]", {b"]", b"]]"}, 2), fewest_pieces(b"]}", {b"]"}, 1)
    (2, inf)
    """
    best: list[float] = [inf] * len(text) + [0]
    for start in reversed(range(len(text))):
        ends = range(start + 1, min(start + longest, len(text)) + 1)
        best[start] = 1 + min((best[end] for end in ends if text[start:end] in tokens), default=inf)
    return best[0]


def alike(tables: Sequence[Any], tokens: NDArray[np.intp], n_tokens: int) -> Iterator[NDArray[np.intp]]:
    """Part some tokens into those that lead from a state to the same one, as far as the tables of its items tell.

    >>> from types import SimpleNamespace
    >>> table = SimpleNamespace(tokens=np.array([0, 1, 2]), kinds=np.array([1, 1, 2]), rests={b"]": [3], b"]]": [3]})
    >>> [each.tolist() for each in alike([table], np.array([0, 1, 2, 3]), 4)]
    [[0, 1], [2], [3]]
    """
    waiting: dict[int, list[tuple[int, bytes]]] = defaultdict(list)
    key = np.zeros(n_tokens, np.intp)
    for number, table in enumerate(tables):
        kinds = np.zeros(n_tokens, np.intp)
        kinds[table.tokens] = table.kinds
        key = key * (int(kinds.max(initial=0)) + 1) + kinds
        key = ((np.bincount(key) > 0).cumsum() - 1)[key]  # numbered anew, so the next keys stay small
        for rest, those in table.rests.items():
            for token_id in those:
                waiting[token_id].append((number, rest))
    waits = np.zeros(n_tokens, bool)
    waits[[*waiting]] = True
    those = tokens[~waits[tokens]]
    yield from (those[key[those] == each] for each in np.flatnonzero(np.bincount(key[those])).tolist())
    found: dict[Any, list[int]] = defaultdict(list)
    for token_id in tokens[waits[tokens]].tolist():
        found[int(key[token_id]), *waiting[token_id]].append(token_id)
    yield from map(np.array, found.values())


def shortest_text(state: Any, cost: Callable[[Any], float], after: Callable[[Any, float], tuple[int, Any]]) -> bytes:
    """Return the shortest text from a state to an end.

    Args:
        cost: how many bytes it takes from a state.
        after: returns the smallest byte after which it takes so many, and the state after it.

    >>> shortest_text(3, float, lambda state, left: (93, int(left)))
    b']]]'
    """
    text = bytearray()
    while (left := cost(state)) > 0:
        byte, state = after(state, left - 1)
        text.append(byte)
    return bytes(text)
