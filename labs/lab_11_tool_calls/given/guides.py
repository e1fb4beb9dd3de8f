"""What your ``mask_rows`` works with: a guide that remembers free text, and bitmasks as lists of ids."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from labs.lab_09_inside_an_engine.given.guides import Bitmask, Guide, allowed
from labs.lab_11_tool_calls.given.joining import Joined


class ToolGuide:
    """The guide of a joined automaton (``Guide`` of lab 09). It remembers each step of free text.

    Args:
        guide: through the joined automaton's texts. Its state ``s + size * n`` is state s of the automaton, n > 0
            where some bytes of a character have been read; a negative state is none of the automaton's.
        joined: the automaton, or how many free states it has.
        size: how many states it has; taken from ``joined`` if that is an automaton.

    Attributes:
        after: for a free state and a token, the state after it, once it was asked for.
        listed: for the ``id`` of a bitmask, the bitmask itself, and what ``listed_ids`` said about it.

    A call is a digit and ``>``, after ``<``:

    >>> from labkit.vocabulary import Vocabulary
    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> from labs.lab_11_tool_calls.solution import join
    >>> from mask_engine import guide_of
    >>> joined = join({"<": (compile_dfa("[0-9]>"), 0)})
    >>> guide = ToolGuide(guide_of(Vocabulary.bytes(), joined.dfa), joined)
    >>> guide.is_free(guide.initial), guide.is_free(guide.advance(guide.initial, ord("<")))
    (True, False)
    """

    def __init__(self, guide: Guide, joined: Joined | int, size: int = 0) -> None:
        self.guide = guide
        self.joined = joined
        self.n_free, self.size = (joined, size) if isinstance(joined, int) else (len(joined.held), len(joined.dfa))
        self.after: dict[tuple[Any, int], Any] = {}
        self.listed: dict[int, tuple[Bitmask, NDArray[np.intp], bool]] = {}
        self.mask, self.fill, self.initial = guide.mask, guide.fill, guide.initial
        self.is_accepting, self.tokens_to_accept = guide.is_accepting, guide.tokens_to_accept

    def is_free(self, state: Any) -> bool:
        """Return whether a state is in free text, and not inside a call."""
        return bool(state >= 0 and state % self.size < self.n_free)

    def answer(self) -> Joined:
        """Return the joined automaton, which reads an answer character by character."""
        assert isinstance(self.joined, Joined)  # if it's only how many free states there are, a subclass knows better
        return self.joined

    def advance(self, state: Any, token_id: int) -> Any:
        """Return the state after a token.

        From a free state the guide is asked once for each token, because free text comes back to the same few states.
        Calls have many states that rarely come back, so remembering those would only fill the memory. Errors aren't
        remembered either.
        """
        known = self.after.get((state, token_id))
        if known is None:
            known = self.guide.advance(state, token_id)
            if self.is_free(state):
                self.after[state, token_id] = known
        return known


def listed_ids(guide: ToolGuide, bitmask: Bitmask, vocab_size: int) -> tuple[NDArray[np.intp], bool]:
    """Return the ids that a bitmask allows, or those that it forbids, whichever are fewer; and remember them.

    Free text forbids few tokens, and a call allows few. Guides share equal bitmasks, so each is unpacked once.

    Returns:
        ``intp[n]``, ascending, and whether they are the allowed ones; the forbidden ones if both are equally many.

    In a call, ten digits are allowed; in free text, the bytes are forbidden with which no character begins:

    >>> from labkit.vocabulary import Vocabulary
    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> from labs.lab_11_tool_calls.solution import join
    >>> from mask_engine import guide_of
    >>> joined = join({"<": (compile_dfa("[0-9]>"), 0)})
    >>> guide = ToolGuide(guide_of(Vocabulary.bytes(), joined.dfa), joined)
    >>> states = guide.advance(guide.initial, ord("<")), guide.initial
    >>> [(len(ids), allows) for ids, allows in (listed_ids(guide, guide.mask(state), 257) for state in states)]
    [(10, True), (77, False)]
    """
    # subtle: the bitmask is kept beside its ids, because the id of one that's gone may be given to another
    if id(bitmask) not in guide.listed:
        bits = allowed(bitmask, vocab_size)
        allows = bool(2 * np.count_nonzero(bits) < vocab_size)
        guide.listed[id(bitmask)] = bitmask, np.flatnonzero(bits == allows), allows
    return guide.listed[id(bitmask)][1:]
