"""The pictures of lab 01's README: each public function draws the one of its name."""

import numpy as np

from labkit.pictures import Step, Svg, steps_svg
from labs.lab_01_naive_matching.solution import build_mask, could_match, sample, softmax


def seven_steps() -> Svg:
    """Draw the loop on four tokens, with the numbers u of seed 12349."""
    tokens = ["a", ".", ".2", "1"]
    text, steps = "", []
    for u in np.random.RandomState(12349).random_sample(7):
        allowed = build_mask(tokens, text, lambda candidate: could_match(r"([0-9]+)?\.[0-9]+", candidate))
        probs = softmax(np.where(allowed, 1.0, -np.inf))
        steps.append(Step(text, probs.tolist(), sample(probs, u)))
        text += tokens[steps[-1].chosen]
    return steps_svg(tokens, steps, title="Seven steps: each token makes a candidate, and the dead ones are refused")
