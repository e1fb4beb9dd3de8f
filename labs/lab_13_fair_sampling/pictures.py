"""The pictures of lab 13's README: each public function draws the one of its name."""

import math

import numpy as np

from labkit.automata import Fsm
from labkit.pictures import Svg, bar_chart, fsm_svg, in_turn, line_chart
from labs.lab_13_fair_sampling.given.markov import EOS, NO, WORDS, YES, Chain, bigram
from labs.lab_13_fair_sampling.solution import (
    backward_weights,
    effective_sample_size,
    joint_chain,
    masked_step,
    resample,
    text_probabilities,
)


def _no_or_yes() -> Chain:
    """Return the README's chain: the model of words under ``no|yes``."""
    return joint_chain(WORDS, EOS, ({NO: 1, YES: 1}, {}), {1})


def weights() -> Svg:
    """Draw the chain with the weight of each node; n is the token no, y is yes, . is EOS."""
    chain = _no_or_yes()
    letters = {NO: "n", YES: "y", EOS: "."}
    rows = [{letters[token]: target % (len(chain) + 1) for token, (target, _) in row.items()} for row in chain]
    notes = {node: f"{math.exp(weight):g}" for node, weight in enumerate(backward_weights(chain))}
    fsm = Fsm((*rows, {}), 0, frozenset({len(chain)}))
    return fsm_svg(fsm, notes=notes, title="The weight of each node: from the end, backwards")


def bent() -> Svg:
    """Draw what masking writes, and what it should write."""
    chain = _no_or_yes()
    bars: dict[str, float] = {}
    for name, rows in (("masked", [np.zeros(len(chain) + 1)]), ("fair", [backward_weights(chain)])):
        odds = text_probabilities(chain, rows, 4)
        bars |= {f"no, {name}": odds[NO, EOS], f"yes, {name}": odds[YES, EOS]}
    order = ("no, masked", "no, fair", "yes, masked", "yes, fair")
    series = {label: 1 for label in order if label.endswith("fair")}
    shares = {label: round(bars[label], 9) for label in order}
    drawn = bar_chart(shares, title="no|yes under a mask, and in truth", series=series)
    # the fair bars come once the masked ones have been seen, and leave from their length
    for place, name in ((2, "no"), (4, "yes")):
        ratio = bars[f"{name}, masked"] / bars[f"{name}, fair"]
        drawn = in_turn(drawn, [(f".bar:nth-of-type({place + 1})", 1.5)], f"transform:scaleX({ratio:g})")
        drawn = in_turn(drawn, [(f".bar:nth-of-type({place + 1}) + text", 1.8)])
    return drawn


def worth(steps: int = 40, n: int = 100) -> Svg:
    """Draw the effective size of particles under a mask, step by step, with and without resampling."""
    rng = np.random.default_rng(4)
    model, mask = bigram(rng.standard_normal((9, 9)), eos_id=8), np.arange(9) < 3
    series = {}
    for name, threshold in (("masked samples", 0.0), ("resampled below half", 0.5)):
        texts, log_weights, points = [[8]] * n, np.zeros(n), [(0.0, float(n))]
        for step in range(1, steps + 1):
            for i in range(n):
                token, mass = masked_step(model, lambda ids: mask, texts[i], rng.random)
                texts[i] = [token or 0]  # the model looks at the last token alone
                log_weights[i] += mass
            points.append((float(step), round(effective_sample_size(log_weights), 6)))
            if points[-1][1] < threshold * n:
                texts = [texts[i] for i in resample(log_weights, rng.random())]
                log_weights[:] = 0.0
        series[name] = points
    return line_chart(
        series,
        title="What 100 particles are worth",
        x_label="tokens written",
        y_label="effective sample size",
    )
