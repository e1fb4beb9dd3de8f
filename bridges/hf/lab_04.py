"""Your lab 04 as a constraint: the table of lab 03 and your mask rows."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from labkit.automata import Fsm
from labkit.errors import TokenNotAllowed
from labkit.vocabulary import Vocabulary

Table = tuple[dict[int, int], ...]


class Lab04(Protocol):
    """A module of lab 04: your starter, or the reference."""

    def prepare(self, pattern: str, vocabulary: Vocabulary, /) -> tuple[Fsm, Table]:
        """Return the automaton of a pattern, and its table."""

    def mask_rows(self, fsm: Fsm, table: Table, vocabulary: Vocabulary, /) -> NDArray[np.bool_]:
        """Return, as ``bool[S, V]``, which tokens may come in each state."""


class MaskRows:
    """A pattern of lab 02's language, under the mask rows of a module of lab 04.

    Args:
        lab: the module. Its `mask_logits` can be given to the logits processor.

    Raises:
        ValueError: if the rows are not ``bool[S, V]``.

    >>> from labs.lab_04_eos_gating import solution as lab_04
    >>> rows = MaskRows(lab_04, "1+[.]2", Vocabulary.toy())  # a . .2 1, and EOS: first "1", then "." or ".2" too
    >>> rows.mask(rows.initial).tolist(), rows.mask(rows.advance(rows.initial, 3)).tolist()
    ([8], [14])
    """

    ENDED = -1
    """The state after EOS."""

    def __init__(self, lab: Lab04, pattern: str, vocabulary: Vocabulary) -> None:
        fsm, self._table = lab.prepare(pattern, vocabulary)
        rows = np.asarray(lab.mask_rows(fsm, self._table, vocabulary))
        wanted = (len(fsm), len(vocabulary))
        if rows.dtype != np.bool_ or rows.shape != wanted:
            raise ValueError(f"mask_rows has to give bool{list(wanted)} here; it gave {rows.dtype}{list(rows.shape)}")
        self._words = packed(rows)
        self._eos_id = vocabulary.eos_id
        self.initial: int = fsm.initial

    def mask(self, state: int, remaining: int | None = None) -> NDArray[np.int32]:
        """Return the mask of a state as a bitmask: bit t % 32 of word t // 32 is token t.

        Raises:
            ValueError: if there is a budget: lab 04 has one mask for each state, whatever remains.
        """
        if remaining is not None:
            raise ValueError("the rows of lab 04 know no budget: leave max_new_tokens out, or take a guide (lab 05)")
        words: NDArray[np.int32] = self._words[state]
        return words

    def advance(self, state: int, token_id: int) -> int:
        """Return the state after a token.

        Raises:
            TokenNotAllowed: if the state's mask forbids the token, or its table has no entry for it.
        """
        if state != self.ENDED and self._words[state, token_id // 32] >> (token_id % 32) & 1:
            if token_id == self._eos_id:
                return self.ENDED
            if token_id in self._table[state]:
                return self._table[state][token_id]
        raise TokenNotAllowed(token_id, f"state {state}")


def packed(rows: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Pack ``bool[S, V]`` into ``int32[S, ceil(V / 32)]``.

    >>> packed(np.array([[True, False, True], [False, False, False]])).tolist()
    [[5], [0]]
    """
    words = np.zeros((len(rows), -(-rows.shape[1] // 32) * 4), np.uint8)
    octets = np.packbits(rows, axis=1, bitorder="little")
    words[:, : octets.shape[1]] = octets
    return words.view("<i4").astype(np.int32)
