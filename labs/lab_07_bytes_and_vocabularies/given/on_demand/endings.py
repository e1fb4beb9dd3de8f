"""How many tokens does a text still need? We find out without making the whole automaton.

Where the vocabulary has every byte as a token, no text needs more tokens than bytes, and bytes are known by arithmetic.
Where some bytes aren't tokens, that's so of texts without them, and where no token has a byte, no text can have it.
So far from the end of a budget the masks are the plain ones. Near it the count must be exact. Then a search looks
forwards from one state, a level of tokens at a time, each level lifted at once; what cannot be better than what is
known is left out, since a token covers no more bytes than the longest has. A first search goes on from a single state
of each level, a second from a few, which need the fewest bytes: that settles most questions. The last leaves none out.
"""

from collections.abc import Callable, Sequence
from copy import copy
from functools import cached_property
from math import ceil, inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_dfa import CountedSteps
from labkit.automata.dfa import DEAD
from labkit.automata.transitions import Lifted
from labkit.automata.work import spend
from labkit.errors import LimitExceeded, TooMuchWork
from labs.lab_07_bytes_and_vocabularies.given.on_demand.alphabet import Classes
from labs.lab_07_bytes_and_vocabularies.given.on_demand.rows import VocabularyRows
from labs.lab_07_bytes_and_vocabularies.given.on_demand.walker import ByteStates
from labs.lab_07_bytes_and_vocabularies.given.tables import transitions_used

FEW = 16
"""A level of up to this many nodes is walked node by node."""

TOGETHER = 128
"""How many states are lifted at once."""

WIDTHS = 1, 8, None
"""How many states of a level we go on from: first one, which settles most questions, then some more, then all."""

MOST_SEEN = 5_000
"""After this many states a search gives up, and we count bytes."""

FINITE = 1e15
"""More tokens than any text has. If one needs more, it needs ``inf``."""

Suits = Callable[[list[int]], list[bool]]
"""Says of each of some states whether a token may lead there."""


