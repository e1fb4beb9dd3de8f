"""The tree of a pattern as a picture: from left to right, and the parts of a node from top to bottom."""

from collections.abc import Iterator

from labkit.automata.syntax import Alternation, Anchor, Chars, Concat, Node, Repeat
from labkit.errors import LimitExceeded
from labkit.pictures._svg import Svg, tag, text_at, tooltip, visible, width_of
from labkit.pictures.captions import captioned
from labkit.pictures.graphs.automaton import framed
from labkit.pictures.graphs.labels import LABEL_LIMIT, range_label
from labkit.pictures.graphs.layout import Line, Size, lay_out

MAX_NODES = 150
"""The most nodes that are drawn."""

_BOX = 24.0


def tree_svg(tree: Node, *, title: str = "") -> Svg:
    """Draw the tree of a parsed pattern: a box for each node, the root on the left.

    A leaf shows its characters, a repetition its bounds as ``{least,most}``. Without Graphviz the picture is a list of
    the nodes, indented.

    Raises ``LimitExceeded`` for more than ``MAX_NODES`` nodes.

    >>> picture = str(tree_svg(Concat((Chars(((97, 97),)), Repeat(Chars(((48, 57),)), 1, None)))))
    >>> "Repeat {1,}" in picture, "Chars [0-9]" in picture
    (True, True)
    """
    nodes = list(_nodes(tree))
    name = title or f"tree of {len(nodes)} nodes"
    sizes = {number: (width_of(visible(_text(node))) + 18, _BOX) for number, (node, _, _) in enumerate(nodes)}
    edges = {(parent, number): (0.0, 0.0) for number, (_, parent, _) in enumerate(nodes) if number}
    layout = lay_out(sizes, edges, shape="box", rankdir="LR", ordering="out", nodesep=0.15, ranksep=0.4)
    if layout is None:
        return captioned(name, [("    " * depth + _text(node), "mono") for node, _, depth in nodes])
    lines = [_line(*ends, line) for ends, line in layout.lines.items()]
    boxes = [_box(node, layout.centres[number], sizes[number]) for number, (node, _, _) in enumerate(nodes)]
    return framed([*lines, *boxes], layout.size, title, name)


def _nodes(tree: Node) -> Iterator[tuple[Node, int, int]]:
    """Yield each node, its parent's number and its depth: the root, then what is below it from top to bottom."""
    waiting, number = [(tree, -1, 0)], 0
    while waiting:
        if number == MAX_NODES:
            raise LimitExceeded("the tree of the pattern has too many nodes for a picture", MAX_NODES)
        node, parent, depth = waiting.pop()
        yield node, parent, depth
        waiting += [(one, number, depth + 1) for one in reversed(_below(node))]
        number += 1


def _below(node: Node) -> tuple[Node, ...]:
    match node:
        case Concat(parts):
            return parts
        case Alternation(options):
            return options
        case Repeat(body):
            return (body,)
    return ()


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


def _box(node: Node, centre: complex, size: Size) -> str:
    x, y, (width, height) = centre.real, centre.imag, size
    frame = tag("rect", class_="ring", x=x - width / 2, y=y - height / 2, width=width, height=height, rx=6)
    text = text_at(x, y, _text(node), "mono")
    return tag("g", tooltip(_text(node, None)), frame, text, class_="branch" if _below(node) else "leaf")


def _line(parent: int, child: int, line: Line) -> str:
    path = tag("path", class_="line", d=line.to_the_tip())
    return tag("g", path, class_="edge", data_from=str(parent), data_to=str(child))
