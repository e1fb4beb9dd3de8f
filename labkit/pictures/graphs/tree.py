"""The tree of a pattern as a picture: from left to right, and the parts of a node from top to bottom."""

from collections.abc import Iterator
from dataclasses import dataclass

from labkit.automata.syntax import Alternation, Anchor, Chars, Concat, Node, Repeat
from labkit.errors import LimitExceeded
from labkit.pictures._svg import Svg, picture, tag, text_at, tooltip, visible, width_of
from labkit.pictures.graphs.curves import join, path_data
from labkit.pictures.graphs.labels import LABEL_LIMIT, range_label

MAX_NODES = 150
"""The most nodes that are drawn."""

_ROW, _BOX, _GAP, _MARGIN = 36.0, 24.0, 34.0, 16.0


@dataclass(frozen=True)
class _Spot:
    """A node in its place: its depth, its row, and the spots below it."""

    node: Node
    depth: int
    row: float
    below: "tuple[_Spot, ...]"

    def all(self) -> "Iterator[_Spot]":
        """Yield the spot itself, then everything below it, from top to bottom."""
        yield self
        for spot in self.below:
            yield from spot.all()


def tree_svg(tree: Node, *, title: str = "") -> Svg:
    """Draw the tree of a parsed pattern: a box for each node, the root on the left.

    A leaf shows its characters, a repetition its bounds as ``{least,most}``.

    Raises ``LimitExceeded`` for more than ``MAX_NODES`` nodes.

    >>> picture = str(tree_svg(Concat((Chars(((97, 97),)), Repeat(Chars(((48, 57),)), 1, None)))))
    >>> picture.count("<rect") - 1, "Repeat {1,}" in picture, "Chars [0-9]" in picture
    (4, True, True)
    """
    if _size(tree, MAX_NODES) > MAX_NODES:
        raise LimitExceeded("the tree of the pattern has too many nodes for a picture", MAX_NODES)
    spots = list(_placed(tree, 0, [0]).all())
    left, right = _columns(spots)
    top = _MARGIN + _BOX / 2 + (30 if title else 0)
    parts = [text_at(_MARGIN, 24, title, "title", "start")] if title else []
    for spot in spots:
        parts += [_line(spot, one, left, right, top) for one in spot.below]
    parts += [_box(spot, left[spot.depth], top) for spot in spots]
    rows = max(spot.row for spot in spots)
    width = max(right[-1], _MARGIN + width_of(title) * 1.25) + _MARGIN
    name = title or f"tree of {len(spots)} nodes"
    return picture(width, top + rows * _ROW + _BOX / 2 + _MARGIN, "".join(parts), name)


def _below(node: Node) -> tuple[Node, ...]:
    match node:
        case Concat(parts):
            return parts
        case Alternation(options):
            return options
        case Repeat(body):
            return (body,)
    return ()


def _size(node: Node, most: int) -> int:
    """Return the number of nodes; beyond ``most`` counting stops."""
    count, waiting = 0, [node]
    while waiting and count <= most:
        count += 1
        waiting += _below(waiting.pop())
    return count


def _placed(node: Node, depth: int, rows: list[int]) -> _Spot:
    """Place the leaves in successive rows (``rows`` holds the next free one), and each branch in their middle."""
    below = tuple(_placed(one, depth + 1, rows) for one in _below(node))
    if below:
        return _Spot(node, depth, (below[0].row + below[-1].row) / 2, below)
    rows[0] += 1
    return _Spot(node, depth, rows[0] - 1, ())


def _columns(spots: list[_Spot]) -> tuple[list[float], list[float]]:
    """Return where the boxes of each depth start, and where the widest of them ends."""
    left, right = list[float](), list[float]()
    for depth in range(1 + max(spot.depth for spot in spots)):
        left.append(right[-1] + _GAP if right else _MARGIN)
        right.append(left[-1] + max(_width(spot.node) for spot in spots if spot.depth == depth))
    return left, right


def _text(node: Node, limit: int | None = LABEL_LIMIT) -> str:
    match node:
        case Chars(ranges):
            return f"Chars {range_label(ranges, limit=limit) if ranges else 'none'}"
        case Repeat(_, least, most):
            count = str(least) if least == most else f"{least},{'' if most is None else most}"
            return f"Repeat {{{count}}}"
        case Anchor(source):
            return f"Anchor {source}"
    return type(node).__name__ + ", empty" * (not _below(node))


def _width(node: Node) -> float:
    return width_of(visible(_text(node))) + 18


def _box(spot: _Spot, x: float, top: float) -> str:
    y, width = top + spot.row * _ROW, _width(spot.node)
    frame = tag("rect", class_="ring", x=x, y=y - _BOX / 2, width=width, height=_BOX, rx=6)
    text = text_at(x + width / 2, y, _text(spot.node), "mono")
    return tag("g", tooltip(_text(spot.node, None)), frame, text, class_="branch" if spot.below else "leaf")


def _line(spot: _Spot, below: _Spot, left: list[float], right: list[float], top: float) -> str:
    start = complex(left[spot.depth] + _width(spot.node), top + spot.row * _ROW)
    turn = complex(right[spot.depth], start.imag)
    end = complex(left[below.depth], top + below.row * _ROW)
    pieces = [(start, turn)] * (turn != start) + [join(turn, 1 + 0j, -1 + 0j, end)]
    return tag("path", class_="line", d=path_data(pieces))
