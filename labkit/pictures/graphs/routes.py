"""The lines of a drawing: states get coordinates, arrows get curves, labels get places."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from labkit.pictures._svg import width_of
from labkit.pictures.graphs.curves import Piece, bow, heading, join, rounded, self_loop, through
from labkit.pictures.graphs.labels import Arrow
from labkit.pictures.graphs.layout import RADIUS, LayoutPlan
from labkit.pictures.graphs.placing import Box, TakenCells

_WIDEST = 1040.0
_FEW = 4
_LANE = 18.0


@dataclass(frozen=True)
class Drawing:
    """Centres of states, the line of each arrow and the box of its label; ``fits``: whether all labels found room."""

    centres: list[complex]
    lines: dict[Arrow, list[Piece]]
    boxes: dict[Arrow, Box]
    fits: bool


def draw(plan: LayoutPlan, labels: dict[Arrow, str], states: int, stretch: float = 1.0) -> Drawing:
    """Turn a plan into coordinates; layers that exceed the width continue in a band below."""
    widths = {arrow: width_of(label) + 6 for arrow, label in labels.items()}
    band, x = _columns(plan, widths, stretch)
    points = _points(plan, band, x)
    lines = _lines(plan, points, band, states)
    boxes, fits = _place_labels(lines, widths, points[:states])
    return Drawing(points[:states], lines, boxes, fits)


def _columns(plan: LayoutPlan, widths: dict[Arrow, float], stretch: float) -> tuple[list[int], list[float]]:
    """Return, for each layer, the number of its band and its x."""
    last = max(plan.column)
    hops = Counter(min(plan.column[one], plan.column[other]) for one, other in _pairs(plan))
    # A layer is as wide as its widest loop label, and a gap as its widest arrow label.
    half, gap = [RADIUS] * (last + 1), [44.0 * stretch] * (last + 1)
    for (source, target), width in widths.items():
        here = min(plan.column[source], plan.column[target])
        if source == target:
            half[here] = max(half[here], width / 2)
        else:
            gap[here] = max(gap[here], (width + 20) * stretch)
    steps = [half[one] + gap[one] + half[one + 1] for one in range(last)]
    # Bands of about equal width; a band ends only where few arrows cross and enough layers follow.
    limit = sum(steps) / math.ceil((sum(steps) + 1) / _WIDEST) + 1
    band, x = [0], [0.0]
    for one, step in enumerate(steps):
        wraps = x[-1] + step > limit and hops[one] <= _FEW and sum(steps[one:]) > limit / 4
        band.append(band[-1] + wraps)
        x.append(0.0 if wraps else x[-1] + step)
    return band, x


def _pairs(plan: LayoutPlan) -> Iterator[Arrow]:
    """Yield every step of an arrow from one layer to the next."""
    for chain in plan.chains.values():
        yield from ((one, other) for one, other in pairwise(chain) if plan.column[one] != plan.column[other])


def _points(plan: LayoutPlan, band: list[int], x: list[float]) -> list[complex]:
    """Return the coordinates of each spot. A band starts below the one before, and below the lines between them."""
    where = [band[column] for column in plan.column]
    lanes = Counter(min(where[one], where[other]) for one, other in _pairs(plan) if where[one] != where[other])
    shift, top = [], 0.0
    for number in range(band[-1] + 1):
        spots = [spot for spot, one in enumerate(where) if one == number]
        shift.append(top - min(plan.y[spot] - plan.above[spot] for spot in spots))
        top = shift[-1] + max(plan.y[spot] + plan.below[spot] for spot in spots) + _LANE * (lanes[number] + 1)
    return [complex(x[column], plan.y[spot] + shift[band[column]]) for spot, column in enumerate(plan.column)]


def _lines(plan: LayoutPlan, points: list[complex], band: list[int], states: int) -> dict[Arrow, list[Piece]]:
    lanes = _Lanes(points, [band[column] for column in plan.column])
    lines: dict[Arrow, list[Piece]] = {}
    for (source, target), chain in plan.chains.items():
        if source == target:
            lines[source, target] = [self_loop(points[source])]
        elif plan.column[source] == plan.column[target]:
            lines[source, target] = [bow(points[source], points[target])]
        else:
            back = plan.column[source] > plan.column[target]
            lines[source, target] = _route(points, chain, lanes, back)
    return lines


def _route(points: list[complex], chain: list[int], lanes: "_Lanes", back: bool) -> list[Piece]:
    """Return the line of an arrow from layer to layer, through its spots in the layers between."""
    first, *between, last = (points[spot] for spot in chain)
    after, before = [*between, last][0], [first, *between][-1]
    flat = complex(-1 if back else 1)

    def side(here: complex, there: complex) -> int:
        """Return up (-1) or down (1): a backward arrow leaves towards its spot, or away from the forward arrow."""
        return -1 if (there.imag < here.imag if between else first.imag < last.imag - 1) else 1

    crosses = [lanes.band[one] != lanes.band[other] for one, other in pairwise(chain)]
    leave = flat if crosses[0] else heading(first, after, back * side(first, after))
    arrive = -flat if crosses[-1] else heading(last, before, back * side(last, before))
    stops = [first + leave * RADIUS, *between, last + arrive * (RADIUS + 1)]
    turns = [flat if any(crosses[i : i + 2]) else through(stops[i], stops[i + 2]) for i in range(len(between))]
    pieces: list[Piece] = []
    for step, turn, stop, crossing in zip(
        pairwise(chain), pairwise([leave, *turns, -arrive]), pairwise(stops), crosses, strict=True
    ):
        pieces += lanes.cross(step, stop) if crossing else [join(stop[0], turn[0], -turn[1], stop[1])]
    return pieces


class _Lanes:
    """Lines from one band to the next: out at one side, through a lane between the bands, in at the other side."""

    def __init__(self, points: list[complex], band: list[int]) -> None:
        self.band = band
        self._used = [0] * (max(band) + 1)
        self._right = max(point.real for point in points) + RADIUS
        self._floor = [
            max(point.imag for point, where in zip(points, band, strict=True) if where == one)
            for one in range(max(band) + 1)
        ]

    def cross(self, step: Arrow, stops: tuple[complex, complex]) -> list[Piece]:
        """Return the line from a stop to one in the next band; a backward arrow is the same line from its other end."""
        if self.band[step[0]] > self.band[step[1]]:
            return [piece[::-1] for piece in self.cross(step[::-1], stops[::-1])[::-1]]
        upper = self.band[step[0]]
        self._used[upper] += 1
        lane = self._used[upper]
        right, left = self._right + 6 + 6 * lane, -RADIUS - 14 - 6 * lane
        floor = self._floor[upper] + RADIUS + _LANE * lane
        start, end = stops
        turns = [complex(right, start.imag), complex(right, floor), complex(left, floor), complex(left, end.imag)]
        return rounded([start, *turns, end])


def _place_labels(
    lines: dict[Arrow, list[Piece]], widths: dict[Arrow, float], centres: list[complex]
) -> tuple[dict[Arrow, Box], bool]:
    """Place the labels of loops first, which have one place each; then those of the shortest lines, with few."""
    # Reserve the states, and record the lines, which labels should avoid.
    room = TakenCells()
    for centre in centres:
        room.take(Box(centre, 2 * RADIUS, 2 * RADIUS))
    for pieces in lines.values():
        room.draw(pieces)
    boxes = {
        arrow: Box(centres[arrow[0]] - 1j * (RADIUS + 35), widths[arrow]) for arrow in lines if arrow[0] == arrow[1]
    }
    for (state, _), box in boxes.items():
        room.take(box)
        room.take(Box(centres[state] - 1j * (RADIUS + 11), 26, 22))
    fits = True
    lengths = {arrow: round(sum(abs(piece[-1] - piece[0]) for piece in pieces), 1) for arrow, pieces in lines.items()}
    for arrow in sorted(lines.keys() - boxes.keys(), key=lambda arrow: (lengths[arrow], arrow)):
        found = room.place(lines[arrow], widths[arrow])
        fits = fits and found is not None
        boxes[arrow] = found or Box(lines[arrow][0][0], widths[arrow])
    return boxes, fits
