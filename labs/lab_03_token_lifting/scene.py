"""What ``python3 -m course show 03`` plays: a table for all states, made once from a trie."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from labkit.automata import Fsm, decimal_fsm
from labkit.scenes import CharacterOracle, CountedFsm, FsmSteps, Mask, Oracle, Scene, check_expression, follow
from labkit.scenes.endings import COLOUR, Ending, Function, Line, MakeSteps, by_masks

GIVEN = r"([0-9]+)?\.[0-9]+"
"""The pattern whose automaton this lab has by hand; lab 02's language cannot say it."""


def automaton_of(pattern: str) -> Fsm:
    """Return the automaton that the oracle judges by."""
    if pattern == GIVEN:
        return decimal_fsm()
    from labs.lab_02_atom_fsm.solution import compile_pattern

    return compile_pattern(pattern)


class LiftedSteps(FsmSteps):
    """A state of the given automaton; each mask is a row of the student's table."""

    @cached_property
    def fsm(self) -> Fsm:
        """The given automaton, or lab 02's of another pattern."""
        if self.grammar == GIVEN:
            return decimal_fsm()
        return self.typed("lab_02_atom_fsm.compile_pattern", Fsm, self.grammar)

    @cached_property
    def table(self) -> Any:
        """The student's own table: from the trie, and before that is written, the first one."""
        try:
            return self.call("lift", self.fsm, self.call("build_trie", self.texts))
        except NotImplementedError:
            return self.call("states_to_vocab", self.fsm, self.texts)

    def legal(self, state: int) -> Mask:
        """Return a row of the table as a mask."""
        return self.array("row_mask", np.bool_, (self.size,), self.table[state], self.size)

    counts = "transitions"

    def counted_mask(self, text: str) -> tuple[Mask, int]:
        """Count the transitions that ``walk_trie`` looks up for one row of the table."""
        counted, state = CountedFsm(self.fsm), follow(self.fsm, self.fsm.initial, text)
        row = self.call("walk_trie", counted.fsm, state, self.call("build_trie", self.texts))
        return self.array("row_mask", np.bool_, (self.size,), row, self.size), counted.lookups

    def step(self, state: int, token_id: int) -> int | None:
        """Follow a transition of the table."""
        return self.table[state].get(token_id)  # type: ignore[no-any-return]


def oracle(scene: Scene) -> Oracle:
    """Return the given automaton as a judge."""
    check_expression(scene.grammar)
    return CharacterOracle(automaton_of(scene.grammar), scene.vocabulary, gates_eos=False)


def ending(make_steps: MakeSteps, function: Function) -> Iterator[Line]:
    """Answer a prompt, and count the table that was made before the first token."""
    lines: list[Line] = []
    steps, answer = by_masks("Please tell me the hex code of olive. Thanks!", COLOUR, make_steps, lines)
    yield from lines
    assert isinstance(steps, LiftedSteps)
    entries = sum(map(len, steps.table))
    places = [answer.text[:place] for place in range(len(answer.text))]  # every state but the last
    looked_up = sum(steps.counted_mask(text)[1] for text in places)
    yield f"the table, made once: {len(steps.table)} states, {entries:,} entries, {looked_up:,} transitions", None
    yield f"then {len(answer.ids)} masks, each a row of the table: no transition looked up", None


SCENE = Scene(
    LiftedSteps,
    oracle,
    judged_by=("lab_02_atom_fsm",),
    eos_note="no mask allows it before lab 04",
    ending=Ending("all walks before the first token", ending),
)
