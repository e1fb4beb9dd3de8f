"""What ``python3 -m course show 10`` plays: masks as before, and what is forced after each token."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.errors import TokenNotAllowed
from labkit.scenes import BYTE_VOCABULARY, ByteOracle, Mask, Oracle, Scene, Steps
from labs.assembled import Guide, compile_guide
from labs.lab_04_eos_gating.solution import choose
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_09_inside_an_engine.solution import tokens_of
from labs.lab_10_jump_forward.given.tokens import TokenBytes

_MOST = 64
"""How many bytes of a forced run are looked for."""


class Jumping(Steps):
    """One request, token by token; its state says what an engine would append without a pass."""

    @cached_property
    def guide(self) -> Guide:
        """The guide, as the labs before make it."""
        return compile_guide(self.vocabulary, regex=self.grammar)

    @cached_property
    def tokens(self) -> TokenBytes:
        """The vocabulary by its bytes."""
        return TokenBytes(self.vocabulary)

    def initial(self) -> Any:
        """Return the guide's initial state."""
        self.remark = "what is forced could be written without asking the model"
        return self.guide.initial

    def describe(self, state: Any) -> str:
        """Return the state, what is forced after it, and that in the longest tokens."""
        accepting = ", accepting" * self.guide.is_accepting(state)
        run, ids = self.forced(state)
        if not run:
            return f"{state}{accepting}, nothing is forced"
        return f"{state}, forced: {run.decode(errors='replace')!r} ({len(ids)} tokens)"

    def forced(self, state: Any) -> tuple[bytes, list[int]]:
        """Return the forced run and its longest tokens."""
        run = self.typed("forced_run", bytes, self.guide, state, _MOST)
        return run, self.typed("longest_tokens", list, run, self.tokens) if run else []

    def bitmask(self, state: Any) -> NDArray[np.int32]:
        """Return the guide's bitmask."""
        return self.guide.mask(state)

    def legal(self, state: Any) -> Mask:
        """Return the guide's mask."""
        return np.isin(np.arange(self.size), list(tokens_of(self.guide.mask(state))))

    def masked(self, logits: NDArray[np.float32], mask: Mask) -> NDArray[np.float32]:
        """Return the logits under the mask."""
        return np.where(mask, logits, np.float32(-np.inf))

    def choose(self, masked: NDArray[np.float32], u: float) -> int:
        """Return the sampled token."""
        return choose(masked, u)

    def step(self, state: Any, token_id: int) -> Any:
        """Return the state after the token; None where the guide refuses it."""
        try:
            return self.guide.advance(state, token_id)
        except TokenNotAllowed:
            return None


def oracle(scene: Scene) -> Oracle:
    """Return the reference's automaton over bytes as a judge."""
    from labs.lab_07_bytes_and_vocabularies.solution import byte_dfa

    return ByteOracle(byte_dfa(compile_dfa(scene.grammar)), scene.vocabulary)


SCENE = Scene(
    Jumping,
    oracle,
    judged_by=("lab_06_regex_to_dfa", "lab_07_bytes_and_vocabularies"),
    grammar="0x[0-9a-f]{2},2024é(1|7)",
    vocabulary=BYTE_VOCABULARY,
    max_tokens=12,
)
