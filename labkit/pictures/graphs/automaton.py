"""An automaton as a picture."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from labkit.errors import LimitExceeded
from labkit.pictures._svg import Svg, num, picture, tag, text_at, tooltip, visible, width_of
from labkit.pictures.graphs.curves import Piece, at, path_data, samples
from labkit.pictures.graphs.graph import Automaton, Graph, graph_of
from labkit.pictures.graphs.labels import LABEL_LIMIT, Arrow, char_label
from labkit.pictures.graphs.layout import RADIUS, make_plan, reachable
from labkit.pictures.graphs.placing import Box
from labkit.pictures.graphs.routes import Drawing, draw

MAX_ARROWS = 1000
"""The most arrows that are drawn: a picture of more would be unreadable, unlike ``fsm_text``."""

_MARGIN = 16.0
_STRETCHES = (1.0, 1.25, 1.6, 2.0, 2.6, 3.4)
_MOST_STRETCHED = 60


def fsm_svg(
    automaton: Automaton,
    *,
    highlight: int | Collection[int] | None = None,
    path: Sequence[int] = (),
    clash: Mapping[Arrow, Iterable[str]] | None = None,
    notes: Mapping[int, str] | None = None,
    spread: float = 1.0,
    title: str = "",
) -> Svg:
    """Draw an automaton, from left to right by distance from its initial state.

    ``automaton`` is an ``Fsm``, a ``Dfa`` or an ``Nfa``; its epsilon transitions are dashed arrows marked ε.
    ``highlight`` marks the current state, or several. ``path`` is the sequence of states of a walk, whose arrows are
    drawn bold. ``clash`` adds dashed red arrows for transitions that the automaton lacks and could not have. ``notes``
    writes a short text on the lower edge of a state. ``spread`` above 1 draws the states farther apart, for an
    automaton whose labels are close together. The same automaton gives the same SVG on every computer.

    Raises ``ValueError`` for a state that the automaton does not have, a path along no transition, or a clash along
    one; ``LimitExceeded`` for more than ``MAX_ARROWS`` arrows.

    >>> from labkit.automata import Fsm
    >>> picture = str(fsm_svg(Fsm(({"a": 1}, {}), 0, frozenset({1})), path=[0, 1]))
    >>> picture.count("<circle"), 'data-from="0" data-to="1"' in picture
    (3, True)
    """
    graph = graph_of(automaton)
    current = {highlight} if isinstance(highlight, int) else set(highlight or ())
    faults = {arrow: frozenset(chars) for arrow, chars in (clash or {}).items()}
    _check(graph, [*path, *(notes or {}), *sorted(current)], path, faults)
    if len(graph.arrows) + len(faults) > MAX_ARROWS:
        count = len(graph.arrows) + len(faults)
        raise LimitExceeded(f"a picture of {count:,} arrows shows nothing; print fsm_text(automaton)", MAX_ARROWS)
    labels, full = _labels(graph, faults, LABEL_LIMIT), _labels(graph, faults, None)
    drawing = _arrange(graph, labels, spread)
    # the classes of lines that are not plain; a walk takes precedence over epsilon
    silent = {arrow: " ghost" for arrow, symbols in graph.arrows.items() if not symbols.ranges}
    weights = silent | dict.fromkeys(pairwise(path), " strong") | dict.fromkeys(faults, " clash")
    edges = []
    for arrow in sorted(labels, key=weights.__contains__):
        pieces, weight = drawing.lines[arrow], weights.get(arrow, "")
        line = tag("path", class_=f"line{weight}", d=path_data(pieces)) + _head(pieces[-1], weight)
        edges.append(tag("g", line, class_="edge", data_from=str(arrow[0]), data_to=str(arrow[1])))
    marks = [_label(drawing.boxes[arrow], labels[arrow], arrow, full[arrow]) for arrow in labels]
    classes = _classes(graph, current, path)
    nodes = [_node(graph, state, drawing.centres[state], classes[state]) for state in range(len(graph))]
    for state, note in (notes or {}).items():
        x, y, width = drawing.centres[state].real, drawing.centres[state].imag + RADIUS + 1, width_of(visible(note)) + 8
        patch = tag("rect", class_="ring", x=x - width / 2, y=y - 8, width=width, height=16, rx=8)
        text = text_at(x, y, note, class_="mono bold")
        nodes.append(tag("g", patch, text, class_="note", data_note=str(state)))
    tip = drawing.centres[graph.initial] - RADIUS - 1
    piece = (tip - 26, tip)
    start = tag("g", tag("path", class_="line", d=path_data([piece])), _head(piece, ""), class_="start")
    return _framed([start, *edges, *nodes, *marks], drawing, title, f"automaton of {len(graph)} states")


def _check(graph: Graph, marked: Sequence[int], path: Sequence[int], clash: Iterable[Arrow]) -> None:
    for state in [*marked, *(state for arrow in clash for state in arrow)]:
        if not 0 <= state < len(graph):
            raise ValueError(f"there is no state {state} to mark; the states are 0 to {len(graph) - 1}")
    for source, target in pairwise(path):
        if (source, target) not in graph.arrows:
            raise ValueError(f"the path goes from state {source} to {target}, but no transition does")
    for source, target in clash:
        if (source, target) in graph.arrows:
            raise ValueError(f"the arrow from state {source} to {target} is the automaton's own, and no clash")


def _labels(graph: Graph, faults: Mapping[Arrow, frozenset[str]], limit: int | None) -> dict[Arrow, str]:
    """Return the label of each arrow, in order."""
    labels = {arrow: symbols.label(limit=limit) for arrow, symbols in graph.arrows.items()}
    labels |= {arrow: char_label(chars, limit=limit) for arrow, chars in faults.items()}
    return dict(sorted(labels.items()))


def _arrange(graph: Graph, labels: dict[Arrow, str], spread: float) -> Drawing:
    """Stretch the drawing until every label has room; an automaton of many states takes the first drawing."""
    silent = any(symbols.epsilon for symbols in graph.arrows.values())  # such arrows come in bundles, which need room
    tries = [spread * stretch for stretch in _STRETCHES[silent:]]
    for stretch in tries if len(graph) <= _MOST_STRETCHED else tries[:1]:
        drawing = draw(make_plan(graph, labels, stretch), labels, len(graph), stretch)
        if drawing.fits:
            break
    return drawing


def _classes(graph: Graph, current: Collection[int], path: Sequence[int]) -> list[str]:
    """Return the class names of each state."""
    reach = reachable(graph)
    return [
        "node"
        + " accepting" * (state in graph.accepting)
        + " visited" * (state in path)
        + " current" * (state in current)
        + " unreachable" * (state not in reach)
        for state in range(len(graph))
    ]


def _head(piece: Piece, weight: str) -> str:
    """Draw the head of a line: a polygon, since an SVG marker would need an id that is unique in the page."""
    tip = piece[-1]
    unit = (tip - at(piece, 1 - 8 / max(16.0, abs(tip - piece[0])))) or 1
    unit /= abs(unit)
    corners = tip, tip - unit * 9 + unit * 4j, tip - unit * 9 - unit * 4j
    return tag("polygon", class_=f"head{weight}", points=" ".join(f"{num(p.real)},{num(p.imag)}" for p in corners))


def _node(graph: Graph, state: int, centre: complex, classes: str) -> str:
    x, y = centre.real, centre.imag
    rings = [tag("circle", class_="ring", cx=x, cy=y, r=RADIUS)]
    if state in graph.accepting:
        rings.append(tag("circle", class_="ring", cx=x, cy=y, r=RADIUS - 4))
    return tag("g", *rings, text_at(x, y, str(state)), class_=classes, data_state=str(state))


def _label(box: Box, label: str, arrow: Arrow, full: str) -> str:
    """Draw the text on a patch of the panel's colour, so that a line behind it does not strike it through."""
    low = box.middle - complex(box.width, box.height) / 2
    patch = tag("rect", class_="back", x=low.real, y=low.imag, width=box.width, height=box.height, rx=3)
    text = text_at(box.middle.real, box.middle.imag, label, class_="mono")
    ends = {"data_from": str(arrow[0]), "data_to": str(arrow[1])}
    return tag("g", tooltip(full), patch, text, class_="label", **ends)


