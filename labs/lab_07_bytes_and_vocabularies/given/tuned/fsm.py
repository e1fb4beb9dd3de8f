"""The tuned twin of ``TokenFSM``: masks are made when they are asked for, and what was made is kept."""

from collections.abc import Callable, Sequence
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_dfa import ByteDfa, live_transitions
from labkit.automata.dfa import DEAD, MAX_DFA_STATES, Dfa
from labkit.automata.transitions import Lifted
from labkit.errors import LimitExceeded, TokenNotAllowed
from labs.lab_06_regex_to_dfa.given.lengths import fewest_bytes, utf8_lengths
from labs.lab_07_bytes_and_vocabularies.given.token_states import Bitmask, Progress
from labs.lab_07_bytes_and_vocabularies.given.tuned.alphabet import byte_alphabet
from labs.lab_07_bytes_and_vocabularies.given.tuned.endings import Endings
from labs.lab_07_bytes_and_vocabularies.given.tuned.masks import Met, alive
from labs.lab_07_bytes_and_vocabularies.given.tuned.rows import Kept, Row, VocabularyRows
from labs.lab_07_bytes_and_vocabularies.given.tuned.walker import ByteStates, CharacterStates

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
        self._dfa = dfa
        self.bounds, self.classes = dfa.bounds.tolist(), dfa.classes.tolist()
        self.initial = dfa.initial
        self._accepting = dfa.accepting.tolist()
        self._rows = live_transitions(dfa)

    def __len__(self) -> int:
        """Return how many states there are."""
        return len(self._dfa)

    def accepts(self, state: int) -> bool:
        """Return whether a text may end in a state."""
        return bool(self._accepting[state])

    def row(self, state: int) -> list[int]:
        """Return the state after each class of characters, or ``DEAD``."""
        row: list[int] = self._rows[state].tolist()
        return row

    def alike(self, state: int, rounds: Callable[[frozenset[int]], int]) -> int:
        """Return the state itself, for a table counts nothing."""
        return state

    def fewest_bytes(self, state: int) -> float:
        """Return how many bytes a text still needs from a state.

        >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
        >>> DfaStates(compile_dfa("é|abc")).fewest_bytes(0)
        2.0
        """
        return float(self._away[state])

    @cached_property
    def most_bytes(self) -> float:
        """The most that ``fewest_bytes`` can be, at any place of any text."""
        leads_on = (self._rows != DEAD).any(axis=1) | self._dfa.accepting
        # Within a character up to three of its bytes are left, and then what the state after it needs.
        return float(self._away[leads_on].max(initial=0)) + 3

    @cached_property
    def _away(self) -> NDArray[np.float64]:
        return fewest_bytes(self._dfa, [utf8_lengths(each)[0] for each in self._dfa.class_ranges])


