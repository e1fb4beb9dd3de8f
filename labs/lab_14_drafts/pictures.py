"""The pictures of lab 14's README: each public function draws the one of its name."""

import json
from pathlib import Path

import numpy as np

from labkit.automata import Fsm
from labkit.pictures import Svg, bar_chart, fsm_svg, line_chart
from labs.lab_14_drafts.solution import residual, tokens_a_pass

MASKED, DRAFTED = np.array([1 / 2, 1 / 2, 0]), np.array([1 / 2, 1 / 4, 1 / 4])
"""What the model wants of yes, no and maybe under the mask, and what the drafter says."""


def trap() -> Svg:
    """Draw how often yes and no come, if an illegal draft is rejected, and if it's cut off."""
    kept = np.minimum(MASKED, DRAFTED)
    bars = dict[str, float]()
    for name, after in (("rejected", residual(MASKED, DRAFTED)), ("cut off", MASKED)):
        odds = kept + (1 - kept.sum()) * after
        bars |= {f"yes, {name}": float(odds[0]), f"no, {name}": float(odds[1])}
    series = {label: 1 for label in bars if label.endswith("cut off")}
    return bar_chart(bars, title="The drafter said maybe: what now?", series=series)


def tree() -> Svg:
    """Draw a tree of four drafted texts; each node is reached by one token."""
    rows: tuple[dict[str, int], ...] = ({"1": 1, "2": 2}, {"0": 3, "5": 4}, {"0": 5, ".": 6}, {}, {}, {}, {})
    return fsm_svg(Fsm(rows, 0, frozenset({3, 4, 5, 6})), title="Four drafts that share their beginnings")


def worth() -> Svg:
    """Draw the tokens of a pass by the length of the draft: the formula, and what was counted for three languages."""
    lengths = range(11)
    counted = json.loads((Path(__file__).parent / "given/points.json").read_text(encoding="utf-8"))["points"]
    series = {f"{rate:.0%} kept": [(float(n), tokens_a_pass(rate, n)) for n in lengths] for rate in (0.9, 0.7, 0.5)}
    for language in ("ticket, compact", "prose"):
        points = [p for p in counted if p["language"] == language and p["drafter"] == "early, masked"]
        points.sort(key=lambda point: point["length"])
        series[language] = [(0.0, 1.0), *((float(p["length"]), round(p["tokens"] / p["passes"], 3)) for p in points)]
    return line_chart(series, title="What a pass gives", x_label="tokens drafted", y_label="tokens a pass")
