"""A small line chart: cost against size, for one to five series."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from labkit.pictures._svg import Svg, num, picture, tag, text_at, visible, width_of
from labkit.pictures.units import linear_ticks, log_ticks, quantity

Series = Mapping[str, Sequence[tuple[float, float]]]
"""Each name's points, as (x, y)."""

_WIDTH, _HEIGHT, _MARGIN = 740.0, 400.0, 18.0
_MOST = 5
# One marker shape for each series, around the origin: colour must not be the only difference.
_MARKERS = (
    "M-4.2 0a4.2 4.2 0 1 0 8.4 0a4.2 4.2 0 1 0 -8.4 0Z",
    "M-3.8 -3.8H3.8V3.8H-3.8Z",
    "M0 -5.2L5.2 0L0 5.2L-5.2 0Z",
    "M0 -4.8L4.8 3.6H-4.8Z",
    "M0 4.8L4.8 -3.6H-4.8Z",
)


@dataclass(frozen=True)
class _Axis:
    """An axis that maps the values ``low`` to ``high`` to the pixels ``start`` to ``end``."""

    low: float
    high: float
    log: bool
    start: float
    end: float

    def place(self, value: float) -> float:
        low, high, here = (math.log(v) if self.log else v for v in (self.low, self.high, value))
        return self.start + (self.end - self.start) * (here - low) / (high - low)

    def ticks(self) -> list[float]:
        return log_ticks(self.low, self.high) if self.log else linear_ticks(self.low, self.high)


def _check(series: Series, log_x: bool, log_y: bool) -> None:
    """Refuse what no axis can show with a ``ValueError`` that names the series and the point."""
    if not any(series.values()):
        raise ValueError("there is nothing to draw: give at least one series with one point (x, y)")
    for name, points in series.items():
        if not points:
            raise ValueError(f"the series {name!r} has no points; leave it out, or measure it")
        for point in points:
            if not all(map(math.isfinite, point)):
                raise ValueError(f"the series {name!r} has the point {point}, which is not finite")
            if (log_x and point[0] <= 0) or (log_y and point[1] <= 0):
                raise ValueError(f"the series {name!r} has the point {point}, but a log axis needs values above 0")


def line_chart(
    series: Series,
    *,
    title: str,
    x_label: str,
    y_label: str,
    log_x: bool = False,
    log_y: bool = False,
    x_unit: str = "",
    y_unit: str = "",
) -> Svg:
    """Draw each series as markers and a line, named at its end where the names have room, else in a legend.

    ``series`` maps a name to its points (x, y), drawn in order of x. ``y_unit="s"`` prints seconds as µs, ms or s.

    Raises ``ValueError`` for no series or more than five, a series without points, a value that is not finite, and a
    value of 0 or less on a log axis.

    >>> picture = line_chart({"trie": [(1, 2), (10, 3)]}, title="Cost", x_label="tokens", y_label="time")
    >>> str(picture).count('class="marker m0"')
    2
    """
    _check(series, log_x, log_y)
    if len(series) > _MOST:
        raise ValueError(f"{len(series)} series cannot be told apart in one chart; draw at most {_MOST}")
    points = [sorted(given) for given in series.values()]
    names = list(series)
    y_axis = _axis([y for given in points for _, y in given], log_y, _HEIGHT - 58, 86)
    # Lines are named at their ends if these are at one x, with room between them.
    heights = sorted(y_axis.place(given[-1][1]) for given in points)
    apart = all(lower - upper >= 16 for upper, lower in pairwise(heights))
    direct = apart and len({given[-1][0] for given in points}) == 1 and max(map(width_of, names)) < _WIDTH / 4
    y_axis = replace(y_axis, end=66 if direct else 86)
    left = 26 + max(width_of(quantity(tick, y_unit)) for tick in y_axis.ticks())
    right = _WIDTH - _MARGIN - 16 - (max(map(width_of, map(visible, names))) if direct else 0)
    x_axis = _axis([x for given in points for x, _ in given], log_x, left, right)
    parts = [*_frame(x_axis, y_axis, points, (x_unit, y_unit)), text_at(_MARGIN, 24, title, "title", "start")]
    parts += _titles(x_label, y_label, x_axis, y_axis)
    for number, given in enumerate(points):
        spots = [(num(x_axis.place(x)), num(y_axis.place(y))) for x, y in given]
        way = " ".join(map(",".join, spots))
        line = tag("polyline", class_=f"s{number}", fill="none", stroke_width="2", points=way)
        parts.append(tag("g", line, *(_marker(number, x, y) for x, y in spots), class_="series"))
    parts += _end_names(names, points, x_axis, y_axis) if direct else _legend(names)
    return picture(_WIDTH, _HEIGHT, "".join(parts), title)


