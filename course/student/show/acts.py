"""How the functions of labs 01 to 05 make one step. Each act calls what the lab asks the student to write."""

from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.student.show.act import Act, Mask
from course.student.show.automata import automaton_of
from labkit.automata import Fsm


class Naive(Act):
    """Lab 01: the text so far is all the state there is."""

    def initial(self) -> str:
        """Nothing is written yet."""
        return ""

    def tell(self, state: str) -> str:
        """No number yet."""
        return "none: lab 01 reads the whole text again"

    def legal(self, state: str) -> Mask:
        """One question for each token."""
        viable = partial(self.own.function("could_match"), self.scene.pattern)
        return self.own.array("build_mask", np.bool_, (self.size,), self.texts, state, viable)

    def step(self, state: str, token_id: int) -> str:
        """The longer text."""
        return state + (self.texts[token_id] or "")


class Walked(Act):
    """Lab 02: the student's automaton, and a walk over every token."""

    @cached_property
    def fsm(self) -> Fsm:
        """The student's own machine; the reference's until ``compile_pattern`` is written."""
        try:
            return self.own.typed("compile_pattern", Fsm, self.scene.pattern)
        except NotImplementedError:
            self.remark = "the automaton is the reference's, until compile_pattern is written"
            return automaton_of(self.scene.lab, self.scene.pattern)

    def legal(self, state: int) -> Mask:
        """The tokens that the automaton survives."""
        return self.own.array("token_mask", np.bool_, (self.size,), self.fsm, state, self.texts)

    def step(self, state: int, token_id: int) -> int | None:
        """A walk over the token's text."""
        return self.own("advance", self.fsm, state, self.texts[token_id] or "")  # type: ignore[no-any-return]


class Lifted(Act):
    """Lab 03: a table for all states, made once from a trie."""

    @cached_property
    def table(self) -> Any:
        """The student's own."""
        return self.own("lift", self.fsm, self.own("build_trie", self.texts))

    def legal(self, state: int) -> Mask:
        """A row of the table."""
        return self.own.array("row_mask", np.bool_, (self.size,), self.table[state], self.size)

    def step(self, state: int, token_id: int) -> int | None:
        """An arrow of the table."""
        return self.table[state].get(token_id)  # type: ignore[no-any-return]


class Gated(Lifted):
    """Lab 04: EOS is a token like the others. The automaton and the table are given."""

    @cached_property
    def prepared(self) -> Any:
        """Automaton and table."""
        return self.own("prepare", self.scene.pattern, self.scene.vocabulary)

    @cached_property
    def fsm(self) -> Fsm:
        """As the lab prepares it."""
        return self.prepared[0]  # type: ignore[no-any-return]

    @cached_property
    def table(self) -> Any:
        """As the lab prepares it."""
        return self.prepared[1]

    def legal(self, state: int) -> Mask:
        """A mask row, EOS in it."""
        given = (self.fsm, self.table, state, self.scene.vocabulary)
        return self.own.array("mask_row", np.bool_, (self.size,), *given)

    def masked(self, logits: NDArray[np.float32], mask: Mask) -> NDArray[np.float32]:
        """The logits under the mask; never all of them struck."""
        return self.own.array("mask_logits", logits.dtype, logits.shape, logits, mask)

    def choose(self, masked: NDArray[np.float32], u: float) -> int:
        """The sampled token."""
        return self.own.token("choose", self.size, masked, u)


class Budgeted(Gated):
    """Lab 05: a token is allowed only if what remains of the budget suffices after it."""

    @cached_property
    def distances(self) -> NDArray[np.float64]:
        """For each state the fewest tokens to an accepting one."""
        shape = (len(self.table),)
        return self.own.array("tokens_to_accept", np.float64, shape, self.table, self.fsm.accepting)

    def distance(self, state: int) -> float:
        """Of this state."""
        return float(self.distances[state])

    def affordable(self, state: int, legal: Mask, remaining: int) -> Mask:
        """The budget's row."""
        given = (legal.copy(), self.table[state], self.distances, remaining)
        return self.own.array("budget_row", np.bool_, (self.size,), *given)