class TunedFSM:
    """An automaton over tokens that makes each mask without lifting, when it is first asked for.

    Args:
        characters: the automaton over characters.
        rows: what is known of the vocabulary.
        eos_id: the id of EOS.
        make_tree, lift: lab 07's ``byte_dfa`` and ``lift``.
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
        lift: Callable[..., Lifted],
        size: int | None = None,
    ) -> None:
        self.characters = characters
        self._states = ByteStates(characters, byte_alphabet(characters.bounds, characters.classes, make_tree))
        self._rows, self._eos_id, self._size = rows, eos_id, size
        self._endings = Endings(rows, self._states, lift)
        self._near_the_end: Kept[Bitmask] = Kept()
        self._factors = np.arange(1, 2 * rows.n_words, 2, dtype=np.int32) * np.int32(FACTOR)  # of a mask's hash
        self._forget()

    def _forget(self) -> None:
        """Begin anew to keep masks; those that were handed out keep the array they lie in."""
        self._masks = np.empty((MORE, self._rows.n_words), np.int32)
        self._masks[0] = 0
        self._places = {DEAD: 0}
        self._after: dict[int, Met | float] = {}
        self._like: dict[int, int] = {}
        self._by_hash = {0: 0}
        self._n_masks = 1

    @property
    def initial_state(self) -> int:
        """The state to begin in."""
        return self._outside(0)

    def mask(self, state: int, remaining: int | None = None) -> Bitmask:
        """Return the packed mask of a state, as ``TokenFSM.mask`` does."""
        if remaining is not None and remaining < self.ample and state != DEAD:
            if remaining < 1:
                raise ValueError(f"a mask for {remaining} remaining tokens: at least one must remain")
            number, place = self._inside(state), self._place(state)
            if remaining - 2 >= self._most_after(number):
                return self._kept(place)
            return self._near_the_end.get_or_make((number, remaining), lambda: self._within(number, remaining))
        return self._kept(self._place(state))

    def _kept(self, place: int) -> Bitmask:
        mask: Bitmask = self._masks[place]
        mask.flags.writeable = False
        return mask

    def _most_after(self, number: int) -> float:
        """Return how many tokens are enough after each token of a state's mask, whichever it is."""
        known = self._after.get(number)
        if not isinstance(known, float):
            met = [number] if known is None else np.unique(np.concatenate(known)).tolist()
            known = float(self._endings.enough_after(met))
            if number in self._like:
                known = max(known, self._most_after(self._like[number]))
            self._after[number] = known
        return known

    @cached_property
    def ample(self) -> float:
        """From so many tokens on, a budget changes no mask: the one that is chosen, what may be needed, and EOS."""
        return self._endings.most + 2

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
            number = self._inside(state)
            if (other := self._states.alike(number, self._rows.rounds)) != number:
                place = self._places[state] = self._place(self._outside(other))
                self._like[number] = other
                return place
            if self._masks.nbytes > MOST_BYTES and self._n_masks == len(self._masks):
                self._forget()  # before a mask is made, for what is known beside it is kept with it
            mask = self._make(number)
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

    def _make(self, number: int) -> Bitmask:
        met: Met = [np.array([number])]
        row = alive(self._rows, self._states, number, met, lambda other: self._row_like(number, other))
        self._after[number] = met
        return self._with_eos(number, row)

    def _row_like(self, number: int, other: int) -> Row:
        """Return the tokens that are alive in another state, which a state's own are made from."""
        place = self._place(self._outside(other))
        row: Row = self._masks[place].view(np.uint8)
        self._like[number] = other
        if self._states.is_accepting(other):
            row = row.copy()
            row[self._eos_id // 8] &= ~(1 << self._eos_id % 8) & 255
        return row

    def _within(self, number: int, remaining: int) -> Bitmask:
        mask = self._with_eos(number, self._rows.packed(self._endings.allowed(number, remaining - 2)))
        mask.flags.writeable = False
        return mask

    def _with_eos(self, number: int, row: Row) -> Bitmask:
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

    def character_state(self, state: int) -> int:
        """Return the state of the automaton over characters, after the last whole one."""
        return self._states.pairs[self._inside(state)][0]

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

    def tokens_to_accept(self, state: int) -> float:
        """Return the fewest tokens to an accepting state.

        Where they would take too much work to find, and every byte is a token: how many bytes are needed, a bound.
        """
        return inf if state == DEAD else self._endings.fewest(self._inside(state))

    def states(self) -> list[int]:
        """Return the states: those at whole characters, and those inside one at which a token may end.

        Raises:
            LimitExceeded: if they are too many.
        """
        number = 0
        while number < len(self._states):  # each row may add states
            self._states.row(number)
            number += 1
            if number > MAX_DFA_STATES * len(self._states.alphabet.steps):
                raise LimitExceeded("the automaton, made in full, has too many states", MAX_DFA_STATES)
        pairs = enumerate(self._states.pairs)
        return [self._outside(number) for number, (_, node) in pairs if node == 0 or self._rows.splits_characters]

    def prepare(self, progress: Progress | None = None) -> None:
        """Make the masks of all states now; the automaton is made in full, which may exceed a limit."""
        states = self.states()
        for done, state in enumerate(states, start=1):
            self.mask(state)
            if progress:
                progress(done, len(states))
