"""Lab 07's act: the student's automaton over tokens, whose masks are words of 32 tokens."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.student.show.act import Act, Mask
from labkit.automata.byte_dfa import ByteDfa
from labkit.automata.dfa import Dfa
from labkit.automata.transitions import Lifted
from labkit.checking import check_array
from labs.lab_04_eos_gating.solution import choose, mask_logits
from labs.lab_06_regex_to_dfa.solution import compile_dfa


class Packed(Act):
    """Lab 07: the student's byte automaton, trie, lifting and packed masks. The rest is the references'."""

    @cached_property
    def dfa(self) -> Dfa:
        """The automaton over characters."""
        return compile_dfa(self.scene.pattern)

    @cached_property
    def automaton(self) -> Any:
        """The student's automaton over tokens."""
        automaton = self.own.typed("byte_dfa", ByteDfa, self.dfa)
        index = self.own("TokenVocabularyIndex", self.scene.vocabulary)
        fsm = self.own("compile_token_fsm", self.scene.pattern, index)
        lifted = self.own.typed("lift", Lifted, index.trie, automaton, fsm.states())
        live = lifted.groups[lifted.groups != 0].tolist()
        self.remark = f"{len(live)} of {self.size} tokens are alive in some state; as functions {len(set(live))}"
        fsm.prepare()  # so that the first mask is made by lifting too
        return fsm

    def initial(self) -> int:
        """The automaton's own."""
        return int(self.automaton.initial_state)

    def tell(self, state: int) -> str:
        """Its number, and whether a character is begun in it."""
        n_whole = len(self.dfa)
        if state >= n_whole:
            return f"{state}: {state % n_whole} of 0 to {n_whole - 1}, half a character"
        return f"{state} of 0 to {n_whole - 1}{', accepting' * self.automaton.is_terminal(state)}"

    def words(self, state: int) -> NDArray[np.int32]:
        """The row of the automaton."""
        row = self.automaton.mask(state)
        check_array(row, np.int32, (-(-self.size // 32),), "the mask of TokenFSM")
        return np.asarray(row)

    def legal(self, state: int) -> Mask:
        """The same, a bit for each token.

        Raises:
            AssertionError: if a bit is set that is no token's.
        """
        bits = np.unpackbits(self.words(state).astype("<i4").view(np.uint8), bitorder="little").astype(np.bool_)
        beyond = np.flatnonzero(bits[self.size :])
        last = self.size - 1
        assert not len(beyond), f"the mask has bit {self.size + int(beyond[0])} set, and the last token is {last}"
        return bits[: self.size]

    def masked(self, logits: NDArray[np.float32], mask: Mask) -> NDArray[np.float32]:
        """The logits under the mask."""
        return mask_logits(logits, mask)

    def choose(self, masked: NDArray[np.float32], u: float) -> int:
        """The sampled token."""
        return choose(masked, u)

    def step(self, state: int, token_id: int) -> int:
        """Where the automaton goes with it."""
        return int(self.automaton.next_state(state, token_id))
