"""The tuned twin of ``TokenFSM``: what was made is kept, and what must be known in full is left to a ``TokenFSM``."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_dfa import ByteDfa, live_transitions
from labkit.automata.dfa import DEAD, Dfa
from labkit.errors import TokenNotAllowed
from labs.lab_07_bytes_and_vocabularies.given.token_states import Bitmask, Progress
from labs.lab_07_bytes_and_vocabularies.given.tuned.alphabet import byte_alphabet
from labs.lab_07_bytes_and_vocabularies.given.tuned.masks import alive
from labs.lab_07_bytes_and_vocabularies.given.tuned.rows import VocabularyRows
from labs.lab_07_bytes_and_vocabularies.given.tuned.walker import ByteStates, CharacterStates

if TYPE_CHECKING:
    from labs.lab_07_bytes_and_vocabularies.solution import TokenFSM


MORE = 64
"""Room is made for so many masks at a time, or for an eighth more; none is touched before it is needed."""

MOST_BYTES = 1 << 28
"""Of masks that are kept: 16,384 at 131,072 tokens; then keeping begins anew."""

FACTOR = -1640531527
"""2 ** 32 by the golden ratio, as an int32: D. Knuth's factor for hashing, in The Art of Computer Programming, 6.4."""


class DfaStates:
    """The states of a ``Dfa``, without the steps that lead to no accepting state.

    >>> a = Dfa([0, 97, 98], [-1, 0, -1], [[1], [DEAD]], initial=0, accepting=[False, True])
    >>> DfaStates(a).row(0)
    [1]
    """

    def __init__(self, dfa: Dfa) -> None:
        self.bounds, self.classes = dfa.bounds.tolist(), dfa.classes.tolist()
        self.initial = dfa.initial
        self._accepting = dfa.accepting.tolist()
        self._rows = live_transitions(dfa)

    def accepts(self, state: int) -> bool:
        """Return whether a text may end in a state."""
        return bool(self._accepting[state])

    def row(self, state: int) -> list[int]:
        """Return the state after each class of characters, or ``DEAD``."""
        row: list[int] = self._rows[state].tolist()
        return row


