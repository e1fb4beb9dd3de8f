"""A trie over bytes, as arrays: a vocabulary of 131,072 tokens is 266,313 nodes, which NumPy walks by levels.

Nodes are numbered level by level from the root, node 0, and within a level by parent and byte. So the nodes of a
level have consecutive numbers, and so have the children of a node.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from labkit.automata.ranges import ranges

NO_NODE = -1

_MANY = 3
"""If at least one node in this many is wanted, walking the whole level is faster than picking out the nodes."""

Nodes = slice | NDArray[np.intp]
"""Some nodes of one level: a slice where their numbers are consecutive, which is faster, else their numbers."""


@dataclass(frozen=True, eq=False)
class ByteTrie:
    """A trie in which tokens that start with the same bytes share a path from the root.

    Args:
        parent: ``intp[N]``: the node above each node; -1 above the root.
        byte: ``intp[N]``, 0 to 255: the byte that leads to each node from its parent; 0 at the root.
        node_of_token: ``intp[V]``: where each token ends, or -1 for a token that is not in the trie. Two tokens with
            the same bytes end at the same node.

    Raises:
        ValueError: if the nodes are not numbered as described above, or a node leads to no token.

    The tokens ``a``, ``ab`` and ``b``, and a fourth one that has no bytes:

    >>> trie = ByteTrie(parent=[-1, 0, 0, 1], byte=[0, 97, 98, 98], node_of_token=[1, 3, 2, -1])
    >>> len(trie), trie.levels.tolist(), trie.first_child.tolist()
    (4, [0, 1, 3, 4], [1, 3, 4, 4, 4])
    >>> ByteTrie(parent=[-1, 0, 0], byte=[0, 98, 97], node_of_token=[1, 2])
    Traceback (most recent call last):
    ValueError: node 2, after node 0 and byte 97, must come before node 1, after node 0 and byte 98
    """

    parent: NDArray[np.intp]
    byte: NDArray[np.intp]
    node_of_token: NDArray[np.intp]

    def __post_init__(self) -> None:
        for name in ("parent", "byte", "node_of_token"):
            array = np.array(getattr(self, name), dtype=np.intp)
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        if problem := self._problem():
            raise ValueError(problem)

    def _problem(self) -> str | None:
        """Return what is wrong with the arrays, or None."""
        parent, byte, at = self.parent, self.byte, self.node_of_token
        if parent.ndim != 1 or not len(parent) or parent.shape != byte.shape or at.ndim != 1:
            return f"parent {parent.shape}, byte {byte.shape} and node_of_token {at.shape} do not fit"
        if parent[0] != NO_NODE or (parent[1:] < 0).any() or (parent >= np.arange(len(parent))).any():
            return "the root is node 0 and has the parent -1; every other node comes after its parent"
        if byte.min() < 0 or byte.max() > 255:
            return "a byte lies outside 0 to 255"
        # Nodes in order of parent and byte have strictly ascending keys.
        keys = parent * 256 + byte
        if len(late := np.flatnonzero(np.diff(keys) <= 0)):
            return self._out_of_order(int(late[0]) + 1)
        if len(at) and (at.min() < NO_NODE or at.max() >= len(parent) or (at == 0).any()):
            token = np.flatnonzero((at < NO_NODE) | (at >= len(parent)) | (at == 0))[0]
            place = f"a node from 1 to {len(self) - 1}, or at none, which is" if len(self) > 1 else "none, which is"
            return f"token {token} ends at node {at[token]}; it must end at {place} -1"
        # A leaf at which no token ends is of no use; the slot after the last one takes the -1 of absent tokens.
        ends = np.zeros(len(parent) + 1, bool)
        ends[at] = True
        idle = np.flatnonzero((np.diff(self.first_child) == 0) & ~ends[:-1])
        return f"no token ends at node {idle[0]} or below it" if len(idle) and idle[0] else None

    def _out_of_order(self, node: int) -> str:
        if self.parent[node] == self.parent[node - 1] and self.byte[node] == self.byte[node - 1]:
            return f"nodes {node - 1} and {node} are both after node {self.parent[node]} and byte {self.byte[node]}"
        one, other = (f"node {n}, after node {self.parent[n]} and byte {self.byte[n]}" for n in (node, node - 1))
        return f"{one}, must come before {other}"

    def __len__(self) -> int:
        """Return the number of nodes: N."""
        return len(self.parent)

    @cached_property
    def first_child(self) -> NDArray[np.intp]:
        """``intp[N + 1]``: the children of node n are ``first_child[n]`` to before ``first_child[n + 1]``."""
        return np.bincount(self.parent + 1, minlength=len(self) + 1).cumsum()

    @cached_property
    def levels(self) -> NDArray[np.intp]:
        """``intp[D + 1]``: the nodes at depth d, for d below D, are ``levels[d]`` to before ``levels[d + 1]``."""
        starts = [0, 1]
        while starts[-1] < len(self):
            starts.append(int(self.first_child[starts[-1]]))
        return np.array(starts)

    @cached_property
    def child_counts(self) -> NDArray[np.intp]:
        """``intp[N]``: how many children each node has."""
        return np.diff(self.first_child)

    @cached_property
    def text(self) -> bytes:
        """``byte`` as bytes, which Python reads faster one by one."""
        return self.byte.astype(np.uint8).tobytes()

    @cached_property
    def _tokens_by_node(self) -> NDArray[np.intp]:
        """The ids of the tokens that are in the trie, in the order of their nodes."""
        tokens = np.flatnonzero(self.node_of_token != NO_NODE)
        n_tokens = len(self.node_of_token)
        return np.sort(self.node_of_token[tokens] * n_tokens + tokens) % n_tokens  # NumPy sorts faster than it orders

    @cached_property
    def _first_token(self) -> NDArray[np.intp]:
        """``intp[N + 1]``: where the tokens of each node start in ``_tokens_by_node``."""
        counts = np.bincount(self.node_of_token + 1, minlength=len(self) + 1)  # of node n at place n + 1
        counts[0] = 0  # of tokens that are not in the trie
        return counts.cumsum()

    def tokens_at(self, nodes: Nodes) -> NDArray[np.intp]:
        """Return the ids of the tokens that end at some nodes of one level.

        >>> trie = ByteTrie(parent=[-1, 0, 0, 1], byte=[0, 97, 98, 98], node_of_token=[1, 3, 2, -1])  # a, ab, b
        >>> trie.tokens_at(slice(1, 3)).tolist(), trie.tokens_at(np.array([3])).tolist()  # a and b are below the root
        ([0, 2], [1])
        """
        first = self._first_token
        if isinstance(nodes, slice):
            return self._tokens_by_node[first[nodes.start] : first[nodes.stop]]
        starts = first.take(nodes)
        return self._tokens_by_node.take(ranges(starts, first.take(nodes + 1) - starts))

    def children(self, nodes: NDArray[np.intp]) -> Nodes:
        """Return the children of some nodes of one level, or the whole next level if the nodes are many.

        Args:
            nodes: node numbers, ascending; at least one.

        >>> trie = ByteTrie(parent=[-1, 0, 0, 1], byte=[0, 97, 98, 98], node_of_token=[1, 3, 2, -1])  # a, ab, b
        >>> trie.children(np.array([0])), trie.children(np.array([1, 2]))  # only ab is longer than a character
        (slice(1, 3, None), slice(3, 4, None))
        """
        depth = int(self.levels.searchsorted(nodes[0], side="right"))
        start, end = self.levels[depth - 1 : depth + 1].tolist()
        if _MANY * len(nodes) >= end - start:
            return slice(end, int(self.first_child[end]))
        firsts = self.first_child[nodes]
        return ranges(firsts, self.first_child[nodes + 1] - firsts)


def chosen(nodes: Nodes, where: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the numbers of the nodes for which ``where`` is true.

    >>> chosen(slice(3, 6), np.array([True, False, True])).tolist()
    [3, 5]
    """
    picked = where.nonzero()[0]
    return picked + nodes.start if isinstance(nodes, slice) else nodes[picked]
