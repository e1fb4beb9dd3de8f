"""The rooms of the repository and what they import, read off the code, and the picture in CONTRIBUTING.md."""

from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from course.student.core.catalog import ROOT
from course.student.core.import_closure import imported
from labkit.pictures._svg import Svg, picture, tag, text_at, width_of

ROOMS = ("labkit", "labs", "bridges", *(f"course/{path.parent.name}" for path in ROOT.glob("course/*/__init__.py")))
PICTURE = ROOT / "course" / "upkeep" / "pages" / "rooms.svg"

_LINE, _GAP, _MARGIN, _HEAD = 17, 46, 24, 30
_SHOWN = 34
"""About how many characters of folder names stand on one line of a box."""


@cache
def arrows(depth: int) -> frozenset[tuple[str, str]]:
    """Return what imports what: rooms, or with depth 1 the folders and the loose files in them.

    >>> ("course/student", "labkit") in arrows(0), ("labkit", "course/student") in arrows(0)
    (True, False)
    """
    files = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    pairs = {(_place(file, depth), _place(other, depth)) for file in files for other in imported(file)}
    return frozenset((one, other) for one, other in pairs if one and other and one != other)


def _place(file: Path, depth: int) -> str:
    name = file.relative_to(ROOT).with_suffix("").as_posix()
    room = next((room for room in ROOMS if name.startswith(f"{room}/")), "")
    inner = name.removeprefix(f"{room}/").split("/")[:depth]
    return "/".join([room, *inner]) if room and inner != ["__init__"] else ""


def levels() -> list[list[str]]:
    """Return the rooms from the top floor down; a room stands above everything that it imports.

    Raises:
        graphlib.CycleError: if rooms import each other in a circle.
    """
    sorter = TopologicalSorter({room: {one for one, other in arrows(0) if other == room} for room in ROOMS})
    sorter.prepare()
    floors = []
    while sorter.is_active():
        floors.append(sorted(sorter.get_ready(), reverse=True))
        sorter.done(*floors[-1])
    return floors


@dataclass
class _Box:
    """A room in the picture: the names of its folders, a few on a line; and its place."""

    room: str
    x: float = 0.0
    y: float = 0.0

    def __post_init__(self) -> None:
        names = sorted({path.parent.name for path in (ROOT / self.room).glob("*/__init__.py")})
        self.lines = [""]
        for name in names if self.room != "labs" else ["a folder each"]:  # the labs are too many to name
            if self.lines[-1] and len(self.lines[-1]) + len(name) > _SHOWN:
                self.lines.append(name)
            else:
                self.lines[-1] = f"{self.lines[-1]} · {name}".strip(" ·")
        self.width = width_of(max([self.room, *self.lines], key=len)) + 24
        self.height = float(_HEAD + _LINE * len(self.lines))

    @property
    def middle(self) -> float:
        return self.x + self.width / 2

    def drawn(self) -> str:
        body = tag("rect", class_="ring", x=self.x, y=self.y, width=self.width, height=self.height, rx=6)
        body += text_at(self.middle, self.y + 16, self.room, "bold")
        lines = enumerate(self.lines)
        return body + "".join(text_at(self.middle, self.y + 34 + _LINE * i, line, "muted") for i, line in lines)

    def arrow_to(self, other: "_Box") -> str:
        x, y, end_x, end_y = self.middle, self.y + self.height, other.middle, other.y - 7
        bend = (end_y - y) / 2
        path = f"M{x:.0f} {y:.0f}C{x:.0f} {y + bend:.0f} {end_x:.0f} {end_y - bend:.0f} {end_x:.0f} {end_y:.0f}"
        head = f"M{end_x - 4:.0f} {end_y:.0f}h8l-4 7z"
        return tag("path", class_="line", d=path) + tag("path", class_="head", d=head)


def rooms_svg() -> Svg:
    """Return the picture: a box for each room with its folders, and an arrow to each room that it needs directly."""
    boxes, floors, direct = {room: _Box(room) for room in ROOMS}, levels(), _direct()
    spans = [sum(boxes[room].width + _GAP for room in floor) for floor in floors]
    width, y = max(spans) + 2 * _MARGIN - _GAP, float(_MARGIN)
    for floor, span in zip(floors, spans, strict=True):
        # A room that has the floor for itself stands below those that point to it.
        above = [boxes[one].middle for one, other in direct if [other] == floor]
        x = (sum(above) / len(above) if above else width / 2) - span / 2 + _GAP / 2
        for room in floor:
            boxes[room].x, boxes[room].y = x, y
            x += boxes[room].width + _GAP
        y += max(boxes[room].height for room in floor) + _GAP
    parts = [boxes[one].arrow_to(boxes[other]) for one, other in sorted(direct)]
    parts += [box.drawn() for box in boxes.values()]
    return picture(width, y - _GAP + _MARGIN, "".join(parts), "The rooms, each above what it imports")


def _direct() -> set[tuple[str, str]]:
    """Return the arrows between rooms, without those that follow from two others."""
    pairs = arrows(0)
    reach = set(pairs)
    for _ in ROOMS:
        reach |= {(one, last) for one, mid in reach for first, last in pairs if mid == first}
    return set(pairs) - {(one, last) for one, mid in reach for first, last in reach if mid == first}
