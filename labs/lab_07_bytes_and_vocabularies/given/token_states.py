"""The states of one automaton, lifted to tokens when they are first asked for, and their masks.

``TokenStates`` decides what is lifted together, keeps what was made and shares what is equal. It lifts nothing and
packs nothing itself: ``TokenFSM``, in the file that the student writes, does both with the student's functions.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_dfa import ByteDfa
from labkit.automata.byte_tries import ByteTrie
from labkit.automata.dfa import DEAD
from labkit.automata.transitions import Lifted, Transitions
from labs.lab_07_bytes_and_vocabularies.given.budget import affordable, fewest_steps

MOST_TRANSITIONS = 1 << 25
"""Lifting W states over a trie of N nodes makes at most W * N transitions, which bounds the states of a block."""

FEW_TRANSITIONS = 1 << 18
WIDEST = 16
"""Where many states are needed, blocks of so few transitions may grow to so many times the usual width."""

NO_TRANSITIONS = Transitions(np.zeros(2, np.intp), np.zeros(0, np.int32), np.zeros(0, np.int32))
"""Function 0 alone, which is dead everywhere."""

Bitmask = NDArray[np.int32]
"""A packed mask: ``int32[ceil(V / 32)]``, bit t % 32 of word t // 32 is token t."""

Progress = Callable[[int, int], object]
"""Called with how many states are done, and how many there are."""


