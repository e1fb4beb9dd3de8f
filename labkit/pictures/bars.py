"""Horizontal bars: a probability for each token, before a mask and after it."""

import math
from collections.abc import Collection, Mapping

from labkit.pictures._svg import Svg, hatch, picture, tag, text_at, visible, width_of
from labkit.pictures.units import quantity

_ROW = 24.0
_BAR = 360.0
_MARGIN = 16.0


def bar_chart(
    values: Mapping[str, float],
    *,
    title: str = "",
    struck: Collection[str] = (),
    series: Mapping[str, int] | None = None,
    unit: str = "",
) -> Svg:
    """Draw one bar for each label, in the given order. Labels in ``struck`` are crossed out, their bars hatched.

    ``series`` gives a label's bar another colour than the first of the five.

    Raises ``ValueError`` for no values, a negative or infinite one, and a struck label that has no bar.

    >>> picture = str(bar_chart({"0": 0.75, "cat": 0.25}, struck={"cat"}))
    >>> picture.count('class="bar'), picture.count('class="mono struck"')  # two bars, and the name of one is struck
    (2, 1)
    """
    _check(values, struck)
    left = _MARGIN + max(map(width_of, map(visible, values))) + 10
    top = 44.0 if title else _MARGIN
    scale = _BAR / (max(values.values()) or 1.0)
    parts = [text_at(_MARGIN, 24, title, class_="title", anchor="start")] if title else []
    for row, (label, value) in enumerate(values.items()):
        y = top + _ROW * (row + 0.5)
        kind = "" if label in struck else f"m{(series or {}).get(label, 0)}"
        parts.append(_bar(label, left, y, value * scale, kind, quantity(value, unit)))
    width = (
        max(left + _BAR + width_of(quantity(max(values.values()), unit)) + 8, width_of(title) * 1.25 + _MARGIN)
        + _MARGIN
    )
    return picture(width, top + _ROW * len(values) + _MARGIN - 4, "".join(parts), title or "bar chart")


def _check(values: Mapping[str, float], struck: Collection[str]) -> None:
    if not values:
        raise ValueError("there is nothing to draw: give at least one value")
    for label, value in values.items():
        if not (math.isfinite(value) and value >= 0):
            raise ValueError(f"the bar {label!r} has the value {value}; a bar needs a finite value of 0 or more")
    for label in sorted(set(struck) - set(values)):
        raise ValueError(f"{label!r} is to be struck out, but there is no such bar")


def _bar(label: str, left: float, y: float, length: float, kind: str, figure: str) -> str:
    """Draw a bar whose class is ``kind``; without one it's struck."""
    name = text_at(left - 10, y, label, class_="mono" if kind else "mono struck", anchor="end")
    frame = {"x": left, "y": y - 8, "width": max(length, 1.0), "height": 16.0}
    colours = {"class_": f"bar {kind}"} if kind else {"class_": "bar gone", "fill": "none"}
    bar = tag("rect", **colours, **frame, rx=2) + ("" if kind else hatch(**frame))
    return name + bar + text_at(left + length + 7, y, figure, class_="" if kind else "muted", anchor="start")
