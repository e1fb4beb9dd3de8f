"""Room for labels: a grid of small cells that records which are taken, and how many lines pass through each."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from labkit.pictures.graphs.curves import Piece, at, samples

_CELL = 5.0
HEIGHT = 15.0


@dataclass(frozen=True)
class Box:
    """A rectangle by its middle and its size."""

    middle: complex
    width: float
    height: float = HEIGHT

    def cells(self) -> Iterator[tuple[int, int]]:
        """Yield the cells that the box touches."""
        half = complex(self.width, self.height) / 2
        low, high = (self.middle - half) / _CELL, (self.middle + half) / _CELL
        for column in range(math.floor(low.real), math.ceil(high.real)):
            for row in range(math.floor(low.imag), math.ceil(high.imag)):
                yield column, row


@dataclass
class TakenCells:
    """The cells in use. Boxes that share no cell do not overlap."""

    taken: set[tuple[int, int]] = field(default_factory=set)
    passed: Counter[tuple[int, int]] = field(default_factory=Counter)

    def draw(self, pieces: Sequence[Piece]) -> None:
        """Record a line, which labels avoid if they can."""
        self.passed.update(cells_of(pieces))

    def take(self, box: Box) -> None:
        """Reserve the cells of a box."""
        self.taken.update(box.cells())

    def free(self, box: Box) -> bool:
        """Return whether no cell of a box is taken."""
        return self.taken.isdisjoint(box.cells())

    def place(self, pieces: Sequence[Piece], width: float) -> Box | None:
        """Reserve and return the best free place for a label beside or on its line; None if there is none."""
        own = cells_of(pieces)

        def cost(place: tuple[float, Box]) -> float:
            wide = Box(place[1].middle, place[1].width + 8, HEIGHT + 6)
            return place[0] + sum(self.passed[cell] - (cell in own) for cell in wide.cells())

        for _, box in sorted(_places(pieces, width), key=cost):
            if self.free(box):
                self.take(box)
                return box
        return None


def cells_of(pieces: Sequence[Piece]) -> set[tuple[int, int]]:
    """Return the cells that a line passes; for a very long line only some, which suffice to keep labels off it."""
    step = 4 + len(pieces) / 10
    return {(math.floor(point.real / _CELL), math.floor(point.imag / _CELL)) for point in samples(pieces, step)}


def _places(pieces: Sequence[Piece], width: float) -> Iterable[tuple[float, Box]]:
    """Yield places for a label with their costs: the middle of the line is best, and above is better than below."""
    parts = [(piece, part / 10) for piece in pieces for part in range(1, 10)]
    parts = parts[:: 1 + len(parts) // 60]  # a line through a hundred layers has more places than it needs
    middle = (len(parts) - 1) / 2
    for index, (piece, part) in enumerate(parts):
        chord = at(piece, part + 0.05) - at(piece, part - 0.05)
        across = chord * 1j / abs(chord)
        across *= -1 if across.imag > 0 else 1
        off = across * (abs(across.real) * width / 2 + abs(across.imag) * HEIGHT / 2 + 2)
        away = 6 * abs(index - middle) / len(parts)
        yield from (
            (away, Box(at(piece, part) + off, width)),
            (away + 0.5, Box(at(piece, part) - off, width)),
            (away + 1, Box(at(piece, part), width)),
        )
