"""Which states are lifted together, and when: in blocks, at the time when one of the block is first asked for."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_dfa import ByteDfa
from labkit.automata.byte_tries import ByteTrie
from labkit.automata.dfa import DEAD
from labkit.automata.transitions import Lifted, Transitions
from labs.lab_07_bytes_and_vocabularies.given.tuned import alive_tokens

MOST_TRANSITIONS = 1 << 25
"""Lifting W states over a trie of N nodes makes at most W * N transitions, which bounds the states of a block."""

FEW_TRANSITIONS = 1 << 18
WIDEST = 16
"""Where many states are wanted, blocks of so few transitions may grow to so many times the usual width."""

NO_TRANSITIONS = Transitions(np.zeros(2, np.intp), np.zeros(0, np.int32), np.zeros(0, np.int32))
"""Function 0 alone, which is dead everywhere."""

Lift = Callable[[ByteTrie, ByteDfa, NDArray[np.intp]], Lifted]


class Blocks:
    """The lifted states of one automaton.

    All states at whole characters are lifted in blocks of neighbours; one in the middle of a character, which few
    tokens lead to, alone. An automaton such as that of ``.{65535,}`` is never lifted as a whole, unless ``reachable``
    is asked.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> from labs.lab_07_bytes_and_vocabularies.solution import build_byte_trie, byte_dfa, lift
    >>> blocks = Blocks(build_byte_trie([b"a", b"ab"]), byte_dfa(compile_dfa("(ab)*")), lift)
    >>> blocks.of(0).target(0, 1), blocks.of(0) is blocks.of(1), blocks.reachable().tolist()
    (0, True, [0, 1])
    """

    def __init__(self, trie: ByteTrie, automaton: ByteDfa, lift: Lift) -> None:
        self._trie, self._automaton, self._lift = trie, automaton, lift
        self._width = max(1, MOST_TRANSITIONS // len(trie))
        self._lifted: dict[int, Lifted] = {}
        self._reachable: NDArray[np.intp] | None = None

    def of(self, state: int) -> Lifted:
        """The tokens as functions from a block of states that has this one in it.

        Raises:
            ValueError: if there is no such state. (The dead state, -1, is one: nothing is alive in it.)
        """
        found = self._lifted.get(state)
        return found if found is not None else self._lift_block(self._neighbours(state))

    @property
    def untouched(self) -> bool:
        """Whether nothing has been lifted yet."""
        return not self._lifted

    def alive_tokens(self, state: int) -> NDArray[np.bool_]:
        """``bool[V]``: the tokens that are alive in a state, found without lifting it.

        Raises:
            ValueError: if there is no such state.
        """
        self._neighbours(state)
        return alive_tokens(self._trie, self._automaton, state)

    def _neighbours(self, state: int) -> NDArray[np.intp]:
        if not DEAD <= state < len(self._automaton):
            raise ValueError(f"state {state} is none of 0 to {len(self._automaton) - 1}")
        n_whole = len(self._automaton.dfa)
        if state >= n_whole or state == DEAD:
            return np.array([state])
        start = state - state % self._width
        return np.arange(start, min(start + self._width, n_whole))

    def _lift_block(self, states: NDArray[np.intp]) -> Lifted:
        if states[0] == DEAD:
            lifted = Lifted(np.zeros_like(self._trie.node_of_token), NO_TRANSITIONS)
        else:
            lifted = self._lift(self._trie, self._automaton, states)
        self._lifted.update(dict.fromkeys(states.tolist(), lifted))
        return lifted

    def reachable(self) -> NDArray[np.intp]:
        """``intp``: the states at whole characters, and those in the middle of one that tokens lead to; ascending."""
        if self._reachable is None:
            waiting = found = np.arange(len(self._automaton.dfa))
            while len(waiting):
                targets = [transitions[1] for transitions in self._transitions_of(waiting)]
                waiting = np.setdiff1d(np.concatenate(targets), found)
                found = np.union1d(found, waiting)
            self._reachable = found
        return self._reachable

    def transitions(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The tokens' transitions among reachable states, each pair of a source and a target once."""
        sources, targets = zip(*self._transitions_of(self.reachable()), strict=True)
        return np.concatenate(sources), np.concatenate(targets)

    def _transitions_of(self, states: NDArray[np.intp]) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """The distinct transitions of tokens, block by block."""
        for lifted in self._blocks_of(states):
            used = np.zeros(len(lifted.transitions), bool)
            used[lifted.groups] = True
            pick = used[lifted.transitions.functions]
            pairs = lifted.transitions.sources[pick].astype(np.int64) << 32 | lifted.transitions.targets[pick]
            pairs = np.unique(pairs)
            yield pairs >> 32, pairs & 0xFFFFFFFF

    def _blocks_of(self, states: NDArray[np.intp]) -> Iterator[Lifted]:
        """The blocks that these states are in; those not lifted yet are lifted many at a time."""
        fresh = np.array([state for state in states.tolist() if state not in self._lifted], dtype=np.intp)
        start, width = 0, self._width
        while start < len(fresh):
            lifted = self._lift_block(fresh[start : start + width])
            start += width
            width = self._next_width(width, lifted)
        yield from {id(lifted): lifted for lifted in map(self._lifted.__getitem__, states.tolist())}.values()

    def _next_width(self, width: int, lifted: Lifted) -> int:
        """Twice as many states, as long as the last block had few transitions: a block takes a time of its own."""
        return min(2 * width, WIDEST * self._width) if len(lifted.transitions.sources) < FEW_TRANSITIONS else width
