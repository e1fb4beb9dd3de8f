"""Graphviz's layout of a graph: we say how large things are, so that no font has a say, and it says where they go."""

import json
import subprocess
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from shutil import which
from typing import Any

from labkit.pictures._svg import num, tag
from labkit.pictures.graphs.labels import Arrow

Size = tuple[float, float]
"""Width and height in pixels."""

START = -1
"""The number of the node from which the arrow to the initial state comes; nothing else is drawn of it."""

_INCH = 72  # a pixel of ours is a point of Graphviz's


@dataclass(frozen=True)
class Line:
    """An arrow: the points of its cubic Bézier curves, the tip of its head, and the middle of its label."""

    points: list[complex]
    tip: complex
    label: complex

    def to_the_tip(self) -> str:
        """Return the line without a head as the ``d`` attribute of an SVG path."""
        return f"{path_data(self.points)}L{num(self.tip.real)} {num(self.tip.imag)}"

    def drawn(self, kind: str = "") -> str:
        """Draw the line with its head: a polygon, since an SVG marker would need an id that is unique in the page."""
        base = self.points[-1]
        across = (self.tip - base) / abs(self.tip - base) * 4j
        corners = " ".join(f"{num(p.real)},{num(p.imag)}" for p in (self.tip, base + across, base - across))
        line = tag("path", class_=f"line{kind}", d=path_data(self.points))
        return line + tag("polygon", class_=f"head{kind}", points=corners)


@dataclass(frozen=True)
class Layout:
    """Where everything goes, as complex numbers: real to the right, imaginary downwards."""

    size: Size
    centres: dict[int, complex]
    lines: dict[Arrow, Line]


def lay_out(
    nodes: Mapping[int, Size],
    edges: Mapping[Arrow, Size],
    back: Collection[Arrow] = (),
    *,
    shape: str = "ellipse",
    **settings: str | float,
) -> Layout | None:
    """Return Graphviz's layout of a graph, or None where there's no Graphviz.

    Args:
        nodes: the size of each node.
        edges: the size of each edge's label; one without width gets no room, and lies on its line.
        back: the edges that may take any way round, so that the others are straight.
        shape: of the nodes, which is where their arrows end.
        settings: attributes of the graph, such as ``rankdir``.

    >>> layout = lay_out({0: (36, 36), 1: (36, 36)}, {(0, 1): (20, 16)}, rankdir="LR")
    >>> layout is None or layout.centres[0].real < layout.lines[0, 1].label.real < layout.centres[1].real  # in a row
    True
    """
    drawn = _graphviz("\n".join(_dot(nodes, edges, back, shape, settings)))
    return None if drawn is None else _read(json.loads(drawn))


def path_data(points: Sequence[complex]) -> str:
    """Return the points of cubic Bézier curves as the ``d`` attribute of an SVG path.

    >>> path_data([0j, 10 + 0j, 20 + 0j, 20 + 10j])
    'M0 0C10 0 20 0 20 10'
    """
    first, *rest = (f"{num(point.real)} {num(point.imag)}" for point in points)
    return f"M{first}C{' '.join(rest)}"


def _dot(
    nodes: Mapping[int, Size],
    edges: Mapping[Arrow, Size],
    back: Collection[Arrow],
    shape: str,
    settings: Mapping[str, str | float],
) -> Iterator[str]:
    yield "digraph {"
    yield " ".join(["graph [", *(f'{name}="{value}"' for name, value in settings.items()), "]"])
    yield f'node [label="" fixedsize=true shape={shape}]'
    yield "edge [arrowsize=0.9]"
    for node, (width, height) in nodes.items():
        yield f"{node} [width={width / _INCH} height={height / _INCH}]"
    for (source, target), (width, height) in edges.items():
        room = f'border="0" fixedsize="true" width="{width:.0f}" height="{height:.0f}"'
        label = f" label=<<table {room}><tr><td></td></tr></table>>" if width else ""
        yield f"{source} -> {target} [weight={int((source, target) not in back)}{label}]"
    yield "}"


def _graphviz(dot: str) -> bytes | None:
    """Run Graphviz's ``dot``: the one inside pygraphviz, else the one of this computer."""
    with suppress(ImportError):
        from pygraphviz import AGraph  # only here, since it takes 0.1 s

        return bytes(AGraph(string=dot).draw(format="json0", prog="dot"))
    if which("dot") is None:
        return None
    return subprocess.run(["dot", "-Tjson0"], input=dot.encode(), capture_output=True, check=True).stdout


def _read(drawn: dict[str, Any]) -> Layout:
    """Read what Graphviz says in JSON; its vertical axis points upwards."""
    _, _, width, height = map(float, drawn["bb"].split(","))

    def point(pair: str) -> complex:
        x, y = pair.split(",")
        return complex(float(x), height - float(y))

    names = {node["_gvid"]: int(node["name"]) for node in drawn["objects"]}
    centres = {names[node["_gvid"]]: point(node["pos"]) for node in drawn["objects"]}
    lines = {}
    for edge in drawn.get("edges", []):
        tip, *points = map(point, edge["pos"].removeprefix("e,").split())
        middle = point(edge["lp"]) if "lp" in edge else points[len(points) // 2]
        lines[names[edge["tail"]], names[edge["head"]]] = Line(points, tip, middle)
    return Layout((width, height), centres, lines)
