"""The base class of ``TokenFSM``: it makes a mask with your functions when somebody first asks for it, and keeps it.

What's left for this file is bookkeeping: where each mask is stored, which states share one, when a budget changes it.
"""

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from math import inf

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import DEAD, MAX_DFA_STATES, Dfa
from labkit.automata.work import at_most
from labkit.errors import LimitExceeded
from labs.lab_07_bytes_and_vocabularies.given.functions import Words
from labs.lab_07_bytes_and_vocabularies.given.on_demand.alphabet import byte_alphabet
from labs.lab_07_bytes_and_vocabularies.given.on_demand.endings import Endings, Suits
from labs.lab_07_bytes_and_vocabularies.given.on_demand.masks import Met, alive
from labs.lab_07_bytes_and_vocabularies.given.on_demand.rows import Kept, VocabularyRows, unpacked
from labs.lab_07_bytes_and_vocabularies.given.on_demand.walker import ByteStates, CharacterStates, DfaStates

MORE = 64
"""The array of masks grows by this many, or by an eighth if that's more. Memory isn't touched before it's needed."""

MOST_BYTES = 1 << 28
"""How much memory the masks may take: 16,384 masks of 131,072 tokens. After that we forget all of them."""

MOST_HELD = 1 << 22
"""How many numbers may be kept in rows, and for budgets, before it's time to ``forget``."""

FACTOR = -1640531527
"""2 ** 32 by the golden ratio, as an int32: D. Knuth's factor for hashing, in The Art of Computer Programming, 6.4."""


Progress = Callable[[int, int], object]
"""A function that's told how many states are done, and how many there are."""


