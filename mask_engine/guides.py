"""What an engine asks at each step of a generation, whatever the texts are: a pattern's, a schema's or a grammar's."""

from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import DEAD
from labkit.errors import TokenNotAllowed
from labkit.vocabulary import Vocabulary
from mask_engine.held import HeldStates

State = Any
"""A state of a guide. Only ``FINISHED`` has a meaning outside."""

FINISHED: State = -2
"""The state after EOS: the text is whole, and no token may follow."""


class Guide:
    """What an engine asks at each step of a generation: which tokens may come next, and where one leads.

    A guide serves any number of requests at a time: each request holds a state of its own, an int. A guide that has
    made too much forgets some of it, and makes it again when it's needed. So no text is refused because of another.

    Attributes:
        initial: the state before the first token.

    >>> from mask_engine import compile_guide
    >>> guide = compile_guide(Vocabulary.toy(), regex="[0-9]*[.][0-9]+")  # the tokens a . .2 1, and EOS
    >>> guide.tokens_to_accept(guide.initial)  # ".2" is a whole number already
    1
    >>> state = guide.advance(guide.advance(guide.initial, 3), 2)  # "1" and ".2"
    >>> guide.is_accepting(state), guide.mask(state).tolist()  # next comes "1" or EOS, bits 3 and 4
    (True, [24])
    >>> guide.mask(guide.advance(state, 4)).tolist()  # nothing after EOS
    [0]
    """

    def __init__(self, fsm: HeldStates, vocabulary: Vocabulary) -> None:
        self._fsm = fsm
        self._eos_id = vocabulary.eos_id
        self._n_words = -(-len(vocabulary) // 32)
        self._nothing: NDArray[np.int32] = np.zeros(self._n_words, np.int32)
        self._nothing.flags.writeable = False
        self.initial: State = fsm.initial_state

    def mask(self, state: State, remaining: int | None = None) -> NDArray[np.int32]:
        """Return the tokens that may come next, as a bitmask.

        Args:
            remaining: how many tokens may still be emitted, this one and EOS included, at least 1; None for no limit.

        Returns:
            ``int32[ceil(V / 32)]``, shared and read-only: bit t % 32 of word t // 32 is token t. EOS is allowed where
            the state accepts. In the finished state no bit is set. Within a budget a token is allowed only if
            the rest of the budget suffices after it for a match and EOS.

        Raises:
            ValueError: if there is no such state, or ``remaining`` is less than 1.

        >>> from mask_engine import compile_guide
        >>> guide = compile_guide(Vocabulary.toy(), regex="1|a1")
        >>> guide.mask(0).tolist(), guide.mask(0, remaining=2).tolist()  # "a", bit 0, would need "1" and EOS as well
        ([9], [8])
        """
        return self._nothing if state == FINISHED else self._fsm.mask(state, remaining)

    def fill(
        self, states: Sequence[State], out: NDArray[np.int32], remaining: int | Sequence[int | None] | None = None
    ) -> None:
        """Write the mask of each state into a row of a batch.

        Args:
            states: one for each row.
            out: ``int32[batch, ceil(V / 32)]``, overwritten.
            remaining: see ``mask``; one for all rows, or one for each.

        Raises:
            ValueError: if ``out`` has another dtype or shape, or ``remaining`` does not have one entry for each row.

        >>> from mask_engine import compile_guide
        >>> out = np.zeros((2, 1), np.int32)
        >>> compile_guide(Vocabulary.toy(), regex="1|a1").fill([0, FINISHED], out)  # one begins, the other is done
        >>> out.tolist()
        [[9], [0]]
        """
        if out.dtype != np.int32 or out.shape != (len(states), self._n_words):
            wanted = f"int32[{len(states)}, {self._n_words}]"
            raise ValueError(f"out must be {wanted} for {len(states)} states; it is {out.dtype}{list(out.shape)}")
        if isinstance(remaining, Sequence) and len(remaining) == len(states):
            ample = self._fsm.ample
            remaining = None if all(each is None or each >= ample for each in remaining) else remaining
        if remaining is None:  # as long as no budget is near its end: one gather
            self._fsm.fill([DEAD if state == FINISHED else state for state in states], out)
            return
        budgets = repeat(remaining, len(states)) if isinstance(remaining, int) else remaining
        for row, state, budget in zip(out, states, budgets, strict=True):
            row[:] = self.mask(state, budget)

    def prepare(self, progress: Callable[[int, int], object] | None = None) -> None:
        """Make the masks of all states now, rather than each when it's first needed.

        Args:
            progress: called after each state with how many are done, and how many there are.

        >>> from mask_engine import compile_guide
        >>> compile_guide(Vocabulary.toy(), regex="1+").prepare(print)
        1 2
        2 2
        """
        self._fsm.prepare(progress)

    def advance(self, state: State, token_id: int) -> State:
        """Return the state after a token; after EOS it is ``FINISHED``.

        Raises:
            TokenNotAllowed: if the token may not come next: where the mask has no bit, or the vocabulary has no
                such id.

        >>> from mask_engine import compile_guide
        >>> compile_guide(Vocabulary.toy(), regex="1").advance(0, 4)  # EOS, where there's no 1 yet
        Traceback (most recent call last):
        labkit.errors.TokenNotAllowed: token 4 is not allowed in state 0
        """
        if (after := self._fsm.steps.get((state, token_id))) is not None:  # a step that was taken before
            return after
        if state == FINISHED:
            raise TokenNotAllowed(token_id, "the finished state, after EOS")
        if token_id == self._eos_id and self._fsm.is_terminal(state):
            return FINISHED
        return self._fsm.next_state(state, token_id)

    def is_accepting(self, state: State) -> bool:
        """Return whether the text so far is a whole match; in the finished state it is.

        >>> from mask_engine import compile_guide
        >>> [compile_guide(Vocabulary.toy(), regex=regex).is_accepting(0) for regex in ("1*", "1+")]  # no text yet
        [True, False]
        """
        accepts = self._fsm.accepts.get(state)  # it's asked after each token
        return state == FINISHED or self._fsm.is_terminal(state) if accepts is None else accepts

    def tokens_to_accept(self, state: State) -> int | float:
        """Return the fewest tokens to an accepting state, EOS not counted.

        It's exact if a search of a few thousand states finds it. Otherwise it's the number of bytes, an upper bound.

        Returns:
            An int; ``inf`` where no sequence of tokens leads to an accepting state.

        >>> from mask_engine import compile_guide
        >>> compile_guide(Vocabulary.toy(), regex="a1|b").tokens_to_accept(0)  # no token of a . .2 1 can write the b
        2
        """
        fewest = 0.0 if state == FINISHED else self._fsm.tokens_to_accept(state)
        return fewest if fewest == np.inf else int(fewest)

    # Byte by byte, for lab 10 --------------------------------------------------------------------------------

    def next_bytes(self, state: State) -> bytes:
        """Return the bytes that may come next, ascending: after each of them a match is possible.

        >>> from mask_engine import compile_guide
        >>> guide = compile_guide(Vocabulary.toy(), regex="a1|aé")
        >>> guide.next_bytes(guide.initial), guide.next_bytes(guide.after_byte(guide.initial, ord("a")))  # é is C3 A9
        (b'a', b'1\\xc3')
        """
        return b"" if state == FINISHED else self._fsm.next_bytes(state)

    def after_byte(self, state: State, byte: int) -> State:
        """Return the state after one of the bytes that ``next_bytes`` names.

        >>> from mask_engine import compile_guide
        >>> guide = compile_guide(Vocabulary.toy(), regex="yes|no")
        >>> guide.next_bytes(guide.after_byte(guide.initial, ord("y")))
        b'e'
        """
        return self._fsm.after_byte(state, byte)

    def is_whole(self, state: State) -> bool:
        """Return whether the bytes so far are whole characters.

        >>> from mask_engine import compile_guide
        >>> guide = compile_guide(Vocabulary.toy(), regex="é")
        >>> guide.is_whole(guide.initial), guide.is_whole(guide.after_byte(guide.initial, 0xC3))
        (True, False)
        """
        return bool(state == FINISHED or self._fsm.is_whole(state))

    # Where a state is ---------------------------------------------------------------------------------------

    def places(self, state: State) -> list[int]:
        """Return where in the automaton that is the whole tree a state is; see ``LazyDfa.places``."""
        return self._fsm.places(state)

    def open_rules(self, state: State) -> list[str]:
        """Return the rules on a stack of a state, the outermost first; none if the texts need no stack.

        If the text can be read in several ways, this is one stack of several.

        >>> from mask_engine import compile_guide
        >>> brackets = Vocabulary([b"[", b"]", b"]]", b"</s>"], eos_id=3)
        >>> guide = compile_guide(brackets, grammar='root ::= "[" root? "]"')
        >>> twice = guide.advance(guide.advance(guide.initial, 0), 0)
        >>> guide.open_rules(twice), guide.mask(twice).tolist()
        (['root', 'root'], [7])
        """
        return [] if state == FINISHED else self._fsm.open_rules(state)
