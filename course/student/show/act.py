"""What a lab must do for one step: a state, a mask, a choice, the next state."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.student.show.automata import automaton_of
from course.student.show.own import Own
from course.student.show.scene import Scene
from labkit.automata import Fsm

Mask = NDArray[np.bool_]


class Act:
    """What the labs have in common; a state is whatever the lab remembers between steps, None where it is dead."""

    def __init__(self, own: Own, scene: Scene) -> None:
        self.own = own
        self.scene = scene
        self.texts = scene.vocabulary.texts()
        self.size = len(self.texts)
        self.remark = ""

    @cached_property
    def fsm(self) -> Fsm:
        """The automaton that the masks are made from."""
        return automaton_of(self.scene.lab, self.scene.pattern)

    def initial(self) -> Any:
        """The state before the first token."""
        return self.fsm.initial

    def tell(self, state: Any) -> str:
        """A state in words."""
        return f"{state}, accepting" if state in self.fsm.accepting else str(state)

    def distance(self, state: Any) -> float | None:
        """The fewest tokens to an accepting state, where the lab knows it."""
        return None

    def words(self, state: Any) -> NDArray[np.int32] | None:
        """The mask of a state as packed words, where the lab packs it."""
        return None

    def legal(self, state: Any) -> Mask:
        """The mask of a state, before anything but the pattern is asked."""
        raise NotImplementedError

    def affordable(self, state: Any, legal: Mask, remaining: int) -> Mask:
        """What the budget leaves of the mask."""
        return legal

    def masked(self, logits: NDArray[np.float32], mask: Mask) -> NDArray[np.float32]:
        """The logits under the mask."""
        return self.own.array("apply_mask", logits.dtype, logits.shape, logits, mask)

    def choose(self, masked: NDArray[np.float32], u: float) -> int:
        """The token that is emitted."""
        return self.own.token("sample", self.size, self.own("softmax", masked), u)

    def step(self, state: Any, token_id: int) -> Any:
        """The state after a token."""
        raise NotImplementedError