class TunedFSM:
    """An automaton over tokens that makes each mask without lifting, when it is first asked for.

    Args:
        characters: the automaton over characters.
        rows: what is known of the vocabulary.
        eos_id: the id of EOS.
        make_tree: lab 07's ``byte_dfa``.
        whole: makes the same automaton in full, for what cannot be known from a part of it.
        size: the number of the automaton's states, if that is known: then a state within a character is a multiple of
            it above the character's, as in a ``ByteDfa``. Otherwise states are numbered in the order in which they
            are met.
    """

    def __init__(
        self,
        characters: CharacterStates,
        rows: VocabularyRows,
        eos_id: int,
        make_tree: Callable[[Dfa], ByteDfa],
        whole: "Callable[[], TokenFSM]",
        size: int | None = None,
    ) -> None:
        self._states = ByteStates(characters, byte_alphabet(characters.bounds, characters.classes, make_tree))
        self._rows, self._eos_id, self._make_whole, self._size = rows, eos_id, whole, size
        self._factors = np.arange(1, 2 * rows.n_words, 2, dtype=np.int32) * np.int32(FACTOR)  # of a mask's hash
        self._forget()

    def _forget(self) -> None:
        """Begin anew to keep masks; those that were handed out keep the array they lie in."""
        self._masks = np.empty((MORE, self._rows.n_words), np.int32)
        self._masks[0] = 0
        self._places = {DEAD: 0}
        self._by_hash = {0: 0}
        self._n_masks = 1

    @property
    def initial_state(self) -> int:
        """The state to begin in."""
        return self._outside(0)

    def mask(self, state: int, remaining: int | None = None) -> Bitmask:
        """Return the packed mask of a state, as ``TokenFSM.mask`` does."""
        if remaining is not None:
            return self._whole.mask(self._of_whole(state), remaining)
        place = self._place(state)  # which may replace the array
        mask: Bitmask = self._masks[place]
        mask.flags.writeable = False
        return mask

    def fill(self, states: Sequence[int], out: NDArray[np.int32]) -> None:
        """Write the mask of each state into a row of a batch: one gather from the masks, which lie in one array."""
        known = self._places
        try:
            places = [known[state] for state in states]
        except KeyError:
            for row, state in zip(out, states, strict=True):
                row[:] = self.mask(state)
            return
        self._masks.take(places, axis=0, out=out, mode="clip")  # with "raise" NumPy writes to a copy first

    def _place(self, state: int) -> int:
        """Return where the mask of a state lies; equal masks lie at one place."""
        place = self._places.get(state)
        if place is None:
            mask = self._make(state)
            if self._masks.nbytes > MOST_BYTES and self._n_masks == len(self._masks):
                self._forget()
            place = self._by_hash.setdefault(int(mask @ self._factors), self._n_masks)
            if place < self._n_masks and not np.array_equal(self._masks[place], mask):
                place = self._n_masks  # the same hash of another mask
            if place == self._n_masks:
                self._keep(mask)
            self._places[state] = place
        return place

    def _keep(self, mask: Bitmask) -> None:
        if self._n_masks == len(self._masks):
            more = np.empty((self._n_masks + max(MORE, self._n_masks // 8), self._rows.n_words), np.int32)
            more[: self._n_masks] = self._masks
            self._masks = more
        self._masks[self._n_masks] = mask
        self._n_masks += 1

    def _make(self, state: int) -> Bitmask:
        number = self._inside(state)
        row = alive(self._rows, self._states, number)
        if self._states.is_accepting(number):
            row = row.copy()  # which others may share
            row[self._eos_id // 8] |= 1 << self._eos_id % 8
        return row.view("<i4")

    def next_state(self, state: int, token_id: int) -> int:
        """Return the state after a token; raise ``TokenNotAllowed`` where it is not allowed."""
        token = self._rows.token_bytes[token_id] if 0 <= token_id < self._rows.n_tokens else None
        number = self._states.after_text(self._inside(state), token) if token and state != DEAD else DEAD
        if number == DEAD:
            where = f"state {state}"
            raise TokenNotAllowed(token_id, where)
        return self._outside(number)

    def is_terminal(self, state: int) -> bool:
        """Return whether the tokens so far are a whole match, so that EOS may follow."""
        return state != DEAD and self._states.is_accepting(self._inside(state))

    def is_whole(self, state: int) -> bool:
        """Return whether the bytes so far are whole characters."""
        return self._states.pairs[self._inside(state)][1] == 0

    def bytes_from(self, state: int) -> dict[int, int]:
        """Return where each byte leads that may come next."""
        after = self._states.row(self._inside(state))[self._states.alphabet.byte_classes].tolist()
        return {byte: self._outside(number) for byte, number in enumerate(after) if number != DEAD}

    # States as others know them ---------------------------------------------------------------------------

    def _outside(self, number: int) -> int:
        if self._size is None:
            return number
        state, node = self._states.pairs[number]
        return state + self._size * node

    def _inside(self, state: int) -> int:
        n_states = len(self._states) if self._size is None else self._size * len(self._states.alphabet.steps)
        if not 0 <= state < n_states:
            raise ValueError(f"state {state} is none of 0 to {n_states - 1}")
        if self._size is None:
            return state
        node, character_state = divmod(state, self._size)
        return self._states.number_of(character_state, node)

    # In full ----------------------------------------------------------------------------------------------

    @cached_property
    def _whole(self) -> "TokenFSM":
        return self._make_whole()

    def _of_whole(self, state: int) -> int:
        """Return the number that the whole automaton has for a state; its tree may have other nodes."""
        if state == DEAD:
            return DEAD
        found, node = self._states.pairs[self._inside(state)]
        for byte in self._states.alphabet.paths[node]:
            found = self._whole.automaton.step(found, byte)
        return found

    def tokens_to_accept(self, state: int) -> float:
        """Return the fewest tokens to an accepting state; the automaton is made in full, which may exceed a limit."""
        return self._whole.tokens_to_accept(self._of_whole(state))

    def states(self) -> list[int]:
        """Return the states: those at whole characters, and those inside one at which a token may end."""
        for state in range(len(self._whole.automaton.dfa)):
            self._states.number_of(state, 0)
        number = 0
        while number < len(self._states):  # each row may add states
            self._states.row(number)
            number += 1
        pairs = enumerate(self._states.pairs)
        return [self._outside(number) for number, (_, node) in pairs if node == 0 or self._rows.splits_characters]

    def prepare(self, progress: Progress | None = None) -> None:
        """Make the masks of all states now; the automaton is made in full, which may exceed a limit."""
        states = self.states()
        for done, state in enumerate(states, start=1):
            self.mask(state)
            if progress:
                progress(done, len(states))
