"""An automaton as a picture."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from labkit.errors import LimitExceeded
from labkit.pictures._svg import Svg, num, picture, tag, text_at, tooltip, visible, width_of
from labkit.pictures.captions import captioned
from labkit.pictures.graphs.graph import Automaton, Graph, graph_of, joined
from labkit.pictures.graphs.labels import LABEL_LIMIT, Arrow, char_label
from labkit.pictures.graphs.layout import START, Layout, Size, lay_out
from labkit.pictures.graphs.text import fsm_text

MAX_ARROWS = 200
"""The most arrows that are drawn: a picture of more would be unreadable, unlike ``fsm_text``."""

_RADIUS = 18.0
_NOTED = 23.0
"""Half the height of a state with a note."""
_MARGIN = 16.0
_WIDEST = 900.0
_ROOMY = 80  # arrows up to which labels have room of their own: keeping it free takes a time that grows fast


def fsm_svg(
    automaton: Automaton,
    *,
    highlight: int | Collection[int] | None = None,
    path: Sequence[int] = (),
    clash: Mapping[Arrow, Iterable[str]] | None = None,
    notes: Mapping[int, str] | None = None,
    dead: Collection[int] = (),
    skipped: Collection[int] = (),
    chains: bool = False,
    title: str = "",
) -> Svg:
    """Draw an automaton as Graphviz lays it out: from left to right, or downwards where that would be too wide.

    ``automaton`` is an ``Fsm``, a ``Dfa`` or an ``Nfa``; its epsilon transitions are dashed arrows marked ε.
    ``highlight`` marks the current state, or several. ``path`` is the sequence of states of a walk, whose arrows are
    drawn bold. ``clash`` adds dashed red arrows for transitions that the automaton lacks and could not have. ``notes``
    writes a short text below the number of a state. ``dead`` strikes states and the arrows to them, and ``skipped``
    only hints at states that nobody looked at. ``chains`` draws states in a row, each with one character in and one
    out, as a single arrow with a word. Without Graphviz the picture is ``fsm_text``.

    Raises ``ValueError`` for a state that the automaton does not have, a path along no transition, or a clash along
    one; ``LimitExceeded`` for more than ``MAX_ARROWS`` arrows.

    >>> from labkit.automata import Fsm
    >>> fsm_svg(Fsm(({"a": 1}, {}), 0, frozenset({1})), path=[0, 1], title="the text a").name
    'the text a'
    """
    graph = graph_of(automaton)
    current = {highlight} if isinstance(highlight, int) else set(highlight or ())
    faults = {arrow: frozenset(chars) for arrow, chars in (clash or {}).items()}
    noted = notes or {}
    marked = [*path, *noted, *sorted(current), *dead, *skipped]
    _check(graph, marked, path, faults)
    name = title or f"automaton of {len(graph)} states"
    if chains:
        graph = joined(graph, {*marked, *(state for arrow in faults for state in arrow)})
    labels, full = _labels(graph, faults, LABEL_LIMIT), _labels(graph, faults, None)
    if len(labels) > MAX_ARROWS:
        raise LimitExceeded(f"a picture of {len(labels):,} arrows shows nothing; print fsm_text(automaton)", MAX_ARROWS)
    layout = _layout(graph, labels, {state: _size(note) for state, note in noted.items()})
    if layout is None:
        return captioned(name, [(line, "mono") for line in fsm_text(automaton).splitlines()])
    edges = _edges(graph, layout, path, {*faults, *_into(graph, dead)}, _into(graph, skipped))
    roomy = len(labels) <= _ROOMY
    marks = [_label(layout.lines[arrow].label, labels[arrow], arrow, full[arrow], roomy=roomy) for arrow in labels]
    classes = _classes(graph, {"visited": path, "current": current, "dead": dead, "skipped": skipped})
    nodes = [_node(graph, state, layout.centres[state], classes[state], noted.get(state, "")) for state in graph.states]
    return framed([*edges, *nodes, *marks], layout.size, title, name)


def framed(body: list[str], size: Size, title: str, name: str) -> Svg:
    """Return a drawing on a panel, below its title."""
    head = 30.0 if title else 0.0
    width = max(size[0], width_of(title) * 1.25) + 2 * _MARGIN
    heading = text_at(_MARGIN, 22, title, class_="title", anchor="start") if title else ""
    drawn = tag("g", *body, class_="graph", transform=f"translate({num(_MARGIN)} {num(_MARGIN + head)})")
    return picture(width, size[1] + 2 * _MARGIN + head, heading + drawn, name)


def _check(graph: Graph, marked: Sequence[int], path: Sequence[int], clash: Iterable[Arrow]) -> None:
    for state in [*marked, *(state for arrow in clash for state in arrow)]:
        if state not in graph.states:
            raise ValueError(f"there is no state {state} to mark; the states are 0 to {graph.states[-1]}")
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


def _into(graph: Graph, states: Collection[int]) -> set[Arrow]:
    return {arrow for arrow in graph.arrows if arrow[1] in states}


def _size(note: str) -> Size:
    """Return the size of an ellipse that holds a state's number, and below it a note."""
    if not note:
        return 2 * _RADIUS, 2 * _RADIUS
    return max(2 * _RADIUS + 6, width_of(visible(note)) * 1.1 + 20), 2 * _NOTED