def _axis(values: Sequence[float], log: bool, start: float, end: float) -> _Axis:
    """Return an axis a little longer than its values; a linear one starts at 0 unless a value is negative."""
    low, high = min(values), max(values)
    if log:
        pad = (high / low) ** 0.04 if high > low else 2.0
        return _Axis(low / pad, high * pad, True, start, end)
    low = min(low, 0.0)
    return _Axis(low, high + ((high - low) * 0.04 or 1.0), False, start, end)


def _x_ticks(x_axis: _Axis, points: Sequence[Sequence[tuple[float, float]]], unit: str) -> list[float]:
    """Return the measured sizes if their labels have room, else round figures."""
    measured = sorted({x for given in points for x, _ in given})
    spots = [(x_axis.place(x), width_of(quantity(x, unit)) / 2 + 5) for x in measured]
    roomy = all(right - left >= one + other for (left, one), (right, other) in pairwise(spots))
    return measured if x_axis.log and roomy else x_axis.ticks()


def _frame(
    x_axis: _Axis, y_axis: _Axis, points: Sequence[Sequence[tuple[float, float]]], units: tuple[str, str]
) -> list[str]:
    """Draw the grid lines and their labels."""
    left, right, bottom, top = x_axis.start, x_axis.end, y_axis.start, y_axis.end
    parts = []
    for tick in y_axis.ticks():
        y = y_axis.place(tick)
        parts += [_line("grid", left, y, right, y), text_at(left - 8, y, quantity(tick, units[1]), "muted", "end")]
    for tick in _x_ticks(x_axis, points, units[0]):
        x = x_axis.place(tick)
        parts += [_line("grid", x, bottom, x, top), text_at(x, bottom + 16, quantity(tick, units[0]), "muted")]
    return [*parts, _line("line", left, bottom, right, bottom)]


def _line(class_: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return tag("line", class_=class_, x1=x1, y1=y1, x2=x2, y2=y2)


def _titles(x_label: str, y_label: str, x_axis: _Axis, y_axis: _Axis) -> list[str]:
    return [
        text_at(_MARGIN, y_axis.end - 18, y_label, "muted", "start"),
        text_at((x_axis.start + x_axis.end) / 2, _HEIGHT - 20, x_label, "muted"),
    ]


def _marker(number: int, x: str, y: str) -> str:
    return tag("path", class_=f"marker m{number}", d=_MARKERS[number], transform=f"translate({x} {y})")


def _end_names(
    names: Sequence[str], points: Sequence[Sequence[tuple[float, float]]], x_axis: _Axis, y_axis: _Axis
) -> list[str]:
    return [
        text_at(x_axis.place(given[-1][0]) + 10, y_axis.place(given[-1][1]), name, f"m{number} bold", "start")
        for number, (name, given) in enumerate(zip(names, points, strict=True))
    ]


def _legend(names: Sequence[str]) -> list[str]:
    """Draw marker and name of each series in a row below the title."""
    parts, x = [], _MARGIN + 5
    for number, name in enumerate(names):
        parts += [_marker(number, num(x), "46"), text_at(x + 10, 46, name, f"m{number} bold", "start")]
        x += width_of(visible(name)) + 34
    return parts
