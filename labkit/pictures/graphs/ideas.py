"""A map of ideas: which rests on which, and which are yours already."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from textwrap import wrap

from labkit.pictures._svg import Svg, tag, text_at, width_of
from labkit.pictures.captions import captioned
from labkit.pictures.graphs.automaton import framed
from labkit.pictures.graphs.layout import Size, lay_out

_LINE, _COLUMN = 16.0, 24


@dataclass(frozen=True)
class Idea:
    """An idea: the name of what teaches it, what it says, and the numbers of the ideas that it rests on."""

    name: str
    says: str
    after: tuple[int, ...] = ()


def ideas_svg(ideas: Mapping[int, Idea], yours: Collection[int], *, title: str = "") -> Svg:
    """Draw the ideas from top to bottom, each in a box: those that are yours filled, and the others dashed.

    Without Graphviz the picture is a list.

    >>> ideas = {1: Idea("01 a", "ask"), 2: Idea("02 b", "remember", (1,))}
    >>> ideas_svg(ideas, [1]).name
    '01 a: ask (yours), 02 b: remember'
    """
    said = ", ".join(f"{each.name}: {each.says}{' (yours)' * (n in yours)}" for n, each in ideas.items())
    rows = {number: [idea.name, *wrap(idea.says, _COLUMN)] for number, idea in ideas.items()}
    sizes = {number: (max(map(width_of, lines)) * 0.95 + 16, _LINE * len(lines) + 12) for number, lines in rows.items()}
    edges = {(before, number): (0.0, 0.0) for number, idea in ideas.items() for before in idea.after}
    layout = lay_out(sizes, edges, shape="box", nodesep=0.25, ranksep=0.3)
    name = f"{title}: {said}" if title else said
    if layout is None:
        return captioned(title or "ideas", [(f"{each.name}: {each.says}", "mono") for each in ideas.values()])
    lines = [
        tag("g", line.drawn(" strong" if {before, number} <= {*yours} else ""), class_="edge")
        for (before, number), line in layout.lines.items()
    ]
    boxes = [_box(rows[n], layout.centres[n], sizes[n], "allowed" if n in yours else "skipped") for n in ideas]
    return framed([*lines, *boxes], layout.size, title, name)


def _box(lines: list[str], centre: complex, size: Size, kind: str) -> str:
    x, y, (width, height) = centre.real, centre.imag, size
    ring = tag("rect", class_="ring", x=x - width / 2, y=y - height / 2, width=width, height=height, rx=6)
    top = y - _LINE * (len(lines) - 1) / 2
    texts = [text_at(x, top + _LINE * n, line, "" if n else "bold") for n, line in enumerate(lines)]
    return tag("g", ring, *texts, class_=kind)
