"""The acts of labs 06 and 08, whose functions end in an automaton over characters."""

import json
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from course.student.show.act import Act, Mask
from course.student.show.automata import accepts_in, follow
from labkit.automata import Dfa, Nfa
from labs.lab_04_eos_gating.solution import choose, mask_logits
from labs.lab_06_regex_to_dfa.solution import compile_dfa


class Place(NamedTuple):
    """What lab 06 remembers: the text, for ``fullmatch`` reads it whole, and the state after it."""

    text: str
    state: int


class Compiled(Act):
    """Lab 06: the student's compiler, and a walk of its automaton over every token; lab 04's reference masks."""

    @cached_property
    def automaton(self) -> Dfa:
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
        return Place("", self.automaton.initial)

    def tell(self, state: Place) -> str:
        """Its number, of how many."""
        accepting = ", accepting" * accepts_in(self.automaton, state.state)
        return f"{state.state} of 0 to {len(self.automaton) - 1}{accepting}"

    def legal(self, state: Place) -> Mask:
        """The tokens that the automaton survives, and EOS where the student's ``fullmatch`` says so."""
        alive = [bool(text) and follow(self.automaton, state.state, text or "") is not None for text in self.texts]
        alive[self.scene.vocabulary.eos_id] = self.own.typed("fullmatch", bool, self.automaton, state.text)
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
        target = follow(self.automaton, state.state, text)
        return None if target is None else Place(state.text + text, target)


class Described(Compiled):
    """Lab 08: the student's regular expression of a schema, without white space, compiled by lab 06's reference."""

    @cached_property
    def automaton(self) -> Dfa:
        """From the schema to the student's regular expression to an automaton."""
        schema = json.loads(self.scene.pattern)
        pattern = self.own.typed("json_schema_to_regex", str, schema, whitespace="compact")
        dfa = compile_dfa(pattern)
        states = f"{len(dfa)} state{'s' if len(dfa) > 1 else ''}"
        self.remark = f"a regular expression of {len(pattern)} characters, an automaton of {states}"
        return dfa

    def legal(self, state: Place) -> Mask:
        """The tokens that the automaton survives, and EOS where it accepts."""
        alive = [bool(text) and follow(self.automaton, state.state, text or "") is not None for text in self.texts]
        alive[self.scene.vocabulary.eos_id] = accepts_in(self.automaton, state.state)
        return np.array(alive, dtype=np.bool_)