class Endings:
    """How many tokens are needed from the states of an automaton over bytes to an accepting one.

    Args:
        rows: the vocabulary.
        states: the automaton.

    Attributes:
        n_held: how many targets of states are kept.

    >>> from mask_engine.patterns.lazy import LazyDfa
    >>> from labs.lab_06_regex_to_dfa.solution import parse_tree
    >>> from labs.lab_07_bytes_and_vocabularies.given.on_demand.alphabet import byte_alphabet
    >>> from labkit.vocabulary import Vocabulary
    >>> from labs.lab_07_bytes_and_vocabularies.solution import TokenVocabularyIndex, byte_dfa
    >>> characters = LazyDfa(parse_tree("a{8}b"))
    >>> states = ByteStates(characters, byte_alphabet(characters.bounds, characters.classes, byte_dfa))
    >>> endings = Endings(TokenVocabularyIndex(Vocabulary([b"a", b"b", b"aaa", b"</s>"], eos_id=3)).rows, states)
    >>> endings.most, endings.at_most(0), endings.fewest(0), endings.within(0, 4)
    (9, 9, 5, False)
    """

    def __init__(self, rows: VocabularyRows, states: ByteStates) -> None:
        self._rows = rows
        self._begin(states)

    def _begin(self, states: ByteStates) -> None:
        """Begin without knowing anything about a state."""
        self._states, self.n_held = states, 0
        self._after: dict[int, list[int]] = {}
        # What searches have found out about a state: a number of tokens that's enough, and one that's needed at least.
        self._enough: dict[int, float] = {}
        self._needed: dict[int, float] = {}
        self._gave_up: tuple[Any, ...] = ()  # its arguments only: the error would keep its whole traceback alive

    def anew(self, states: ByteStates) -> "Endings":
        """Return the same for what ``ByteStates.anew`` returned; nothing is known about its states."""
        new = copy(self)
        new._begin(states)
        return new

    @cached_property
    def most(self) -> float:
        """A bound for every state; ``inf`` if some byte is no token."""
        return self._states.characters.most_bytes if self.spelled else inf

    @property
    def spelled(self) -> bool:
        """Whether a text can be written byte by byte: each byte that is read, or one like it, is a token."""
        return not self._missing[0]

    @cached_property
    def _missing(self) -> tuple[Classes, Classes]:
        """The classes of characters that can't all be written byte by byte, and those that can't be written at all."""
        alphabet, rows = self._states.alphabet, self._rows
        every = (1 << alphabet.n_character_classes) - 1
        single, known = ({*alphabet.byte_classes[each].tolist()} for each in (rows.single_bytes, rows.all_bytes))
        return every & ~alphabet.written_with(single)[1], every & ~alphabet.written_with(known)[0]

    def at_most(self, number: int) -> float:
        """Return a number of tokens that's enough, as far as we know: one for each byte, or fewer."""
        if number not in self._enough:
            accepts, missing = self._states.is_accepting(number), self._missing[0]
            self._enough[number] = 0 if accepts else self._states.fewest_bytes(number, missing)
        return self._enough[number]

    def enough_after(self, numbers: list[int]) -> float:
        """Return a bound for all of some states, and for the states within the characters that lead to them."""
        # Within a character up to three of its bytes are left, and then what the state after it needs.
        return max(map(self._states.fewest_bytes, numbers)) + 3 if self.spelled else inf

    def at_least(self, number: int) -> float:
        """Return how many tokens are needed at least, as far as we know."""
        if number not in self._needed:
            needed = self._states.fewest_bytes(number, self._missing[1]) / self._rows.longest
            self._needed[number] = needed if needed == inf else ceil(needed)
        return self._needed[number]

    def fewest(self, number: int) -> float:
        """Return the fewest tokens from a state to an accepting one; ``inf`` if none lead there.

        Where a search finds no end, return how many are enough.
        """
        return self._look(number, inf)

    def within(self, number: int, most: int) -> bool:
        """Return whether this many tokens are enough: no if a search gives up, and never yes if there's no way."""
        return self._look(number, most) <= most

    def all_within(self, numbers: Sequence[int], most: int) -> list[bool]:
        """Return ``within`` for each of some states. What is found out fast is found out about all of them first.

        Otherwise one state that takes long could use up the work, and tokens that obviously fit would be left out.

        Raises:
            TooMuchWork: if even that is too much. It's kept, so the next call gets further.
        """
        for width in WIDTHS[:-1]:
            for number in sorted(numbers, key=self.at_most):
                self._search(number, most, width)
        return [self._look(number, most, WIDTHS[-1:]) <= most for number in numbers]

    def allowed(self, number: int, suits: Suits, known: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Return the tokens that lead to states that suit, as ``all_within`` may tell: ``bool[V]``.

        Args:
            known: ``bool[V]``: tokens that are known to; nobody is asked about the states they lead to.

        Raises:
            TooMuchWork: if we know of none, and a search was too much work.
        """
        self._gave_up = ()
        lifted = self._lifted([number])
        transitions = lifted.transitions
        used = np.zeros(len(transitions), bool)
        used[lifted.groups] = True
        spend(2 * len(transitions))
        if known is not None:
            used[lifted.groups[known]] = False
        asked = used[transitions.functions]
        used[transitions.functions[asked]] = suits(transitions.targets[asked].tolist())
        if known is not None:
            used[lifted.groups[known]] = True
        used[0] = False
        allowed: NDArray[np.bool_] = used[lifted.groups]
        if self._gave_up and not allowed.any():
            raise TooMuchWork(*self._gave_up)
        return allowed

    # The search -------------------------------------------------------------------------------------------

    def _look(self, start: int, most: float, widths: Sequence[int | None] = WIDTHS) -> float:
        """Return how many tokens are enough, after a search for at most so many, as far as there's work to spend."""
        try:
            for width in widths:
                self._search(start, most, width)
        except LimitExceeded as error:
            self._gave_up = error.args
        return self.at_most(start)

    def _search(self, start: int, most: float, width: int | None) -> None:
        """Look at what is within reach, a level of tokens at a time, as long as it may beat what we know.

        Args:
            width: go on from so many states of a level, those that need the fewest bytes; None for all of them.
        """
        level, before, steps = [start], {start: start}, 0  # before itself, so that every way has an end
        while level and not self.at_most(start) <= most < inf:
            limit = min(self.at_most(start) - 1, most, FINITE) - steps
            open_states = [number for number in level if self.at_least(number) <= limit][:width]
            targets = self.targets(open_states)
            spend(2 * len(level) + (sum(len(targets[number]) for number in open_states) >> 4))
            found = {each: number for number in open_states for each in targets[number] if each not in before}
            level, steps = sorted(found, key=self.at_most), steps + 1
            before |= found
            # subtle: note it for each state on the way, because there the way must be found again without a search
            for number in level:
                enough, climbed = self.at_most(number) + 1, 0
                while self.at_most(above := before[number]) > enough:
                    self._enough[above] = enough
                    number, enough, climbed = above, enough + 1, climbed + 1
                spend(1 + (climbed >> 1))
            if len(before) > MOST_SEEN:
                return
        if not level and width is None:
            self._needed[start] = max(self.at_least(start), min(self.at_most(start), most + 1))

    def targets(self, numbers: list[int]) -> dict[int, list[int]]:
        """Return the states to which tokens lead from each of some states."""
        unknown = []
        for number in sorted(number for number in numbers if number not in self._after):
            if (few := self._few_targets(number)) is None:
                unknown.append(number)
            else:
                self._after[number] = few
                self.n_held += len(few)
        for at in range(0, len(unknown), TOGETHER):
            block = unknown[at : at + TOGETHER]
            lifted = self._lifted(block)
            sources, targets = transitions_used(lifted)
            spend(len(lifted.transitions.sources) >> 1)
            found: dict[int, list[int]] = {number: [] for number in block}
            for source, target in zip(sources.tolist(), targets.tolist(), strict=True):  # which ascend
                found[source].append(target)
            self._after.update(found)
            self.n_held += len(targets)
        return self._after

    def _few_targets(self, number: int) -> list[int] | None:
        """Return the states to which tokens lead from one state, found node by node; None if many nodes are alive."""
        # If the text is nearly forced, as in the name of a key, this is several times as fast as lifting the state.
        trie, states, found = self._rows.trie, self._states, set[int]()
        first_child, text, class_list = trie.first_child.data, trie.text, states.alphabet.class_list
        nodes = [(0, number)]
        while nodes:
            spend(8 + 2 * len(nodes))
            alive = []
            for above, before in nodes:
                row, first, end = states.row_list(before), first_child[above], first_child[above + 1]
                steps = [row[class_list[byte]] for byte in text[first:end]]
                alive += [pair for pair in enumerate(steps, first) if pair[1] != DEAD]
            if len(alive) > FEW:
                return None
            nodes = alive
            found.update(after for node, after in nodes if self._ends[node])
        return sorted(found)

    @cached_property
    def _ends(self) -> list[bool]:
        """Whether a token ends at each node."""
        trie = self._rows.trie
        ends = np.zeros(len(trie) + 1, bool)
        ends[trie.node_of_token] = True  # tokens that are never text find the last entry
        found: list[bool] = ends.tolist()
        return found

    def _lifted(self, numbers: list[int]) -> Lifted:
        def successors(states: NDArray[np.intp], byte_classes: NDArray[np.intp]) -> NDArray[np.intp]:
            spend(40 + (len(states) >> 3))
            return self._states.successors(states, byte_classes)

        spend(200 + (len(self._rows.trie) >> 4))  # beside its steps
        steps = CountedSteps(self._states.byte_classes, successors)
        return self._rows.functions.lift(self._rows.trie, steps, np.array(numbers))
