"""Charts for a terminal: lines of text, in ASCII where the console has nothing else."""

import math
from collections.abc import Mapping, Sequence

from labkit.pictures._svg import visible
from labkit.pictures.units import quantity

Series = Mapping[str, Sequence[tuple[float, float]]]
"""Each name's points, as (x, y)."""

_EIGHTHS = " ▏▎▍▌▋▊▉█"


def check_series(series: Series, log_x: bool, log_y: bool) -> None:
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


def text_chart(series: Series, *, width: int = 72, unicode: bool = True, y_unit: str = "s") -> str:
    """Draw cost against size: a bar for each point, whose length is the logarithm of y.

    Raises ``ValueError`` for no points, a y of 0 or less, and a width too narrow for bars.

    >>> print(text_chart({"trie": [(1024, 1e-4), (131072, 1e-2)]}, width=40, unicode=False))
    trie    1k  #                     100 us
    trie  131k  ####################   10 ms
    bars on a log scale
    """
    check_series(series, log_x=False, log_y=True)
    rows = [(visible(name), quantity(x), y) for name, points in series.items() for x, y in points]
    names, sizes, figures = (
        max(map(len, column)) for column in zip(*((a, b, quantity(y, y_unit)) for a, b, y in rows), strict=True)
    )
    room = width - names - sizes - figures - 6
    if room < 8:
        raise ValueError(f"{width} columns leave {room} for the bars; give at least {width - room + 8}")
    lowest, highest = min(y for _, _, y in rows), max(y for _, _, y in rows)
    lines = []
    for name, size, y in rows:
        bar = _bar(y, lowest, highest, room, unicode)
        lines.append(f"{name:<{names}}  {size:>{sizes}}  {bar:<{room}}  {quantity(y, y_unit):>{figures}}")
    chart = "\n".join([*lines, "bars on a log scale"])
    return chart if unicode else chart.replace("µ", "u").encode("ascii", "backslashreplace").decode()


def _bar(value: float, lowest: float, highest: float, room: int, unicode: bool) -> str:
    """Draw a bar: one cell for the lowest value, all the room for the highest."""
    share = math.log(value / lowest) / math.log(highest / lowest) if highest > lowest else 1.0
    eighths = round(8 * (1 + share * (room - 1)))
    if not unicode:
        return "#" * round(eighths / 8)
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
