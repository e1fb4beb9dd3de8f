"""The rooms of the repository and what they import, read off the code, and the picture in CONTRIBUTING.md."""

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


def rooms_svg() -> Svg:
    """Return the picture: a box for each room with its folders, and an arrow to each room that it needs directly."""
    texts = {room: _folders(room) for room in ROOMS}
    sizes = {
        room: (width_of(max([room, *lines], key=len)) + 24, float(_HEAD + _LINE * len(lines)))
        for room, lines in texts.items()
    }
    floors = levels()
    width = max(sum(sizes[room][0] + _GAP for room in floor) for floor in floors) + 2 * _MARGIN - _GAP
    places, y = dict[str, tuple[float, float]](), float(_MARGIN)
    for floor in floors:
        x = _middle(floor, places, sizes, width) - sum(sizes[room][0] + _GAP for room in floor) / 2 + _GAP / 2
        for room in floor:
            places[room] = (x, y)
            x += sizes[room][0] + _GAP
        y += max(sizes[room][1] for room in floor) + _GAP
    lines = [_arrow(places, sizes, one, other) for one, other in sorted(_direct())]
    boxes = [_box(room, texts[room], places[room], sizes[room]) for room in ROOMS]
    return picture(width, y - _GAP + _MARGIN, "".join([*lines, *boxes]), "The rooms, each above what it imports")


def _middle(
    floor: list[str], places: dict[str, tuple[float, float]], sizes: dict[str, tuple[float, float]], width: float
) -> float:
    """Return the middle of a floor: below the rooms that point to it, if it has one room alone."""
    above = [places[one][0] + sizes[one][0] / 2 for one, other in _direct() if [other] == floor]
    return sum(above) / len(above) if above else width / 2


def _folders(room: str) -> list[str]:
    """Return the names of a room's folders, a few on a line; the labs are too many to name."""
    names = sorted({path.parent.name for path in (ROOT / room).glob("*/__init__.py")})
    if room == "labs":
        names = ["a folder each"]
    lines = [""]
    for name in names:
        full = lines[-1] and len(lines[-1]) + len(name) > _SHOWN
        lines = [*lines, name] if full else [*lines[:-1], f"{lines[-1]} · {name}".strip(" ·")]
    return lines


def _direct() -> set[tuple[str, str]]:
    """Return the arrows between rooms, without those that follow from two others."""
    pairs = arrows(0)
    reach = set(pairs)
    for _ in ROOMS:
        reach |= {(one, last) for one, mid in reach for first, last in pairs if mid == first}
    over = {(one, last) for one, mid in reach for first, last in reach if mid == first}
    return set(pairs) - over


def _box(room: str, lines: list[str], place: tuple[float, float], size: tuple[float, float]) -> str:
    (x, y), (width, height) = place, size
    middle = x + width / 2
    body = tag("rect", class_="ring", x=x, y=y, width=width, height=height, rx=6)
    body += text_at(middle, y + 16, room, "bold")
    return body + "".join(text_at(middle, y + 34 + _LINE * i, line, "muted") for i, line in enumerate(lines))


def _arrow(places: dict[str, tuple[float, float]], sizes: dict[str, tuple[float, float]], one: str, other: str) -> str:
    start = places[one][0] + sizes[one][0] / 2, places[one][1] + sizes[one][1]
    end = places[other][0] + sizes[other][0] / 2, places[other][1] - 7
    bend = (end[1] - start[1]) / 2
    path = f"M{start[0]:.0f} {start[1]:.0f}C{start[0]:.0f} {start[1] + bend:.0f} {end[0]:.0f} {end[1] - bend:.0f}"
    head = f"M{end[0] - 4:.0f} {end[1]:.0f}h8l-4 7z"
    return tag("path", class_="line", d=f"{path} {end[0]:.0f} {end[1]:.0f}") + tag("path", class_="head", d=head)