class TokenStates(ABC):
    """The lifted states of one automaton: its blocks, its masks, and the fewest tokens to an accepting state.

    States at whole characters are lifted in blocks of neighbours; a state in the middle of a character, which few
    tokens lead to, alone. So an automaton such as that of ``.{65535,}`` is never lifted as a whole, unless ``states``
    or a budget is asked for.

    Args:
        trie: the vocabulary.
        automaton: the automaton over bytes.
    """

    def __init__(self, trie: ByteTrie, automaton: ByteDfa) -> None:
        self._trie, self._automaton = trie, automaton
        self._width = max(1, MOST_TRANSITIONS // len(trie))
        self._lifted: dict[int, Lifted] = {}
        self._reachable: NDArray[np.intp] | None = None
        self._masks: dict[int, Bitmask] = {}
        self._made: dict[tuple[int, bool, bytes], Bitmask] = {}
        self._equal: dict[bytes, Bitmask] = {}
        self._distance: dict[int, float] = {}
        self._ample = 0.0
        self._unhurried: dict[int, Bitmask] = {}

    # What the student's file fills in ---------------------------------------------------------------------

    @abstractmethod
    def _lift(self, states: NDArray[np.intp]) -> Lifted:
        """Return the tokens as functions from these states."""

    @abstractmethod
    def _pack(self, lifted: Lifted, alive: NDArray[np.bool_], accepting: bool) -> Bitmask:
        """Return the packed mask of a state, from which functions are alive in it and whether it accepts."""

    # Masks ------------------------------------------------------------------------------------------------

    @property
    def automaton(self) -> ByteDfa:
        """The automaton over bytes, whose states these are."""
        return self._automaton

    @property
    def initial_state(self) -> int:
        """The state to begin in."""
        return self._automaton.initial

    def is_terminal(self, state: int) -> bool:
        """Return whether the tokens so far are a whole match, so that EOS may follow.

        >>> from labs.lab_07_bytes_and_vocabularies.solution import *
        >>> TokenFSM(compile_dfa("a*"), TokenVocabularyIndex(Vocabulary.toy())).is_terminal(0)
        True
        """
        return self._automaton.is_accepting(state)

    def is_whole(self, state: int) -> bool:
        """Return whether the bytes so far are whole characters.

        >>> from labs.lab_07_bytes_and_vocabularies.solution import *
        >>> TokenFSM(compile_dfa("a*"), TokenVocabularyIndex(Vocabulary.toy())).is_whole(0)
        True
        """
        return state < len(self._automaton.dfa)

    def bytes_from(self, state: int) -> dict[int, int]:
        """Return where each byte leads that may come next.

        >>> from labs.lab_07_bytes_and_vocabularies.solution import *
        >>> TokenFSM(compile_dfa("ab"), TokenVocabularyIndex(Vocabulary.toy())).bytes_from(0)
        {97: 1}
        """
        classes = np.arange(self._automaton.n_byte_classes)
        targets = self._automaton.successors(np.full(len(classes), state), classes)[self._automaton.byte_classes]
        return {byte: target for byte, target in enumerate(targets.tolist()) if target != DEAD}

    def mask(self, state: int, remaining: int | None = None) -> Bitmask:
        """Return the packed mask of a state, made when it is first asked for.

        Args:
            remaining: how many tokens may still be emitted, this one and EOS included; at least 1. None for no limit.

        Returns:
            ``int32[ceil(V / 32)]``, read-only, one array for all states that allow the same: see ``mask_row``. With a
            budget, only the tokens after which the rest of it suffices for a match and EOS, as in lab 05.

        Raises:
            ValueError: if there is no such state, or not even one token remains.

        >>> from labs.lab_07_bytes_and_vocabularies.solution import *
        >>> fsm = TokenFSM(compile_dfa("1|a1"), TokenVocabularyIndex(Vocabulary.toy()))
        >>> fsm.mask(0).tolist(), fsm.mask(0, remaining=2).tolist()
        ([9], [8])
        """
        if remaining is not None:
            return self._within(state, remaining)
        mask = self._masks.get(state)
        if mask is None:
            mask = self._masks[state] = self._make(state)
        return mask

    def _make(self, state: int) -> Bitmask:
        lifted = self._block_of(state)
        return self._packed(lifted, state, lifted.alive_from(state))

    def _within(self, state: int, remaining: int) -> Bitmask:
        if remaining < 1:
            raise ValueError(f"a mask for {remaining} remaining tokens: at least one must remain, the one to choose")
        distance = self._distances()
        # From this budget on, more changes nothing: a long answer asks for one mask a state.
        if remaining >= self._ample and state in self._unhurried:
            return self._unhurried[state]
        lifted = self._block_of(state)
        mask = self._packed(lifted, state, affordable(lifted, state, distance, remaining))
        if remaining >= self._ample:
            self._unhurried[state] = mask
        return mask

    def _packed(self, lifted: Lifted, state: int, alive: NDArray[np.bool_]) -> Bitmask:
        accepting = self.is_terminal(state)
        same = (id(lifted), accepting, alive.tobytes())  # a block lives as long as this object, so its id is its own
        if same not in self._made:
            self._made[same] = self._shared(self._pack(lifted, alive, accepting))
        return self._made[same]

    def _shared(self, mask: Bitmask) -> Bitmask:
        mask.flags.writeable = False
        return self._equal.setdefault(mask.tobytes(), mask)

    def prepare(self, progress: Progress | None = None) -> None:
        """Make the masks of all states now.

        Args:
            progress: called after each state with how many are done, and how many there are.

        >>> from labs.lab_07_bytes_and_vocabularies.solution import *
        >>> TokenFSM(compile_dfa("1*"), TokenVocabularyIndex(Vocabulary.toy())).prepare(print)
        1 1
        """
        states = self.states().tolist()
        for done, state in enumerate(states, start=1):
            self.mask(state)
            if progress:
                progress(done, len(states))

    # Which states there are, and how far they are from an end ---------------------------------------------

    def tokens_to_accept(self, state: int) -> float:
        """Return the fewest tokens to an accepting state, EOS not counted; ``inf`` if tokens lead to none.

        >>> from labs.lab_07_bytes_and_vocabularies.solution import *
        >>> TokenFSM(compile_dfa("1|a1"), TokenVocabularyIndex(Vocabulary.toy())).tokens_to_accept(0)
        1.0
        """
        return self._distances().get(state, np.inf)

    def states(self) -> NDArray[np.intp]:
        """Return the states: those at whole characters, and those inside one that a token leads to; ascending.

        >>> from labs.lab_07_bytes_and_vocabularies.solution import *
        >>> TokenFSM(compile_dfa("1|a1"), TokenVocabularyIndex(Vocabulary.toy())).states().tolist()
        [0, 1, 2]
        """
        if self._reachable is None:
            waiting = found = np.arange(len(self._automaton.dfa))
            while len(waiting):
                targets = [transitions[1] for transitions in self._transitions_of(waiting)]
                waiting = np.setdiff1d(np.concatenate(targets), found)
                found = np.union1d(found, waiting)
            self._reachable = found
        return self._reachable

    def transitions(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the tokens' transitions among ``states``: sources and targets, each pair once."""
        sources, targets = zip(*self._transitions_of(self.states()), strict=True)
        return np.concatenate(sources), np.concatenate(targets)

    def _transitions_of(self, states: NDArray[np.intp]) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Yield the distinct transitions of tokens, block by block."""
        for lifted in self._blocks_of(states):
            used = np.zeros(len(lifted.transitions), bool)
            used[lifted.groups] = True
            pick = used[lifted.transitions.functions]
            pairs = lifted.transitions.sources[pick].astype(np.int64) << 32 | lifted.transitions.targets[pick]
            pairs = np.unique(pairs)
            yield pairs >> 32, pairs & 0xFFFFFFFF

    def _distances(self) -> dict[int, float]:
        """Return the fewest tokens from each state to an accepting one."""
        if not self._distance:
            states = self.states()
            sources, targets = (np.searchsorted(states, each) for each in self.transitions())
            accepting = np.flatnonzero([self.is_terminal(state) for state in states.tolist()])
            steps = fewest_steps(len(states), sources, targets, accepting)
            self._distance = dict(zip(states.tolist(), steps.tolist(), strict=True))
            self._ample = 2 + max(steps[np.isfinite(steps)], default=0.0)  # the token that leads there, and EOS
        return self._distance

    # Blocks -----------------------------------------------------------------------------------------------

    def _block_of(self, state: int) -> Lifted:
        """Return the tokens as functions from a block of states that holds this one.

        Raises:
            ValueError: if there is no such state. (The dead state, -1, is one: nothing is alive in it.)
        """
        return self._lifted.get(state) or self._lift_block(self._neighbours(state))

    def _neighbours(self, state: int) -> NDArray[np.intp]:
        """Return the states that are lifted together with one."""
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
            lifted = self._lift(states)
        self._lifted.update(dict.fromkeys(states.tolist(), lifted))
        return lifted

    def _blocks_of(self, states: NDArray[np.intp]) -> Iterator[Lifted]:
        """Yield the blocks that hold these states; those not lifted yet are lifted many at a time."""
        fresh = np.array([state for state in states.tolist() if state not in self._lifted], dtype=np.intp)
        start, width = 0, self._width
        while start < len(fresh):
            lifted = self._lift_block(fresh[start : start + width])
            start += width
            if len(lifted.transitions.sources) < FEW_TRANSITIONS:  # each block has a fixed cost: use fewer of them
                width = min(2 * width, WIDEST * self._width)
        yield from {id(lifted): lifted for lifted in map(self._lifted.__getitem__, states.tolist())}.values()
