"""A tuned twin of ``lift`` for one state: the first mask of a pattern, for which a request waits.

It only finds which tokens are alive. So a node has a number instead of a function: that of the state its bytes lead
to. ``TokenFSM(..., tuned=True)`` asks for it; ``tests/labs/lab_07/test_lifting.py`` holds it bit for bit to ``lift``.
"""

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_dfa import ByteDfa
from labkit.automata.byte_tries import ByteTrie, Nodes
from labkit.automata.dfa import DEAD
from labkit.automata.ranges import ranges
from labs.lab_07_bytes_and_vocabularies.given.deep import DEPTH, long_tokens

_MANY = 4
"""If one node in so many of a level is live, the next level is walked as a whole, without a list of nodes."""


class Walk:
    """The states met on a walk, in the order in which they were met, and the steps taken between them.

    Number 0 is the dead state, number 1 the state in which the walk begins.
    """

    def __init__(self, automaton: ByteDfa, state: int) -> None:
        self.n_classes = automaton.n_byte_classes
        self._automaton = automaton
        self._states = [DEAD, state]
        self._numbers = {DEAD: 0, state: 1}
        self._after = np.array([0] * self.n_classes + [-1] * self.n_classes)

    def after(self, keys: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the numbers after some steps; take those that are not known yet.

        Args:
            keys: ``k * n_classes + c`` for a step from number k by a byte of class c.
        """
        found = self._after.take(keys)
        if found.min(initial=0) < 0:
            asked = np.zeros(len(self._after), bool)
            asked[keys] = True
            self._take_steps((asked & (self._after < 0)).nonzero()[0])
            found = self._after.take(keys)
        return found

    def _take_steps(self, keys: NDArray[np.intp]) -> None:
        numbers, byte_classes = np.divmod(keys, self.n_classes)
        targets = self._automaton.successors(np.array(self._states)[numbers], byte_classes).tolist()
        for target in targets:
            if target not in self._numbers:
                self._numbers[target] = len(self._states)
                self._states.append(target)
        self._after[keys] = [self._numbers[target] for target in targets]
        n_new = len(self._states) * self.n_classes - len(self._after)
        self._after = np.append(self._after, np.full(n_new, -1))


def make_ready(trie: ByteTrie) -> None:
    """Compute in advance what every walk needs of a trie, and the trie keeps.

    >>> from labs.lab_07_bytes_and_vocabularies.solution import build_byte_trie
    >>> make_ready(build_byte_trie([b"a"]))
    """
    long_tokens(trie)
    trie.tokens_at(slice(0, 1))
    len(trie.child_counts)


def alive_tokens(trie: ByteTrie, automaton: ByteDfa, state: int) -> NDArray[np.bool_]:
    """Return the tokens that are alive in one state; none in the dead one.

    Returns:
        ``bool[V]``.

    >>> from labkit.automata.dfa import Dfa
    >>> from labs.lab_07_bytes_and_vocabularies.solution import build_byte_trie, byte_dfa
    >>> a_plus = byte_dfa(Dfa([0, 97, 98], [-1, 0, -1], [[1], [1]], initial=0, accepting=[False, True]))
    >>> alive_tokens(build_byte_trie([b"a", b"b", b"aa", None, b"ab"]), a_plus, 0).tolist()
    [True, False, True, False, False]
    """
    allowed = np.zeros(len(trie.node_of_token), bool)
    if state == DEAD:
        return allowed
    walk = Walk(automaton, state)
    levels = trie.levels.tolist()
    live: Nodes = slice(0, 1)
    numbers = np.array([1])
    for level in map(slice, levels[1 : DEPTH + 1], levels[2:]):
        below, keys = _next_level(trie, level, live, numbers * walk.n_classes, automaton.byte_classes)
        live, numbers = _living(below, walk.after(keys))
        if not len(numbers):
            return allowed
        tokens = trie.tokens_at(live)
        allowed[tokens] = numbers[trie.node_of_token[tokens] - level.start] > 0 if isinstance(live, slice) else True
    _read_long_tokens(trie, walk, automaton.byte_classes, live, numbers, allowed)
    return allowed


def _read_long_tokens(
    trie: ByteTrie,
    walk: Walk,
    byte_classes: NDArray[np.intp],
    live: Nodes,
    numbers: NDArray[np.intp],
    allowed: NDArray[np.bool_],
) -> None:
    """Read the rest of the long tokens, one byte of all of them at a time, and enter those that are alive."""
    long = long_tokens(trie)
    if not len(long.tokens):
        return
    start, end = trie.levels[DEPTH : DEPTH + 2].tolist()
    at = np.zeros(end - start, np.intp)
    at[slice(None) if isinstance(live, slice) else live - start] = numbers
    here = at[long.roots - start]
    for read in long.bytes:
        here[: len(read)] = walk.after(here[: len(read)] * walk.n_classes + byte_classes.take(read))
    allowed[long.tokens] = here > 0


def _next_level(
    trie: ByteTrie, level: slice, live: Nodes, bases: NDArray[np.intp], byte_classes: NDArray[np.intp]
) -> tuple[Nodes, NDArray[np.intp]]:
    """Return the children of the live nodes and their keys: all nodes of the level, or only the children."""
    if isinstance(live, slice):
        return level, bases.take(trie.parent[level] - live.start) + byte_classes.take(trie.byte[level])
    counts = trie.child_counts.take(live)
    below = ranges(trie.first_child.take(live), counts)
    return below, bases.repeat(counts) + byte_classes.take(trie.byte.take(below))


def _living(nodes: Nodes, numbers: NDArray[np.intp]) -> tuple[Nodes, NDArray[np.intp]]:
    """Return the nodes that are not dead, with their numbers; where they are many, the whole level."""
    if isinstance(nodes, slice) and _MANY * np.count_nonzero(numbers) >= len(numbers):
        return nodes, numbers
    picked = (numbers != 0).nonzero()[0]
    return picked + nodes.start if isinstance(nodes, slice) else nodes.take(picked), numbers.take(picked)
