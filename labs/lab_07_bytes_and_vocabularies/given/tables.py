"""Whole tables: all transitions of tokens, from some states on, lifted many states at a time."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_dfa import ByteDfa
from labkit.automata.byte_tries import ByteTrie
from labkit.automata.transitions import Lifted

MOST_TRANSITIONS = 1 << 25
"""Lifting W states over a trie of N nodes makes at most W * N transitions, which bounds the states of a block."""

FEW_TRANSITIONS = 1 << 18
WIDEST = 16
"""A block that made so few transitions may be followed by one of twice the width, up to so many times the usual one."""

Lift = Callable[[ByteTrie, ByteDfa, NDArray[np.intp]], Lifted]
"""Lab 07's ``lift``, or one like it."""

Pairs = tuple[NDArray[np.intp], NDArray[np.intp]]
"""Sources and targets of transitions."""


def token_table(
    lift: Lift, trie: ByteTrie, automaton: ByteDfa, states: NDArray[np.intp]
) -> tuple[NDArray[np.intp], Pairs]:
    """Return some states and all that tokens lead to from them, and the transitions between these, each pair once.

    Args:
        states: ascending.

    Returns:
        The states, ascending, and the sources and the targets of the transitions.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> from labs.lab_07_bytes_and_vocabularies.solution import build_byte_trie, byte_dfa, lift
    >>> automaton = byte_dfa(compile_dfa("ab*"))
    >>> states, (sources, targets) = token_table(lift, build_byte_trie([b"a", b"bb"]), automaton, np.array([0]))
    >>> states.tolist(), sources.tolist(), targets.tolist()
    ([0, 1], [0, 1], [1, 1])
    """
    found, waiting, pairs = states, states, list[Pairs]()
    while len(waiting):
        fresh = [transitions_used(lifted) for lifted in _blocks(lift, trie, automaton, waiting)]
        pairs += fresh
        waiting = np.setdiff1d(np.concatenate([targets for _, targets in fresh]), found)
        found = np.union1d(found, waiting)
    sources, targets = (np.concatenate(each) for each in zip(*pairs, strict=True))
    return found, (sources, targets)


def transitions_used(lifted: Lifted) -> Pairs:
    """Return the transitions that some token takes, each pair of states once; a function may belong to no token.

    >>> from labkit.automata.transitions import Transitions
    >>> transitions_used(Lifted([2, 2], Transitions([0, 0, 1, 2], [5, 5], [6, 7])))
    (array([5]), array([7]))
    """
    used = np.zeros(len(lifted.transitions), bool)
    used[lifted.groups] = True
    here = used[lifted.transitions.functions]
    pairs = lifted.transitions.sources[here].astype(np.int64) << 32 | lifted.transitions.targets[here]
    pairs = np.unique(pairs)
    return pairs >> 32, pairs & 0xFFFFFFFF


def _blocks(lift: Lift, trie: ByteTrie, automaton: ByteDfa, states: NDArray[np.intp]) -> Iterator[Lifted]:
    start = 0
    width = usual = max(1, MOST_TRANSITIONS // len(trie))
    while start < len(states):
        lifted = lift(trie, automaton, states[start : start + width])
        yield lifted
        start += width
        if len(lifted.transitions.sources) < FEW_TRANSITIONS:  # each block has a fixed cost: use fewer of them
            width = min(2 * width, WIDEST * usual)