def _framed(body: list[str], drawing: Drawing, title: str, name: str) -> Svg:
    """Return everything on a panel of just the right size."""
    left, top, right, bottom = _extent(drawing)
    head = 30.0 if title else 0.0
    width = max(right - left, width_of(title) * 1.25 if title else 0.0) + 2 * _MARGIN
    heading = [text_at(_MARGIN, 22, title, class_="title", anchor="start")] if title else []
    shift = f"translate({num(_MARGIN - left)} {num(_MARGIN + head - top)})"
    return picture(
        width, bottom - top + 2 * _MARGIN + head, "".join([*heading, tag("g", *body, transform=shift)]), title or name
    )


def _extent(drawing: Drawing) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom edge of all that is drawn."""
    circle = complex(RADIUS, RADIUS)
    corners = [point for centre in drawing.centres for point in (centre - circle, centre + circle)]
    corners += [point for pieces in drawing.lines.values() for point in samples(pieces, step=16)]
    for box in drawing.boxes.values():
        half = complex(box.width, box.height) / 2
        corners += [box.middle - half, box.middle + half]
    corners.append(complex(-RADIUS - 27, drawing.centres[0].imag))
    xs, ys = [point.real for point in corners], [point.imag for point in corners]
    return min(xs), min(ys), max(xs), max(ys)
