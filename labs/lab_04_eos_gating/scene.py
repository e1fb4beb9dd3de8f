"""What ``python3 -m course show 04`` plays: EOS is a token like the others, and the mask says when it is legal."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from labkit.pictures import Lane, Moment, Svg, timeline_svg
from labkit.scenes import CharacterOracle, Mask, Oracle, PreparedSteps, Scene, check_expression
from labkit.scenes.endings import Ending, Function, Line, MakeSteps, by_masks, texts_before


class Gated(PreparedSteps):
    """The student's masks; before a step's other two functions are written, lab 01's take their place."""

    def masked(self, logits: NDArray[np.float32], mask: Mask) -> NDArray[np.float32]:
        """Return the logits under the mask."""
        try:
            return super().masked(logits, mask)
        except NotImplementedError:
            return self.array("lab_01_naive_matching.apply_mask", logits.dtype, logits.shape, logits, mask)

    def choose(self, masked: NDArray[np.float32], u: float) -> int:
        """Return the sampled token."""
        try:
            return super().choose(masked, u)
        except NotImplementedError:
            probs = self.call("lab_01_naive_matching.softmax", masked)
            return self.token("lab_01_naive_matching.sample", probs, u)


def oracle(scene: Scene) -> Oracle:
    """Return lab 02's automaton as a judge."""
    from labs.lab_02_atom_fsm.solution import compile_pattern

    check_expression(scene.grammar)
    return CharacterOracle(compile_pattern(scene.grammar), scene.vocabulary)


def ending(make_steps: MakeSteps, function: Function) -> Iterator[Line | Svg]:
    """Let the model write a number that could go on forever, and note where the mask lets it stop."""
    lines: list[Line] = []
    prompt = "Please write 0049 30 1234567 in international form. Thanks!"
    steps, answer = by_masks(prompt, r"\+[0-9]+ [0-9]+ [0-9]+", make_steps, lines, seed=1)
    yield from lines
    state, legal = steps.initial(), []
    for token_id in (*answer.ids, steps.vocabulary.eos_id):
        legal.append(bool(steps.legal(state)[steps.vocabulary.eos_id]))
        state = steps.step(state, token_id) if token_id != steps.vocabulary.eos_id else None
    assert any(legal), "EOS was never legal"
    first = texts_before([*answer.ids, steps.vocabulary.eos_id])[legal.index(True)]
    yield f"EOS was struck {legal.count(False)} times, and legal from {first!r} on", None
    yield f"the model took it after {answer.text!r}", answer.ended
    tokens = [*(steps.texts[token_id] or "" for token_id in answer.ids), "EOS"]
    moments = [
        Moment(repr(token) if token != "EOS" else token, "EOS legal" if may else "EOS struck", strong=may)
        for token, may in zip(tokens, legal, strict=True)
    ]
    yield timeline_svg([Lane("What came next, and whether it could have been EOS", moments)])


SCENE = Scene(
    Gated, oracle, judged_by=("lab_02_atom_fsm",), ending=Ending("EOS is legal where a match may end", ending)
)
