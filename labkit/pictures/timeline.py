"""Generations as rows of boxes, one for each token: when each ended, and what was refused at each step."""

from collections.abc import Sequence
from dataclasses import dataclass

from labkit.pictures._svg import Svg, num, picture, tag, text_at, visible, width_of

_MARGIN, _GAP, _BOX, _TOP, _NARROWEST = 16.0, 7.0, 30.0, 18.0, 28.0
_HEAD = 44.0
"""The height of a lane above its boxes: its name, and a remark above each box."""
_SMALL = 20.0
"""The height of a refused text."""


@dataclass(frozen=True)
class Moment:
    """One token: its text, a remark above it, the texts that were refused in its place, and whether it is emphasised.

    A moment that ``waits`` has no token: its text says so on a dotted line. One without a text isn't drawn.
    """

    token: str
    above: str = ""
    refused: Sequence[str] = ()
    strong: bool = False
    waits: bool = False


@dataclass(frozen=True)
class Lane:
    """One generation: its name, its tokens, and what is written after the last of them."""

    name: str
    moments: Sequence[Moment]
    end: str = ""


def timeline_svg(lanes: Sequence[Lane], *, title: str = "") -> Svg:
    """Draw one lane below the other; refused texts are struck, in dashed frames below the token that came instead.

    Raises ``ValueError`` for no lanes, and for a lane without tokens.

    >>> lane = Lane("no limit", [Moment("1", above="a is struck", refused=["a"]), Moment("2", strong=True)])
    >>> picture = str(timeline_svg([lane]))
    >>> picture.count('class="moment'), picture.count('class="refused"'), picture.count('class="moment current"')
    (2, 1, 1)
    """
    if not lanes or not all(lane.moments for lane in lanes):
        raise ValueError("there is nothing to draw: give at least one lane, and at least one token in each")
    top = _TOP + (26.0 if title else 0.0)
    parts = [text_at(_MARGIN, 24, title, "title", "start")] if title else []
    right = width_of(title) * 1.25 + _MARGIN
    widths = [0.0] * max(len(lane.moments) for lane in lanes)  # all lanes share them, so that their columns align
    for place, moment in ((place, moment) for lane in lanes for place, moment in enumerate(lane.moments)):
        widths[place] = max(widths[place], _width(moment))
    head = _HEAD if any(moment.above for lane in lanes for moment in lane.moments) else _TOP + 4
    for lane in lanes:
        drawn, end = _lane(lane, top, widths, head)
        parts.append(drawn)
        right = max(right, end)
        top += head + _BOX + 20 + (_SMALL + 4) * any(moment.refused for moment in lane.moments)
    return picture(right + _MARGIN, top, "".join(parts), title or f"{len(lanes)} timelines")


def _width(moment: Moment) -> float:
    refused = sum(map(_small, moment.refused)) + 4 * (len(moment.refused) - 1)
    token = width_of(visible(moment.token)) * (0.85 if moment.waits else 1.0) + (4 if moment.waits else 12)
    return max(_NARROWEST, width_of(visible(moment.above)) + 4, token, refused)


def _small(text: str) -> float:
    """Return the width of a refused text."""
    return max(width_of(visible(text)) + 8, _SMALL)


def _lane(lane: Lane, top: float, widths: Sequence[float], head: float) -> tuple[str, float]:
    """Return the lane's markup, and its right edge."""
    name = text_at(_MARGIN, top + 8, lane.name, "bold", "start")
    lefts = [_MARGIN + sum(widths[:place]) + _GAP * place for place in range(len(lane.moments))]
    boxes = [_moment(*each, top + head) for each in zip(lane.moments, lefts, widths, strict=False)]
    after = lefts[-1] + widths[len(lefts) - 1] + 12
    end = text_at(after, top + head + _BOX / 2, lane.end, "mono", "start") if lane.end else ""
    right = max(after + width_of(visible(lane.end)), _MARGIN + width_of(visible(lane.name)))
    return tag("g", name, *boxes, end, class_="lane"), right


def _moment(moment: Moment, left: float, width: float, y: float) -> str:
    x = left + width / 2
    above = text_at(x, y - 11, moment.above, "muted") if moment.above else ""
    if moment.waits:
        line = tag("path", class_="line ghost", d=f"M{num(left)} {num(y + _BOX / 2 + 7)}h{num(width)}")
        return tag("g", above, line, text_at(x, y + _BOX / 2 - 4, moment.token, "muted small"), class_="pause")
    if not moment.token:
        return above
    box = tag("rect", class_="ring", x=left, y=y, width=width, height=_BOX, rx=6)
    token = text_at(x, y + _BOX / 2, moment.token, "mono bold")
    gone = _refused(moment.refused, x, y + _BOX + 6)
    return tag("g", above, box, token, *gone, class_="moment current" if moment.strong else "moment")


def _refused(texts: Sequence[str], x: float, top: float) -> list[str]:
    """Draw small dashed frames side by side, centred at ``x``."""
    left = x - (sum(map(_small, texts)) + 4 * (len(texts) - 1)) / 2
    parts = []
    for text in texts:
        width = _small(text)
        frame = tag("rect", class_="ghost gone", fill="none", x=left, y=top, width=width, height=_SMALL, rx=4)
        parts.append(
            tag("g", frame, text_at(left + width / 2, top + _SMALL / 2, text, "mono struck"), class_="refused")
        )
        left += width + 4
    return parts
