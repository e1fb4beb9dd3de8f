"""What ``python3 -m course show 02`` plays: the student's automaton, and a walk over every token."""

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from labkit.automata import Fsm
from labkit.scenes import CharacterOracle, CountedFsm, FsmSteps, Mask, Oracle, Scene, check_expression, follow
from labkit.scenes.endings import COLOUR, Ending, Function, Line, MakeSteps, by_masks, texts_before


class WalkedSteps(FsmSteps):
    """A state of the student's automaton; each mask walks over every token."""

    @cached_property
    def fsm(self) -> Fsm:
        """The student's own automaton; the reference's until ``compile_pattern`` is written."""
        try:
            return self.typed("compile_pattern", Fsm, self.grammar)
        except NotImplementedError:
            from labs.lab_02_atom_fsm.solution import compile_pattern

            self.remark = "the automaton is the reference's, until compile_pattern is written"
            return compile_pattern(self.grammar)

    def legal(self, state: int) -> Mask:
        """Return the tokens that the automaton survives."""
        return self.array("token_mask", np.bool_, (self.size,), self.fsm, state, self.texts)

    counts = "transitions"

    def counted_mask(self, text: str) -> tuple[Mask, int]:
        """Count the transitions that ``token_mask`` looks up."""
        counted, state = CountedFsm(self.fsm), follow(self.fsm, self.fsm.initial, text)
        return self.array("token_mask", np.bool_, (self.size,), counted.fsm, state, self.texts), counted.lookups

    def step(self, state: int, token_id: int) -> int | None:
        """Walk over the token's text."""
        return self.call("advance", self.fsm, state, self.texts[token_id] or "")  # type: ignore[no-any-return]


def oracle(scene: Scene) -> Oracle:
    """Return the reference's automaton as a judge."""
    from labs.lab_02_atom_fsm.solution import compile_pattern

    check_expression(scene.grammar)
    return CharacterOracle(compile_pattern(scene.grammar), scene.vocabulary, gates_eos=False)


def ending(make_steps: MakeSteps, function: Function) -> Iterator[Line]:
    """Answer a prompt, and show the walk through the automaton."""
    lines: list[Line] = []
    steps, answer = by_masks("Please tell me the hex code of coral. Thanks!", COLOUR, make_steps, lines)
    yield from lines
    state, walk = steps.initial(), str(steps.initial())
    for token_id in answer.ids:
        state = steps.step(state, token_id)
        walk += f" --{steps.texts[token_id]!r}--> {state}"
    yield f"its walk: {walk}", None
    looked_up = sum(steps.counted_mask(text)[1] for text in texts_before(answer.ids))
    yield f"{len(answer.ids)} masks, each from one state: {looked_up:,} transitions looked up", None


SCENE = Scene(
    WalkedSteps,
    oracle,
    judged_by=("lab_02_atom_fsm",),
    eos_note="no mask allows it before lab 04",
    ending=Ending("a state in place of the text so far", ending),
)
