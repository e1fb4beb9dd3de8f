"""States to hold on to: a guide forgets what it has made, and a text that's half written goes on all the same.

An automaton that's made on demand would grow for as long as anybody asks it something new. So when it's full, we begin
a new one, and take along only the states that texts still hold, as RE2 does when the cache of its automaton is full.
There they have other numbers. A text doesn't notice, since what it holds is a ``State``, which knows today's number.
"""

from collections.abc import Callable, Sequence
from typing import Any, Self
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import DEAD
from labkit.errors import TokenNotAllowed
from labs.lab_07_bytes_and_vocabularies.given.functions import Words
from labs.lab_07_bytes_and_vocabularies.given.on_demand.fsm import Progress, TokenStates

MOST_STEPS = 1 << 16
"""How many steps by tokens we keep before we forget them, and the states that only they hold."""


class Place:
    """Today's number of a state, and the name that its holders know it by. It lives as long as they do."""

    # Python doesn't tell when the last holder of an int is gone. Of an object like this one it does.

    __slots__ = ("__weakref__", "name", "number")

    def __init__(self, name: int, number: int) -> None:
        self.name, self.number = name, number


class State(int):
    """A state that somebody holds: an int that never stands for another state of the same guide.

    >>> one, other = (State.at(Place(7, 3)) for _ in range(2))
    >>> one == other == 7, one.place.number
    (True, 3)
    """

    place: Place

    @classmethod
    def at(cls, place: Place) -> Self:
        """Return the state at a place."""
        state = cls(place.name)
        state.place = place
        return state

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


