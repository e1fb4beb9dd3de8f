"""The pictures of lab 01's README: each public function draws the one of its name."""

import numpy as np

from labkit.pictures import Step, Svg, steps_svg
from labkit.pictures._svg import picture, tag, text_at
from labs.lab_01_naive_matching.solution import build_mask, could_match, sample, softmax


def u_picks() -> Svg:
    """Draw how u = 0.38 picks a token after ``11``: the allowed tokens side by side, as wide as they are probable."""
    shares, u, (left, top, width) = {".": 1 / 3, ".2": 1 / 3, "1": 1 / 3}, 0.38, (28.0, 62.0, 420.0)
    parts, start = [text_at(left, 24, "u = 0.38 picks .2", "title", "start")], 0.0
    for token, share in shares.items():
        x, chosen = left + width * start, start <= u < start + share
        box = tag("rect", class_="ring", x=x, y=top, width=width * share, height=34, rx=4)
        name = text_at(x + width * share / 2, top + 17, token, "mono bold")
        parts.append(tag("g", box, name, class_="current" if chosen else ""))
        parts.append(text_at(x, top + 48, f"{start:.2f}".rstrip("0").rstrip("."), "muted"))
        start += share
    mark = tag("line", class_="line strong", x1=left + width * u, x2=left + width * u, y1=top - 6, y2=top + 40)
    end = text_at(left + width, top + 48, "1", "muted")
    pointer = text_at(left + width * u, top - 15, "u", "bold")
    return picture(left * 2 + width, top + 66, "".join([*parts, mark, end, pointer]), "u picks a token")


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
