"""The positions of the states: a layered drawing, from left to right by distance from the initial state.

The method is that of Sugiyama, Tagawa and Toda (1981): layers, an order in each layer that crosses few edges, then
coordinates. An arrow over several layers has a spot of its own in each layer between, so no state is in its way.
Spots below ``len(graph)`` are states; the others are the places that arrows pass through.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from labkit.pictures.graphs.graph import Graph
from labkit.pictures.graphs.labels import Arrow

RADIUS = 17.0
LOOP = 48.0
"""How far a self-loop and its label reach above the circle of its state."""

_SWEEPS = 12


@dataclass(frozen=True)
class LayoutPlan:
    """The layer (``column``) and ``y`` of every spot, its extent up and down, and the chain of spots of each arrow."""

    column: list[int]
    y: list[float]
    above: list[float]
    below: list[float]
    chains: dict[Arrow, list[int]]


def make_plan(graph: Graph, arrows: Iterable[Arrow], stretch: float = 1.0) -> LayoutPlan:
    """Place the states; ``stretch`` spreads the rows for labels that found no room."""
    states = len(graph)
    # Layers: each state by its distance, and a spot in each layer between for an arrow that spans several.
    column = distances(graph)
    chains = {arrow: _chain(arrow, column) for arrow in arrows}
    columns: list[list[int]] = [[] for _ in range(max(column) + 1)]
    for spot, where in enumerate(column):
        columns[where].append(spot)
    # The order in each layer, and then heights that leave room for loops and their labels.
    near = _neighbours(chains, column)
    _reorder(columns, near, column)
    looped = {source for source, target in chains if source == target}
    half = [(RADIUS + 10) * stretch if spot < states else 10.0 * stretch for spot in range(len(column))]
    above = [size + (LOOP if spot in looped else 0.0) for spot, size in enumerate(half)]
    return LayoutPlan(column, _heights(columns, near, above, half, states), above, half, chains)


def distances(graph: Graph) -> list[int]:
    """Return the layer of each state: its distance from the initial state; unreachable states come after the rest.

    >>> from labkit.pictures.graphs.graph import Symbols
    >>> distances(Graph(3, 0, frozenset(), {(0, 1): Symbols(((97, 97),)), (2, 1): Symbols(((98, 98),))}))
    [0, 1, 2]
    """
    following, found = graph.following(), dict[int, int]()
    _walk(following, graph.initial, 0, found)
    after = max(found.values()) + 1
    for state in range(len(graph)):
        if state not in found:
            _walk(following, state, after, found)
    return [found[state] for state in range(len(graph))]


def reachable(graph: Graph) -> set[int]:
    """Return the states that can be reached from the initial one."""
    found: dict[int, int] = {}
    _walk(graph.following(), graph.initial, 0, found)
    return set(found)


def _walk(following: list[list[int]], start: int, layer: int, found: dict[int, int]) -> None:
    found[start] = layer
    queue = deque([start])
    while queue:
        state = queue.popleft()
        for target in following[state]:
            if target not in found:
                found[target] = found[state] + 1
                queue.append(target)


def _chain(arrow: Arrow, column: list[int]) -> list[int]:
    """Return the spots of one arrow; new ones are added at the end of ``column``."""
    start, end = column[arrow[0]], column[arrow[1]]
    between = list(range(start + 1, end) if start < end else range(start - 1, end, -1))
    column += between
    return [arrow[0], *range(len(column) - len(between), len(column)), arrow[1]]


def _neighbours(chains: dict[Arrow, list[int]], column: list[int]) -> list[list[int]]:
    near: list[list[int]] = [[] for _ in column]
    for chain in chains.values():
        for one, other in pairwise(chain):
            if column[one] != column[other]:
                near[one].append(other)
                near[other].append(one)
    return near


def _reorder(columns: list[list[int]], near: list[list[int]], column: list[int]) -> None:
    """Sort each layer by the mean place of its neighbours in the layer before, in sweeps left and right."""
    place = {spot: rank for spots in columns for rank, spot in enumerate(spots)}

    def mean_place(spot: int, side: int) -> float:
        ranks = [place[other] for other in near[spot] if (column[other] - column[spot]) * side > 0]
        return sum(ranks) / len(ranks) if ranks else place[spot]

    for sweep in range(_SWEEPS):
        side = 1 if sweep % 2 else -1
        for spots in columns[::-side]:
            spots.sort(key=lambda spot: mean_place(spot, side))
            place.update((spot, rank) for rank, spot in enumerate(spots))


def _heights(
    columns: list[list[int]], near: list[list[int]], above: list[float], below: list[float], states: int
) -> list[float]:
    """Return the y of each spot, as near to the mean of its neighbours as the order and the room allow."""
    y = [0.0] * len(near)
    for sweep in range(2 * _SWEEPS):
        for spots in columns if sweep % 2 else reversed(columns):
            gaps = [0.0, *(below[upper] + above[lower] for upper, lower in pairwise(spots))]
            ideals = [_ideal(spot, near, y, states) for spot in spots]
            weights = [1.0 if spot < states else 0.001 for spot in spots]
            for spot, height in zip(spots, settle(ideals, weights, gaps), strict=True):
                y[spot] = height
    return y


def _ideal(spot: int, near: list[list[int]], y: list[float], states: int) -> float:
    """Return a spot's ideal y. A state lines up with states if it can: passing arrows must not bend a chain."""
    others = near[spot]
    if spot < states:
        others = [other for other in others if other < states] or others
    return sum(y[other] for other in others) / len(others) if others else y[spot]


def settle(ideals: Sequence[float], weights: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """Return the heights nearest to the ideals in weighted squares, each at least its gap below the one before.

    This is the pool-adjacent-violators algorithm: neighbours that would overlap move together.

    >>> settle([0.0, 0.0, 50.0], [1, 1, 1], [0, 20, 20])
    [-10.0, 10.0, 50.0]
    """
    # Without its offset, each height has only to be at least the one before.
    offsets = list(accumulate(gaps))
    blocks: list[tuple[float, float, int]] = []
    for ideal, weight, offset in zip(ideals, weights, offsets, strict=True):
        level, count = ideal - offset, 1
        # A block above that would reach below this one joins it at their weighted mean.
        while blocks and blocks[-1][0] > level:
            above, mass, many = blocks.pop()
            level = (above * mass + level * weight) / (mass + weight)
            weight, count = mass + weight, many + count
        blocks.append((level, weight, count))
    levels = [level for level, _, count in blocks for _ in range(count)]
    return [level + offset for level, offset in zip(levels, offsets, strict=True)]
