"""How each lab's own functions make one step. Each act calls what the lab asks the student to write."""

import json
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from course.theatre.act import Act, Mask
from course.theatre.packed import Packed
from course.theatre.referee import accepts_in, follow, machine_of
from labkit.automata import Dfa, Fsm, Nfa
from labs.lab_04_eos_gating.solution import choose, mask_logits
from labs.lab_06_regex_to_dfa.solution import compile_dfa


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
    """Lab 02: the student's machine, and a walk over every token."""

    @cached_property
    def fsm(self) -> Fsm:
        """The student's own machine; the reference's until ``compile_pattern`` is written."""
        try:
            return self.own.typed("compile_pattern", Fsm, self.scene.pattern)
        except NotImplementedError:
            self.remark = "the machine is the reference's, until compile_pattern is written"
            return machine_of(self.scene.lab, self.scene.pattern)

    def legal(self, state: int) -> Mask:
        """The tokens that the machine survives."""
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
    """Lab 04: EOS is a token like the others. The machine and the table are given."""

    @cached_property
    def prepared(self) -> Any:
        """Machine and table."""
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
    """Lab 05: a token is allowed only if what remains of the budget suffices behind it."""

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


class Place(NamedTuple):
    """What lab 06 remembers: the text, for ``fullmatch`` reads it whole, and the state behind it."""

    text: str
    state: int


class Compiled(Act):
    """Lab 06: the student's compiler, and a walk of its machine over every token. The masking is lab 04's reference."""

    @cached_property
    def machine(self) -> Dfa:
        """The student's own; not minimal until ``minimize_dfa`` is written."""
        nfa = self.own.typed("parse_regex", Nfa, self.scene.pattern)
        dfa = self.own.typed("nfa_to_dfa", Dfa, nfa)
        self.remark = f"an NFA of {len(nfa)} states, a DFA of {len(dfa)}"
        try:
            smallest = self.own.typed("minimize_dfa", Dfa, dfa)
        except NotImplementedError:
            self.remark += "; not minimal until minimize_dfa is written"
            return dfa
        self.remark += f", and of {len(smallest)} when it is minimal"
        return smallest

    def initial(self) -> Place:
        """Nothing is written yet."""
        return Place("", self.machine.initial)

    def tell(self, state: Place) -> str:
        """Its number, of how many."""
        accepting = ", accepting" * accepts_in(self.machine, state.state)
        return f"{state.state} of 0 to {len(self.machine) - 1}{accepting}"

    def legal(self, state: Place) -> Mask:
        """The tokens that the machine survives, and EOS where the student's ``fullmatch`` says so."""
        alive = [bool(text) and follow(self.machine, state.state, text or "") is not None for text in self.texts]
        alive[self.scene.vocabulary.eos_id] = self.own.typed("fullmatch", bool, self.machine, state.text)
        return np.array(alive, dtype=np.bool_)

    def masked(self, logits: NDArray[np.float32], mask: Mask) -> NDArray[np.float32]:
        """The logits under the mask."""
        return mask_logits(logits, mask)

    def choose(self, masked: NDArray[np.float32], u: float) -> int:
        """The sampled token."""
        return choose(masked, u)

    def step(self, state: Place, token_id: int) -> Place | None:
        """A walk over the token's text."""
        text = self.texts[token_id] or ""
        target = follow(self.machine, state.state, text)
        return None if target is None else Place(state.text + text, target)


class Described(Compiled):
    """Lab 08: the student's regular expression of a schema, without white space. The machine is lab 06's reference."""

    @cached_property
    def machine(self) -> Dfa:
        """From the schema to the student's regular expression to a machine."""
        schema = json.loads(self.scene.pattern)
        pattern = self.own.typed("json_schema_to_regex", str, schema, whitespace="compact")
        dfa = compile_dfa(pattern)
        states = f"{len(dfa)} state{'s' if len(dfa) > 1 else ''}"
        self.remark = f"a regular expression of {len(pattern)} characters, a machine of {states}"
        return dfa

    def legal(self, state: Place) -> Mask:
        """The tokens that the machine survives, and EOS where it accepts."""
        alive = [bool(text) and follow(self.machine, state.state, text or "") is not None for text in self.texts]
        alive[self.scene.vocabulary.eos_id] = accepts_in(self.machine, state.state)
        return np.array(alive, dtype=np.bool_)


ACTS: dict[int, type[Act]] = {
    1: Naive,
    2: Walked,
    3: Lifted,
    4: Gated,
    5: Budgeted,
    6: Compiled,
    7: Packed,
    8: Described,
}
