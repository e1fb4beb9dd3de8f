"""The few long tokens of a vocabulary, read side by side: deep levels have too few nodes to be worth a step each.

Tekken has 1,222 tokens of more than 16 bytes, runs of signs and long words, on 60 more levels.
"""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_tries import ByteTrie

DEPTH = 16
"""Tokens of more bytes than this are long."""


@dataclass(frozen=True, eq=False)
class LongTokens:
    """The long tokens of a trie, longest first.

    Args:
        tokens: ``intp[n]``: their ids.
        roots: ``intp[n]``: the node at depth ``DEPTH`` on the path to each.
        bytes: one array for each byte after that: the bytes of the tokens that are long enough, which come first.
    """

    tokens: NDArray[np.intp]
    roots: NDArray[np.intp]
    bytes: tuple[NDArray[np.intp], ...]


_known: WeakKeyDictionary[ByteTrie, LongTokens] = WeakKeyDictionary()


def long_tokens(trie: ByteTrie) -> LongTokens:
    """Return the long tokens of a trie; they are found once for each trie.

    >>> from labs.lab_07_bytes_and_vocabularies.solution import build_byte_trie
    >>> long = long_tokens(build_byte_trie([b"-" * 17, b"ab", b"-" * 16 + b"=>"]))
    >>> long.tokens.tolist(), [column.tolist() for column in long.bytes]
    ([2, 0], [[61, 45], [62]])
    """
    if trie not in _known:
        _known[trie] = _find(trie)
    return _known[trie]


def _find(trie: ByteTrie) -> LongTokens:
    """Climb from the ends of the long tokens, the deepest first, to level ``DEPTH``."""
    start = int(trie.levels[min(DEPTH + 1, len(trie.levels) - 1)])
    tokens = (trie.node_of_token >= start).nonzero()[0]
    tokens = tokens[np.argsort(-trie.node_of_token[tokens], kind="stable")]
    nodes = trie.node_of_token[tokens]
    columns = []
    for level in range(len(trie.levels) - 2, DEPTH, -1):
        n_here = int(np.count_nonzero(nodes >= trie.levels[level]))
        columns.append(trie.byte[nodes[:n_here]])
        nodes[:n_here] = trie.parent[nodes[:n_here]]
    return LongTokens(tokens, nodes, tuple(reversed(columns)))
