"""What ``python3 -m course show 06`` plays: the student's compiler, and a walk of its automaton over every token."""

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from labkit.automata import Dfa, Nfa
from labkit.pictures import Svg
from labkit.scenes import CharacterOracle, DfaSteps, Mask, Oracle, Scene, Walked
from labkit.scenes.automata import walked_svg
from labkit.scenes.endings import Ending, Function, Line, MakeSteps, by_masks


class Compiled(DfaSteps):
    """The student's regular expressions; lab 04's masked logits and choice."""

    @cached_property
    def automaton(self) -> Dfa:
        """The student's own automaton; not minimal until ``minimize_dfa`` is written."""
        nfa = self.typed("parse_regex", Nfa, self.grammar)
        dfa = self.typed("nfa_to_dfa", Dfa, nfa)
        self.remark = f"an NFA of {len(nfa)} states, a DFA of {len(dfa)}"
        try:
            smallest = self.typed("minimize_dfa", Dfa, dfa)
        except NotImplementedError:
            self.remark += "; not minimal until minimize_dfa is written"
            return dfa
        self.remark += f", and of {len(smallest)} when it is minimal"
        return smallest

    def may_end(self, state: Walked) -> bool:
        """Ask ``fullmatch``, which reads the whole text by the student's automaton."""
        return self.typed("fullmatch", bool, self.automaton, state.text)

    def masked(self, logits: NDArray[np.float32], mask: Mask) -> NDArray[np.float32]:
        """Return the logits under the mask."""
        return self.array("lab_04_eos_gating.mask_logits", logits.dtype, logits.shape, logits, mask)

    def choose(self, masked: NDArray[np.float32], u: float) -> int:
        """Return the sampled token."""
        return self.token("lab_04_eos_gating.choose", masked, u)


def oracle(scene: Scene) -> Oracle:
    """Return the reference's automaton as a judge."""
    from labs.lab_06_regex_to_dfa.solution import compile_dfa

    return CharacterOracle(compile_dfa(scene.grammar), scene.vocabulary)


def ending(make_steps: MakeSteps, function: Function) -> Iterator[Line | Svg]:
    """Answer with a date, which takes alternation and groups; show what became of the expression."""
    lines: list[Line] = []
    steps, answer = by_masks("Please write 2 July 2032 as an ISO date. Thanks!", DATE, make_steps, lines)
    yield from lines
    yield f"{DATE}: {steps.remark}", None
    automaton, _ = steps.drawn(steps.initial()) or (None, 0)
    yield from walked_svg(automaton, [steps.texts[token_id] or "" for token_id in answer.ids])


DATE = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
"""No 13th month, and no 32nd day."""


SCENE = Scene(
    Compiled,
    oracle,
    judged_by=("lab_06_regex_to_dfa",),
    grammar=r"\d+\.\d*|\d*\.\d+",
    ending=Ending("any regular expression, compiled", ending),
)
