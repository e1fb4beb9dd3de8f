"""A generation step by step: the text that each token would have made, which were refused, which was chosen."""

from collections.abc import Sequence
from dataclasses import dataclass

from labkit.pictures._svg import Svg, picture, tag, text_at, visible, width_of
from labkit.pictures.units import quantity

_ROW, _TOP, _MARGIN = 42.0, 58.0, 16.0


@dataclass(frozen=True)
class Step:
    """One step: the text before it, the probability of each token (0 where it was refused), and the chosen id."""

    prefix: str
    probs: Sequence[float]
    chosen: int


def steps_svg(tokens: Sequence[str], steps: Sequence[Step], *, title: str = "") -> Svg:
    """Draw one column for each step, one row for each token: the candidate text, crossed out where it was refused.

    The chosen candidate is framed, and is the text before the next step.

    Raises ``ValueError`` for no steps, a step without one probability for each token, and a chosen token that was
    refused.

    >>> picture = str(steps_svg(["a", "1"], [Step("", [0.0, 1.0], 1)]))  # a was refused, so the step chose token 1
    >>> picture.count("mono struck"), picture.count('class="candidate current"')
    (1, 1)
    """
    _check(tokens, steps)
    first = _MARGIN + max(map(width_of, map(visible, tokens))) + 18
    parts = [text_at(_MARGIN, 24, title, "title", "start")] if title else []
    top = _TOP + (24 if title else 0)
    parts += [
        text_at(_MARGIN, top + _ROW * (row + 0.5), token, "mono bold", "start") for row, token in enumerate(tokens)
    ]
    left = first
    for number, step in enumerate(steps, start=1):
        width = max(width_of(visible(step.prefix + token)) for token in (*tokens, "after ''")) + 16
        parts += _column(number, step, tokens, left + width / 2, width, top)
        left += width + 8
    width = max(left - 8, width_of(title) * 1.25 + _MARGIN) + _MARGIN
    return picture(width, top + _ROW * len(tokens) + _MARGIN, "".join(parts), title or f"{len(steps)} steps")


def _check(tokens: Sequence[str], steps: Sequence[Step]) -> None:
    if not tokens or not steps:
        raise ValueError("there is nothing to draw: give at least one token and one step")
    for number, step in enumerate(steps, start=1):
        if len(step.probs) != len(tokens):
            raise ValueError(f"step {number} has {len(step.probs)} probabilities for {len(tokens)} tokens")
        if not step.probs[step.chosen]:
            raise ValueError(f"step {number} chose token {step.chosen}, which was refused")


def _column(number: int, step: Step, tokens: Sequence[str], x: float, width: float, top: float) -> list[str]:
    head = [
        text_at(x, top - 30, f"step {number}", "bold"),
        text_at(x, top - 12, f"after {step.prefix!r}", "mono muted"),
    ]
    return head + [
        _candidate(step.prefix + token, step.probs[row], row == step.chosen, x, top + _ROW * (row + 0.5), width)
        for row, token in enumerate(tokens)
    ]


def _candidate(text: str, prob: float, chosen: bool, x: float, y: float, width: float) -> str:
    frame = tag("rect", class_="ring", x=x - width / 2, y=y - 18, width=width, height=36, rx=6) if chosen else ""
    words = text_at(x, y - 6, text, "mono" if prob else "mono struck")
    figure = text_at(x, y + 9, quantity(prob) if prob else "refused", "muted")
    return tag("g", frame, words, figure, class_="candidate current" if chosen else "candidate")
