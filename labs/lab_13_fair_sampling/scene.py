"""What ``python3 -m course show 13`` plays: masking, and after each token what the mask has kept of the model."""

import math
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labkit.scenes import CharacterOracle, Mask, Oracle, Scene, Steps, check_expression


class Place(NamedTuple):
    """A state of the automaton, and the logarithm of the product of the masses that the mask has kept."""

    state: int
    log_weight: float


class Weighed(Steps):
    """Lab 04's masks, the student's steps, and the importance weight of the text so far."""

    _asked: tuple[NDArray[np.float32], Mask]
    _kept = 0.0

    @cached_property
    def prepared(self) -> Any:
        """Lab 04's automaton and table."""
        return self.call("lab_04_eos_gating.prepare", self.grammar, self.vocabulary)

    def initial(self) -> Place:
        """Return the automaton's initial state, with the weight 1."""
        self.remark = "the weight is the product of what the mask kept: masking is fair only if all texts have the same"
        return Place(self.prepared[0].initial, 0.0)

    def describe(self, state: Place) -> str:
        """Return the state, and the weight so far."""
        accepting = ", accepting" * (state.state in self.prepared[0].accepting)
        return f"{state.state}{accepting}, weight {math.exp(state.log_weight):.3g}"

    def legal(self, state: Place) -> Mask:
        """Return lab 04's mask."""
        fsm, table = self.prepared
        return self.array(
            "lab_04_eos_gating.mask_row", np.bool_, (self.size,), fsm, table, state.state, self.vocabulary
        )

    def masked(self, logits: NDArray[np.float32], mask: Mask) -> NDArray[np.float32]:
        """Return the logits under the mask, and keep what the step is asked with."""
        self._asked = logits, mask
        return np.where(mask, logits, np.float32(-np.inf))

    def choose(self, masked: NDArray[np.float32], u: float) -> int:
        """Return the student's token, and keep the mass."""
        logits, mask = self._asked
        token, self._kept = self.call("masked_step", lambda ids: logits, lambda ids: mask, [], lambda: u)
        assert token is not None, "masked_step gave no token, though the mask allows some"
        return int(token)

    def step(self, state: Place, token_id: int) -> Place | None:
        """Follow a transition of the table, and multiply the weight."""
        target = self.prepared[1][state.state].get(token_id)
        return None if target is None else Place(target, state.log_weight + self._kept)


def oracle(scene: Scene) -> Oracle:
    """Return lab 02's automaton as a judge."""
    from labs.lab_02_atom_fsm.solution import compile_pattern

    check_expression(scene.grammar)
    return CharacterOracle(compile_pattern(scene.grammar), scene.vocabulary)


SCENE = Scene(Weighed, oracle, judged_by=("lab_02_atom_fsm",), model_name="random")