class HeldStates:
    """The states of an automaton over tokens, for as long as somebody holds them: what a guide is made of.

    Args:
        fsm: the automaton. Nobody else may make it forget.

    Attributes:
        steps: the state after each token, for steps that were taken before.
        accepts: whether a state accepts, for those that somebody has asked about.

    >>> from labkit.vocabulary import Vocabulary
    >>> from mask_engine.patterns.lazy import LazyDfa
    >>> from labs.lab_06_regex_to_dfa.solution import parse_tree
    >>> from labs.lab_07_bytes_and_vocabularies.solution import TokenFSM, TokenVocabularyIndex
    >>> held = HeldStates(TokenFSM(LazyDfa(parse_tree("1+.")), TokenVocabularyIndex(Vocabulary.toy())))
    >>> state = held.next_state(held.initial_state, 3)
    >>> held.forget()  # what nobody holds; we hold the state after "1"
    >>> held.mask(state).tolist()  # the dot is any character: a, . or 1, but not .2
    [11]
    """

    def __init__(self, fsm: TokenStates) -> None:
        self.fsm = fsm
        self._n_names = 0  # those that were given before we last forgot
        self._places: WeakValueDictionary[int, Place] = WeakValueDictionary()
        self.steps, self.accepts = dict[tuple[int, int], int](), dict[int, bool]()
        self.initial_state = self._held(fsm.initial_state)

    def _held(self, number: int) -> int:
        """Return the state with a number. It's held until all that were returned are gone."""
        if number < self.fsm.n_own:
            return number
        if (place := self._places.get(number)) is None:
            place = self._places[number] = Place(self._n_names + number, number)
        return State.at(place)

    def _number(self, state: int) -> int:
        """Return the number of a state today.

        Raises:
            ValueError: if nobody holds such a state.
        """
        if type(state) is State:
            return state.place.number
        if state < self.fsm.n_own or not self._n_names:
            return state
        for place in [*self._places.values()]:  # a plain int that's equal to a state
            if place.name == state:
                return place.number
        raise ValueError(f"state {state} is none that anybody holds")

    def _asked(self, state: int) -> int:
        """Return the number of a state that a question is about. Before we answer, we may forget the others."""
        if self.fsm.is_full:
            self.forget()
        return self._number(state)

    def forget(self) -> None:
        """Forget everything but the states that somebody holds, which get new numbers. Their names stay."""
        self.steps.clear()
        self.accepts.clear()
        places = [*self._places.values()]
        self._n_names = max([self._n_names, *(place.name for place in places)]) + 1
        numbers = self.fsm.forget([place.number for place in places])
        for place, number in zip(places, numbers, strict=True):
            place.number = number
        self._places = WeakValueDictionary(zip(numbers, places, strict=True))

    # Questions ------------------------------------------------------------------------------------------------

    def mask(self, state: int, remaining: int | None = None) -> Words:
        """Return the packed mask of a state; see ``TokenStates.mask``."""
        number = self._number(state)
        if number in self.fsm.places and remaining is None:  # nothing has to be made
            return self.fsm.mask(number)
        return self.fsm.mask(self._asked(state), remaining)

    def fill(self, states: Sequence[int], out: NDArray[np.int32]) -> None:
        """Write the mask of each state into a row of a batch."""
        held: Sequence[Any] = states
        try:
            numbers = [state.place.number for state in held]
        except AttributeError:  # some are plain ints
            numbers = [*map(self._number, states)]
        if not self.fsm.gather(numbers, out):
            for row, state in zip(out, states, strict=True):
                row[:] = self.mask(state)

    def mask_of(self, state: int, suits: Callable[[list[int]], list[bool]]) -> Words:
        """Return the packed mask of the tokens that lead to states that suit, and EOS where the state accepts."""
        return self.fsm.mask_of(self._asked(state), lambda numbers: suits([*map(self._held, numbers)]))

    def next_state(self, state: int, token_id: int) -> int:
        """Return the state after a token, and note the step.

        Raises:
            TokenNotAllowed: if the token may not come next.
        """
        try:
            after = self._held(self.fsm.next_state(self._asked(state), token_id))
        except TokenNotAllowed:
            raise TokenNotAllowed(token_id, f"state {int(state)}") from None
        if len(self.steps) >= MOST_STEPS:
            self.steps.clear()
        self.steps[state, token_id] = after
        return after

    def is_terminal(self, state: int) -> bool:
        """Return whether the text so far is a whole match, and remember the answer."""
        if len(self.accepts) >= MOST_STEPS:
            self.accepts.clear()
        accepts = self.accepts[state] = self.fsm.is_terminal(self._number(state))
        return accepts

    def tokens_to_accept(self, state: int) -> float:
        """Return the fewest tokens to an accepting state; see ``TokenStates.tokens_to_accept``."""
        return self.fsm.tokens_to_accept(self._asked(state))

    def within(self, state: int, most: int) -> bool:
        """Return whether so many tokens are enough to reach an accepting state. It may be asked within ``mask_of``."""
        return self.fsm.endings.within(self._number(state), most)

    def targets(self, state: int) -> list[int]:
        """Return the states to which tokens lead."""
        number = self._asked(state)
        return [*map(self._held, self.fsm.endings.targets([number])[number])]

    def next_bytes(self, state: int) -> bytes:
        """Return the bytes that may come next, ascending."""
        return self.fsm.next_bytes(self._asked(state))

    def after_byte(self, state: int, byte: int) -> int:
        """Return the state after one of these bytes.

        Raises:
            KeyError: if the byte may not come next.
        """
        after = self.fsm.after_byte(self._asked(state), byte)
        if after == DEAD:
            raise KeyError(byte)
        return self._held(after)

    def is_whole(self, state: int) -> bool:
        """Return whether the bytes so far are whole characters."""
        return self.fsm.is_whole(self._number(state))

    def places(self, state: int) -> list[int]:
        """Return where in the automaton that is the whole tree a state is; see ``LazyDfa.places``."""
        characters: Any = self.fsm.characters
        found: list[int] = characters.places(self.fsm.character_state(self._number(state)))
        return found

    def open_rules(self, state: int) -> list[str]:
        """Return the rules on a stack of a state, the outermost first; none if there are no stacks."""
        return self.fsm.open_rules(self._number(state))

    @property
    def ample(self) -> float:
        """A budget of this many tokens changes no mask."""
        return self.fsm.ample

    def prepare(self, progress: Progress | None = None) -> None:
        """Make the masks of all states now; see ``TokenStates.prepare``."""
        self.fsm.prepare(progress)
