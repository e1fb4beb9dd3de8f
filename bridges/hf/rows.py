"""The tokens that may come next in each row of a batch of transformers: the processor's logic, in NumPy alone.

At every step a logits processor gets all ids of every row and nothing else: not which request a row belongs to, and
not what happened to it since the last step. Beam search drops, repeats and reorders rows. So a row's state is derived
from its ids. The states of the last call are kept by their ids: a row of one more token is one step away, and any
other is walked from the start.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.errors import NoLegalToken, TokenNotAllowed
from labkit.small_model.generation import Constraint
from labkit.vocabulary import Vocabulary

Ids = NDArray[np.int64]


_PADDING = 1024
"""The most logits beyond the vocabulary: models round its size up, and leave ids free for later tokens."""


class _Ended:
    """The state after EOS, whatever follows: transformers fills finished rows with padding."""


@dataclass(frozen=True)
class _Astray:
    """The state after a token that was not allowed, and its place in the answer."""

    token_id: int
    place: int


_ENDED = _Ended()


class Rows:
    """The constraints of a batch of requests.

    Args:
        vocabulary: the tokens' bytes and EOS.
        constraints: one constraint for all rows; or for each request its own, or None if it may write anything.
        prompt_length: how many ids precede the answers, padding included: ``input_ids.shape[1]`` of the prompts. None
            takes it from the first call of each generation: one whose rows are not those of the last call and a token.
        max_new_tokens: the same number as ``generate`` gets, EOS included, for masks that keep enough of it to finish;
            None for masks that ignore the budget.
        beams: whether rows are beams, so that a row without a legal token is dropped and not an error.

    >>> from mask_engine import compile_guide
    >>> toy = Vocabulary.toy()  # a . .2 1, and EOS
    >>> rows = Rows(toy, [compile_guide(toy, regex="1[.]2"), None], prompt_length=1, max_new_tokens=3)
    >>> rows.allowed(np.array([[0, 3], [0, 3]]), 5).tolist()  # two tokens remain, so ".2" and EOS; the other is free
    [[False, False, True, False, False], [True, True, True, True, True]]
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        constraints: Constraint | Sequence[Constraint | None],
        prompt_length: int | None = None,
        max_new_tokens: int | None = None,
        beams: bool = False,
    ) -> None:
        self._constraints = list(constraints) if isinstance(constraints, Sequence) else [constraints]
        if not self._constraints:
            raise ValueError(
                "there has to be a constraint for each request, or one for all; None is one that allows all"
            )
        if (prompt_length or 0) < 0 or (max_new_tokens is not None and max_new_tokens < 1):
            raise ValueError(f"prompt_length {prompt_length} and max_new_tokens {max_new_tokens} are no such numbers")
        self._vocabulary = vocabulary
        self._learns, self._prompt_length = prompt_length is None, prompt_length or 0
        self._last: Ids | None = None
        self._max_new_tokens = max_new_tokens
        self._beams = beams
        self._known: dict[tuple[int, bytes], Any] = {}

    def allowed(self, ids: Ids, width: int) -> NDArray[np.bool_]:
        """Return which tokens may come next in each row.

        Args:
            ids: ``int64[rows, length]``: prompts and answers so far. The rows of a request are adjacent, as they are
                for beams and ``num_return_sequences``.
            width: how many logits the model gives, the vocabulary's size or more; ids beyond it are never allowed.

        Returns:
            ``bool[rows, width]``. In a row that has ended only EOS is allowed; with beams nothing is.

        Raises:
            ValueError: if the shapes do not fit, or a row has used up ``max_new_tokens`` and has not ended.
            TokenNotAllowed: if a row holds a token that its constraint forbids; with beams the row allows nothing.
            NoLegalToken: if a constraint allows nothing; with beams the row allows nothing.
        """
        if self._learns and not self._continues(ids):
            self._prompt_length = ids.shape[1]
        self._last = ids.copy()
        each = self._rows_of_each(ids, width)
        found: dict[tuple[int, bytes], Any] = {}
        allowed = np.ones((len(ids), width), np.bool_)
        for row, written in enumerate(np.ascontiguousarray(ids[:, self._prompt_length :])):
            number = row // each
            constraint = self._constraints[number]
            if constraint is not None:
                state = found[number, written.tobytes()] = self._state(number, constraint, written)
                allowed[row] = self._row(row, constraint, state, written, width)
        self._known = found
        return allowed

    def _continues(self, ids: Ids) -> bool:
        """Return whether each row is one of the last call's with one more token; beams drop and repeat rows."""
        if self._last is None or ids.shape[1] != self._last.shape[1] + 1:
            return False
        before = {row.tobytes() for row in self._last}
        return all(np.ascontiguousarray(row[:-1]).tobytes() in before for row in ids)

    def _rows_of_each(self, ids: Ids, width: int) -> int:
        """Return how many rows each request has."""
        n_rows, length = len(ids), ids.shape[1]
        if n_rows % len(self._constraints):
            raise ValueError(f"{n_rows} rows for {len(self._constraints)} constraints: each has to have as many rows")
        if length < self._prompt_length:
            raise ValueError(f"rows of {length} ids, and prompt_length is {self._prompt_length}")
        size = len(self._vocabulary)
        if not size <= width <= size + _PADDING:
            raise ValueError(f"{width} logits for a vocabulary of {size} tokens: is it the vocabulary of this model?")
        return n_rows // len(self._constraints)

    def _state(self, number: int, constraint: Constraint, written: Ids) -> Any:
        """Return the state after a row's answer so far."""
        known = self._known
        if (same := (number, written.tobytes())) in known:
            return known[same]
        if len(written) and (before := (number, written[:-1].tobytes())) in known:
            return self._after(constraint, known[before], int(written[-1]), len(written) - 1)
        state = constraint.initial
        for place, token_id in enumerate(written.tolist()):
            state = self._after(constraint, state, token_id, place)
        return state

    def _after(self, constraint: Constraint, state: Any, token_id: int, place: int) -> Any:
        if isinstance(state, (_Ended, _Astray)):
            return state
        try:
            state = constraint.advance(state, token_id)
        except TokenNotAllowed:
            return _Astray(token_id, place)
        return _ENDED if token_id == self._vocabulary.eos_id else state

    def _row(self, row: int, constraint: Constraint, state: Any, written: Ids, width: int) -> NDArray[np.bool_]:
        """Return one row of the mask."""
        allowed = np.zeros(width, np.bool_)
        if isinstance(state, _Astray) and not self._beams:
            raise TokenNotAllowed(state.token_id, self._where(row, state))
        if isinstance(state, _Ended) and not self._beams:
            allowed[self._vocabulary.eos_id] = True
        if isinstance(state, (_Ended, _Astray)):
            return allowed
        words = constraint.mask(state, self._remaining(row, written))
        size = len(self._vocabulary)
        if len(words) != -(-size // 32):
            raise ValueError(f"a mask of {len(words)} words for a vocabulary of {size} tokens: made for another one?")
        allowed[:size] = np.unpackbits(words.view(np.uint8), bitorder="little", count=size)
        if not self._beams and not allowed.any():
            raise NoLegalToken(state, self._vocabulary.decode(written.tolist()))
        return allowed

    def _where(self, row: int, state: _Astray) -> str:
        return (
            f"row {row}, place {state.place} of its answer: prompt_length is {self._prompt_length}; beam search "
            "needs beams=True, and no processor after this one may undo the mask"
        )

    def _remaining(self, row: int, written: Ids) -> int | None:
        if self._max_new_tokens is None:
            return None
        if len(written) >= self._max_new_tokens:
            raise ValueError(
                f"row {row} has {len(written)} new tokens already, and max_new_tokens is {self._max_new_tokens}"
            )
        return self._max_new_tokens - len(written)
