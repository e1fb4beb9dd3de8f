"""What ``python3 -m course show 09`` plays: one request of a batch, with two neighbours, by the student's functions."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.errors import TokenNotAllowed
from labkit.scenes import BYTE_VOCABULARY, ByteOracle, Mask, Oracle, Scene, Steps
from labs.assembled import Guide, compile_guide
from labs.lab_04_eos_gating.solution import choose
from labs.lab_06_regex_to_dfa.solution import compile_dfa


class InABatch(Steps):
    """Row 0 of a batch of three; row 1 has no constraint, row 2 the same guide and a state of its own."""

    @cached_property
    def guide(self) -> Guide:
        """The guide, as the labs before make it; rows 0 and 2 share it."""
        return compile_guide(self.vocabulary, regex=self.grammar)

    @cached_property
    def neighbour(self) -> Any:
        """The state of row 2, which goes its own way."""
        return self.call("StructuredOutputState", self.guide)

    def initial(self) -> Any:
        """Return a state at the start of the guide."""
        self.remark = "row 0 of three; row 1 has no constraint, row 2 the same guide"
        return self.call("StructuredOutputState", self.guide)

    def describe(self, state: Any) -> str:
        """Return the guide's state in this row and in row 2, and whether an engine would stop here."""
        accepting = ", accepting" * self.guide.is_accepting(state.current)
        stops = ", finished without EOS" * bool(self.call("is_finished", state))
        return f"{state.current}{accepting}{stops} · row 2: {self.neighbour.current}"

    def bitmask(self, state: Any) -> NDArray[np.int32]:
        """Return the guide's bitmask for this row."""
        return self.guide.mask(state.current)

    def legal(self, state: Any) -> Mask:
        """Return what ``mask_batch`` leaves of row 0.

        Raises:
            AssertionError: if it touches the row without a constraint.
        """
        batch = np.zeros((3, self.size), np.float32)
        self.call("mask_batch", [state, None, self.neighbour], batch)
        assert not batch[1].any(), "mask_batch changed row 1, which has no constraint"
        ids = np.flatnonzero((batch[2] == 0) & (np.arange(self.size) != self.vocabulary.eos_id))
        if len(ids):  # row 2 takes the last token that it may
            self.call("advance_state", self.neighbour, int(ids[-1]))
        return np.asarray(batch[0] == 0)

    def masked(self, logits: NDArray[np.float32], mask: Mask) -> NDArray[np.float32]:
        """Return the logits under the mask."""
        return np.where(mask, logits, np.float32(-np.inf))

    def choose(self, masked: NDArray[np.float32], u: float) -> int:
        """Return the sampled token."""
        return choose(masked, u)

    def step(self, state: Any, token_id: int) -> Any:
        """Return a state after the token; None where the guide refuses it."""
        moved = self.call("StructuredOutputState", self.guide, state.current)
        try:
            self.call("advance_state", moved, token_id)
        except TokenNotAllowed:
            return None
        return moved


def oracle(scene: Scene) -> Oracle:
    """Return the reference's automaton over bytes as a judge."""
    from labs.lab_07_bytes_and_vocabularies.solution import byte_dfa

    return ByteOracle(byte_dfa(compile_dfa(scene.grammar)), scene.vocabulary)


SCENE = Scene(
    InABatch,
    oracle,
    judged_by=("lab_06_regex_to_dfa", "lab_07_bytes_and_vocabularies"),
    vocabulary=BYTE_VOCABULARY,
)