def _layout(graph: Graph, labels: Mapping[Arrow, str], sizes: Mapping[int, Size]) -> Layout | None:
    nodes = {START: (1.0, 1.0)} | {state: sizes.get(state, _size("")) for state in graph.states}
    edges = {(START, graph.initial): (0.0, 0.0)}
    roomy = len(labels) <= _ROOMY
    edges |= {arrow: (roomy * (width_of(visible(label)) + 6), 20.0) for arrow, label in labels.items()}
    for direction, gap in (("LR", 0.3), ("LR", 0.2), ("TB", 0.2)):
        layout = lay_out(nodes, edges, graph.backward(), rankdir=direction, nodesep=0.3, ranksep=gap)
        if layout is None or layout.size[0] <= _WIDEST or not roomy:
            break
    return layout


def _edges(
    graph: Graph, layout: Layout, path: Sequence[int], faults: Iterable[Arrow], faint: Collection[Arrow]
) -> list[str]:
    """Draw the lines, those that stand out last; of a walk over an epsilon transition the walk is shown."""
    silent = dict.fromkeys(faint, " ghost")
    silent |= {arrow: " ghost" for arrow, symbols in graph.arrows.items() if symbols.epsilon and not symbols.ranges}
    kinds = silent | dict.fromkeys(pairwise(path), " strong") | dict.fromkeys(faults, " clash")
    edges = [tag("g", layout.lines[START, graph.initial].drawn(), class_="start")]
    for arrow in sorted({*graph.arrows, *faults}, key=lambda arrow: (arrow in kinds, arrow)):
        line = layout.lines[arrow].drawn(kinds.get(arrow, ""))
        edges.append(tag("g", line, class_="edge", data_from=str(arrow[0]), data_to=str(arrow[1])))
    return edges


def _classes(graph: Graph, marks: Mapping[str, Collection[int]]) -> dict[int, str]:
    """Return the class names of each state."""
    marks = {
        "accepting": graph.accepting,
        **marks,
        "unreachable": set(graph.states) - set(graph.distances(graph.initial)),
    }
    return {state: " ".join(["node", *(name for name in marks if state in marks[name])]) for state in graph.states}


def _node(graph: Graph, state: int, centre: complex, classes: str, note: str) -> str:
    x, y = centre.real, centre.imag
    width, height = _size(note)
    gone = "struck" if "dead" in classes.split() else ""
    rings = [_ring(x, y, width / 2, height / 2)]
    if state in graph.accepting:
        rings.append(_ring(x, y, width / 2 - 4, height / 2 - 4))
    number = text_at(x, y - 7 * bool(note), str(state), gone)
    said = [tag("g", text_at(x, y + 8, note, "mono bold"), class_="note", data_note=str(state))] if note else []
    return tag("g", *rings, number, *said, class_=classes, data_state=str(state))


def _ring(x: float, y: float, across: float, down: float) -> str:
    if across == down:
        return tag("circle", class_="ring", cx=x, cy=y, r=across)
    return tag("ellipse", class_="ring", cx=x, cy=y, rx=across, ry=down)


def _label(middle: complex, label: str, arrow: Arrow, full: str, *, roomy: bool) -> str:
    """Draw the text; where it has no room of its own, on a patch, so that its line does not strike it through."""
    width = width_of(visible(label))
    patch = tag("rect", class_="back", x=middle.real - width / 2, y=middle.imag - 8, width=width, height=16, rx=3)
    inside = [tooltip(full), patch * (not roomy), text_at(middle.real, middle.imag, label, class_="mono")]
    return tag("g", *inside, class_="label", data_from=str(arrow[0]), data_to=str(arrow[1]))
