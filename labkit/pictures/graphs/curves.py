"""Lines and curves between points of the plane, as complex numbers: real to the right, imaginary downwards."""

import cmath
import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from labkit.pictures._svg import num
from labkit.pictures.graphs.layout import RADIUS

Piece = tuple[complex, ...]
"""Two points are a line, three a quadratic curve, four a cubic one."""

_STEEPEST = math.radians(55)
_TILT = math.radians(32)


def at(piece: Piece, part: float) -> complex:
    """Return the point at ``part`` (0 to 1) of a piece, by de Casteljau's algorithm.

    >>> at((0j, 10 + 0j), 0.25), at((0j, 10j, 10 + 10j), 0.5)
    ((2.5+0j), (2.5+7.5j))
    """
    while len(piece) > 1:
        piece = tuple(one + (other - one) * part for one, other in pairwise(piece))
    return piece[0]


def samples(pieces: Sequence[Piece], step: float = 4.0) -> Iterator[complex]:
    """Yield points along the pieces, about ``step`` apart."""
    for piece in pieces:
        count = 1 + int(sum(abs(other - one) for one, other in pairwise(piece)) / step)
        yield from (at(piece, index / count) for index in range(count))
    yield pieces[-1][-1]


def path_data(pieces: Sequence[Piece]) -> str:
    """Return the pieces as the ``d`` attribute of an SVG path.

    >>> path_data([(0j, 10 + 0j), (10 + 0j, 20 + 0j, 20 + 10j)])
    'M0 0L10 0Q20 0 20 10'
    """
    first = pieces[0][0]
    parts = [f"M{num(first.real)} {num(first.imag)}"]
    for piece in pieces:
        parts.append("LQC"[len(piece) - 2] + " ".join(f"{num(point.real)} {num(point.imag)}" for point in piece[1:]))
    return "".join(parts)


def join(tail: complex, leave: complex, arrive: complex, tip: complex) -> Piece:
    """Return a curve that leaves ``tail`` in one direction and reaches ``tip`` from another, or a line if it is one."""
    chord = tip - tail
    if abs(leave + arrive) < 1e-6 and abs(chord / abs(chord) - leave) < 1e-6:
        return tail, tip
    reach = 0.4 * abs(chord)
    return tail, tail + leave * reach, tip + arrive * reach, tip


def through(before: complex, after: complex) -> complex:
    """Return the direction at a point between two others: almost flat, because of the states above and below."""
    chord = after - before
    x, y = math.copysign(1, chord.real), max(-0.3, min(0.3, chord.imag / abs(chord.real)))
    return complex(x, y) / math.hypot(x, y)


def heading(here: complex, there: complex, tilt: int) -> complex:
    """Return the direction in which to leave ``here``, never so steep that it meets the state above or below.

    ``tilt`` turns it off the straight line, 1 downwards and -1 upwards: a backward arrow must not cover a forward one.
    """
    chord = there - here
    angle = math.atan2(chord.imag, abs(chord.real)) + tilt * _TILT
    angle = max(-_STEEPEST, min(_STEEPEST, angle))
    return complex(math.copysign(math.cos(angle), chord.real), math.sin(angle))


def bow(start: complex, end: complex) -> Piece:
    """Return a curve between two states of one layer: downwards it passes right of those between, upwards left."""
    down = math.copysign(1, end.imag - start.imag)
    side = complex(down * math.sqrt(0.5), 0)
    leave, arrive = side + down * math.sqrt(0.5) * 1j, side - down * math.sqrt(0.5) * 1j
    tail, tip = start + leave * RADIUS, end + arrive * (RADIUS + 1)
    reach = min(60.0, 0.22 * abs(end.imag - start.imag))
    return tail, tail + leave * reach, tip + arrive * reach, tip


def self_loop(centre: complex) -> Piece:
    """Return a loop above the state."""
    left, right = (cmath.rect(1, math.radians(degrees)) for degrees in (-118, -62))
    return (
        centre + left * RADIUS,
        centre + left * 3 * RADIUS,
        centre + right * 3 * RADIUS,
        centre + right * (RADIUS + 1),
    )


def rounded(points: Sequence[complex], radius: float = 9.0) -> list[Piece]:
    """Return a line through all the points with rounded corners."""
    pieces: list[Piece] = []
    here = points[0]
    for corner, after in pairwise(points[1:]):
        before, leaving = (
            corner + (other - corner) / abs(other - corner) * min(radius, abs(other - corner) / 2)
            for other in (here, after)
        )
        pieces += [(here, before), (before, corner, leaving)]
        here = leaving
    return [*pieces, (here, points[-1])]
