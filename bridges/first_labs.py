"""Labs 01 to 05 as guides: what you could write before you had an engine can be asked by one, too."""

import re
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np
import regex
from numpy.typing import NDArray

from labkit.errors import TokenNotAllowed
from labkit.vocabulary import Vocabulary
from labs.lab_01_naive_matching.solution import build_mask, could_match
from labs.lab_04_eos_gating.solution import mask_row, prepare
from labs.lab_05_truncation.solution import budget_row, tokens_to_accept
from labs.lab_07_bytes_and_vocabularies.solution import pack_mask
from mask_engine import FINISHED


class FirstGuide:
    """A guide of which only the rows of booleans are missing; lab 09 asks it for its masks.

    Attributes:
        initial: the state before the first token.
    """

    initial: Any

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary

    def row(self, state: Any, remaining: int | None) -> NDArray[np.bool_]:
        """Return which tokens may come next, as ``bool[V]``."""
        raise NotImplementedError

    def after(self, state: Any, token_id: int) -> Any:
        """Return the state after a token that may come."""
        raise NotImplementedError

    def tokens_to_accept(self, state: Any) -> float:
        """Return the fewest tokens to the end of a match, EOS not counted."""
        raise NotImplementedError

    def mask(self, state: Any, remaining: int | None = None) -> NDArray[np.int32]:
        """Return the bitmask of a state, ``int32[ceil(V / 32)]``."""
        row = np.zeros(len(self.vocabulary), np.bool_) if state == FINISHED else self.row(state, remaining)
        return pack_mask(row)

    def fill(self, states: Sequence[Any], out: NDArray[np.int32], remaining: Any = None) -> None:
        """Write the mask of each state into a row."""
        budgets = remaining if isinstance(remaining, Sequence) else [remaining] * len(states)
        for words, state, budget in zip(out, states, budgets, strict=True):
            words[:] = self.mask(state, budget)

    def advance(self, state: Any, token_id: int) -> Any:
        """Return the state after a token.

        Raises:
            TokenNotAllowed: if the mask has no such bit.
        """
        if state == FINISHED or not self.row(state, None)[token_id]:
            raise TokenNotAllowed(token_id, f"the state {state!r}")
        return FINISHED if token_id == self.vocabulary.eos_id else self.after(state, token_id)

    def is_accepting(self, state: Any) -> bool:
        """Return whether EOS may come."""
        return state == FINISHED or bool(self.row(state, None)[self.vocabulary.eos_id])


class Naive(FirstGuide):
    """Lab 01: a state is the text so far, and each mask asks about every token. It knows no budget.

    >>> guide = Naive("1+[.]2", Vocabulary.toy())  # a . .2 1, and EOS
    >>> guide.mask("").tolist(), guide.mask("1").tolist(), guide.mask("1.2").tolist()
    ([8], [14], [16])
    """

    def __init__(self, pattern: str, vocabulary: Vocabulary) -> None:
        super().__init__(vocabulary)
        try:
            could_match(pattern, "")
        except regex.error as error:
            raise ValueError(str(error)) from error
        self.initial, self.pattern, self.texts = "", pattern, vocabulary.texts()
        self._mask = lru_cache(1024)(partial(build_mask, self.texts, viable=partial(could_match, pattern)))

    def row(self, state: str, remaining: int | None) -> NDArray[np.bool_]:
        """Return your ``build_mask``, and EOS where the text matches."""
        row = self._mask(state).copy()
        row[self.vocabulary.eos_id] = re.fullmatch(self.pattern, state) is not None
        return row

    def after(self, state: str, token_id: int) -> str:
        """Return the text with the token's own."""
        return state + (self.texts[token_id] or "")

    def tokens_to_accept(self, state: str) -> float:
        """Return 0: a method that only looks back can't tell."""
        return 0


class Lifted(FirstGuide):
    """Labs 02 to 05: an automaton, its table over the tokens, EOS where it accepts, and a budget.

    >>> guide = Lifted("1+[.]2", Vocabulary.toy())
    >>> guide.mask(guide.initial).tolist(), guide.mask(1).tolist(), guide.mask(1, remaining=2).tolist()
    ([8], [14], [4])
    """

    def __init__(self, pattern: str, vocabulary: Vocabulary) -> None:
        super().__init__(vocabulary)
        self.fsm, self.table = prepare(pattern, vocabulary)
        self.distance = tokens_to_accept(self.table, self.fsm.accepting)
        self.initial = self.fsm.initial

    def row(self, state: int, remaining: int | None) -> NDArray[np.bool_]:
        """Return your ``mask_row``, and of that what your ``budget_row`` keeps."""
        row = mask_row(self.fsm, self.table, state, self.vocabulary)
        return row if remaining is None else budget_row(row, self.table[state], self.distance, remaining)

    def after(self, state: int, token_id: int) -> int:
        """Return what the table says."""
        return self.table[state][token_id]

    def tokens_to_accept(self, state: int) -> float:
        """Return what lab 05's ``tokens_to_accept`` has found."""
        return float(self.distance[state])