class TokenStates:
    """The states of an automaton over tokens, and their masks. ``TokenFSM`` in your file is one.

    Args:
        texts: the automaton over characters: a ``Dfa``, or one that makes its states when they're first needed.
        rows: the vocabulary's rows, which also know your functions.
        eos_id: the id of EOS.

    Attributes:
        places: where in an array the mask of a state is, as far as masks have been made.

    >>> from labkit.vocabulary import Vocabulary
    >>> from labs.lab_07_bytes_and_vocabularies.solution import *
    >>> states = TokenStates(compile_dfa("1|a1"), TokenVocabularyIndex(Vocabulary.toy()).rows, eos_id=4)
    >>> states.mask(states.initial_state).tolist()
    [9]
    """

    def __init__(self, texts: Dfa | CharacterStates, rows: VocabularyRows, eos_id: int) -> None:
        self.characters = characters = DfaStates(texts) if isinstance(texts, Dfa) else texts
        alphabet = byte_alphabet(characters.bounds, characters.classes, rows.functions.byte_dfa)
        self._states = ByteStates(characters, alphabet)
        self._rows, self._eos_id = rows, eos_id
        self.endings = Endings(rows, self._states)
        self._factors = np.arange(1, 2 * rows.n_words, 2, dtype=np.int32) * np.int32(FACTOR)  # of a mask's hash
        self._forget_masks()

    @property
    def n_own(self) -> int:
        """How many states the automaton had from the start. Their numbers never change."""
        return self._states.n_own

    @property
    def is_full(self) -> bool:
        """Whether so much has been made that it's time to ``forget``."""
        return self.characters.is_full or self._states.n_held + self.endings.n_held + self._n_met > MOST_HELD

    def forget(self, states: Sequence[int]) -> list[int]:
        """Forget everything but some states, and return their new numbers; all other numbers become invalid.

        >>> from labkit.vocabulary import Vocabulary
        >>> from mask_engine.patterns.lazy import LazyDfa
        >>> from labs.lab_06_regex_to_dfa.solution import parse_tree
        >>> from labs.lab_07_bytes_and_vocabularies.solution import *
        >>> fsm = TokenFSM(LazyDfa(parse_tree(r"1a*\\.")), TokenVocabularyIndex(Vocabulary.toy()))
        >>> after = fsm.next_state(fsm.next_state(fsm.initial_state, 3), 0)
        >>> after, fsm.forget([after]), fsm.allowed_tokens(1)
        (1, [1], {0, 1})
        """
        with at_most(None):  # half of it would be of no use, and there's no more of it than was made before
            self._states, numbers = self._states.anew(states)
        self.characters, self.endings = self._states.characters, self.endings.anew(self._states)
        self._forget_masks()
        return numbers

    def _forget_masks(self) -> None:
        """Forget all masks. Those that were handed out stay valid, because we start a new array."""
        self._near_the_end: Kept[Words] = Kept()
        self._n_met = 0
        self._masks = np.empty((MORE, self._rows.n_words), np.int32)
        self._masks[0] = 0
        self.places = {DEAD: 0}
        self._after: dict[int, Met | float] = {}
        self._like: dict[int, int] = {}
        self._by_hash = {0: 0}
        self._n_masks = 1

    @property
    def initial_state(self) -> int:
        """The state to begin in."""
        return self._states.initial

    def mask(self, state: int, remaining: int | None = None) -> Words:
        """Return the packed mask of a state. It's made when it's first asked for.

        Args:
            remaining: how many tokens may still be emitted, this one and EOS included; at least 1. None for no limit.

        Returns:
            ``int32[ceil(V / 32)]``, read-only, because states that allow the same tokens share it. With a budget, a
            token is allowed only if enough is left after it for a match and EOS, as in lab 05.

        Raises:
            ValueError: if there is no such state, or not even one token remains.

        >>> from labkit.vocabulary import Vocabulary
        >>> from labs.lab_07_bytes_and_vocabularies.solution import *
        >>> fsm = TokenFSM(compile_dfa("1|a1"), TokenVocabularyIndex(Vocabulary.toy()))
        >>> fsm.mask(0).tolist(), fsm.mask(0, remaining=2).tolist()
        ([9], [8])
        """
        if remaining is not None and remaining < self.ample and state != DEAD:
            if remaining < 1:
                raise ValueError(f"a mask for {remaining} remaining tokens: at least one must remain")
            place = self._found(state)
            if remaining - 2 >= self._most_after(state):
                return self._kept(place)
            return self._near_the_end.get_or_make((state, remaining), lambda: self._within(state, remaining - 2))
        return self._kept(self._found(state))

    def _kept(self, place: int) -> Words:
        mask: Words = self._masks[place]
        mask.flags.writeable = False
        return mask

    def _most_after(self, number: int) -> float:
        """Return a number of tokens that's enough to finish, whichever token of the state's mask is chosen."""
        known = self._after.get(number)
        if not isinstance(known, float):
            met = [number] if known is None else np.unique(np.concatenate(known)).tolist()
            known = float(self.endings.enough_after(met))
            if number in self._like:
                known = max(known, self._most_after(self._like[number]))
            self._after[number] = known
        return known

    @cached_property
    def ample(self) -> float:
        """A budget of this many tokens changes no mask: it holds the chosen token, the way to any end, and EOS."""
        return self.endings.most + 2

    def fill(self, states: Sequence[int], out: NDArray[np.int32]) -> None:
        """Write the mask of each state into a row of a batch. As all masks are in one array, that's a single gather."""
        if not self.gather(states, out):
            for row, state in zip(out, states, strict=True):
                row[:] = self.mask(state)

    def gather(self, states: Sequence[int], out: NDArray[np.int32]) -> bool:
        """Fill a batch and return True, or if a mask isn't there yet, do nothing and return False."""
        known = self.places
        try:
            places = [known[state] for state in states]
        except KeyError:
            return False
        self._masks.take(places, axis=0, out=out, mode="clip")  # with "raise" NumPy writes to a copy first
        return True

    def _found(self, state: int) -> int:
        """Return ``_place`` of a state. Before we make its mask we may forget the others, but not once we've begun."""
        if state not in self.places and self._masks.nbytes > MOST_BYTES and self._n_masks == len(self._masks):
            self._forget_masks()
        return self._place(state)

    def _place(self, state: int) -> int:
        """Return where in the array the mask of a state is. Equal masks are stored only once."""
        place = self.places.get(state)
        if place is None:
            if (other := self._states.alike(state, self._rows.rounds)) != state:
                place = self.places[state] = self._place(other)
                self._like[state] = other
                return place
            mask = self._make(state)
            place = self._by_hash.setdefault(int(mask @ self._factors), self._n_masks)
            if place < self._n_masks and not np.array_equal(self._masks[place], mask):
                place = self._n_masks  # two masks with one hash
            if place == self._n_masks:
                self._keep(mask)
            self.places[state] = place
        return place

    def _keep(self, mask: Words) -> None:
        if self._n_masks == len(self._masks):
            more = np.empty((self._n_masks + max(MORE, self._n_masks // 8), self._rows.n_words), np.int32)
            more[: self._n_masks] = self._masks
            self._masks = more
        self._masks[self._n_masks] = mask
        self._n_masks += 1

    def _make(self, state: int) -> Words:
        met: Met = [np.array([state])]
        row = alive(self._rows, self._states, state, met, lambda other: self._row_like(state, other))
        self._after[state] = met
        self._n_met += sum(map(len, met))
        return self._with_eos(state, row)

    def _row_like(self, state: int, other: int) -> Words:
        """Return the tokens that are alive in another state, and note that this state's mask was made from them."""
        place = self._place(other)  # first, since this may put a longer array in the place of self._masks
        self._like[state] = other
        return self._rows.functions.mask_row(self._eos_id, self._masks[place], False)

    def _within(self, state: int, most: int) -> Words:
        """Return the mask of the tokens after which so many are enough."""
        return self.mask_of(state, partial(self.endings.all_within, most=most))

    def mask_of(self, state: int, suits: Suits, known: NDArray[np.bool_] | None = None) -> Words:
        """Return the packed mask of the tokens that lead to states that suit, and EOS where the state accepts.

        Args:
            known: ``bool[V]``: tokens of which that's known, so that nobody has to ask.
        """
        mask = self._with_eos(state, self._rows.packed(self.endings.allowed(state, suits, known)))
        mask.flags.writeable = False
        return mask

    def _with_eos(self, state: int, row: Words) -> Words:
        return self._rows.functions.mask_row(self._eos_id, row, self._states.is_accepting(state))

    def allowed_tokens(self, state: int) -> set[int]:
        """Return the ids of the tokens that may come next, without EOS.

        >>> from labkit.vocabulary import Vocabulary
        >>> from labs.lab_07_bytes_and_vocabularies.solution import *
        >>> TokenFSM(compile_dfa("1|a1"), TokenVocabularyIndex(Vocabulary.toy())).allowed_tokens(0)
        {0, 3}
        """
        return set(unpacked(self.mask(state)).tolist()) - {self._eos_id}

    def next_state(self, state: int, token_id: int) -> int:
        """Return the state after a token; raise ``TokenNotAllowed`` if it isn't allowed.

        >>> from labkit.vocabulary import Vocabulary
        >>> from labs.lab_07_bytes_and_vocabularies.solution import *
        >>> TokenFSM(compile_dfa("1*"), TokenVocabularyIndex(Vocabulary.toy())).next_state(0, 3)
        0
        """
        return self._rows.functions.next_state(self._states, self._rows.token_bytes, state, token_id)

    def is_terminal(self, state: int) -> bool:
        """Return whether the tokens so far are a whole match, so that EOS may follow.

        >>> from labkit.vocabulary import Vocabulary
        >>> from labs.lab_07_bytes_and_vocabularies.solution import *
        >>> TokenFSM(compile_dfa("a*"), TokenVocabularyIndex(Vocabulary.toy())).is_terminal(0)
        True
        """
        return state != DEAD and self._states.is_accepting(state)

    def is_whole(self, state: int) -> bool:
        """Return whether the bytes so far are whole characters."""
        return self._states.pair(state)[1] == 0

    def character_state(self, state: int) -> int:
        """Return the state of the automaton over characters after the last whole character."""
        return self._states.pair(state)[0]

    def open_rules(self, state: int) -> list[str]:
        """Return no rules: these states have no stack. Lab 12's have one."""
        return []

    def after_byte(self, state: int, byte: int) -> int:
        """Return the state after a byte, or ``DEAD``."""
        return self._states.step(state, byte)

    def next_bytes(self, state: int) -> bytes:
        """Return the bytes that may come next, ascending."""
        return bytes((self._states.row(state)[self._states.byte_classes] != DEAD).nonzero()[0].tolist())

    def bytes_from(self, state: int) -> dict[int, int]:
        """Return the bytes that may come next, each with the state that it leads to.

        >>> from labkit.vocabulary import Vocabulary
        >>> from labs.lab_07_bytes_and_vocabularies.solution import *
        >>> TokenFSM(compile_dfa("ab"), TokenVocabularyIndex(Vocabulary.toy())).bytes_from(0)
        {97: 1}
        """
        after = self._states.row(state)[self._states.byte_classes].tolist()
        return {byte: number for byte, number in enumerate(after) if number != DEAD}

    # In full ----------------------------------------------------------------------------------------------

    def tokens_to_accept(self, state: int) -> float:
        """Return the fewest tokens to an accepting state, EOS not counted; ``inf`` if tokens lead to none.

        If that would take too much work, and every byte is a token, it's the fewest bytes, which are never less.

        >>> from labkit.vocabulary import Vocabulary
        >>> from labs.lab_07_bytes_and_vocabularies.solution import *
        >>> TokenFSM(compile_dfa("1|a1"), TokenVocabularyIndex(Vocabulary.toy())).tokens_to_accept(0)
        1.0
        """
        return inf if state == DEAD else self.endings.fewest(state)

    def states(self) -> list[int]:
        """Return all states: those between characters, and those inside a character if some token ends there.

        Raises:
            LimitExceeded: if they are too many.
        """
        number = 0
        while number < len(self._states):  # each row may add states
            self._states.row(number)
            number += 1
            if number > MAX_DFA_STATES * len(self._states.alphabet.steps):
                raise LimitExceeded("the automaton, made in full, has too many states", MAX_DFA_STATES)
        splits = self._rows.splits_characters
        return [number for number in range(len(self._states)) if splits or self._states.pair(number)[1] == 0]

    def prepare(self, progress: Progress | None = None) -> None:
        """Make the masks of all states now. For that, the whole automaton is made, which may exceed a limit.

        Args:
            progress: called after each state with how many are done, and how many there are.

        >>> from labkit.vocabulary import Vocabulary
        >>> from labs.lab_07_bytes_and_vocabularies.solution import *
        >>> TokenFSM(compile_dfa("1*"), TokenVocabularyIndex(Vocabulary.toy())).prepare(print)
        1 1
        """
        states = self.states()
        for done, state in enumerate(states, start=1):
            self.mask(state)
            if progress:
                progress(done, len(states))
