"""The rooms of the repository and what they import, read off the code, and the chart in CONTRIBUTING.md."""

from functools import cache
from pathlib import Path

from course.student.core.catalog import ROOT
from course.student.core.import_closure import imported

COURSE = sorted(f"course/{path.parent.name}" for path in ROOT.glob("course/*/__init__.py"))
ROOMS = ("labkit", "labs", "mask_engine", "bridges", *COURSE)
PAGE = ROOT / "CONTRIBUTING.md"


@cache
def arrows(depth: int) -> frozenset[tuple[str, str]]:
    """Return what imports what: rooms, or with depth 1 the folders and the loose files in them.

    ``mask_engine`` extends labs 06 to 08, and labs 09 on stand on both; only its arrow to the labs counts.

    >>> ("course/student", "labkit") in arrows(0), ("labkit", "course/student") in arrows(0)
    (True, False)
    """
    files = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    pairs = {(_place(file, depth), _place(other, depth)) for file in files for other in imported(file)}
    upwards = {(one, other) for one, other in pairs if one.startswith("labs") and other.startswith("mask_engine")}
    return frozenset((one, other) for one, other in pairs - upwards if one and other and one != other)


def _place(file: Path, depth: int) -> str:
    name = file.relative_to(ROOT).with_suffix("").as_posix()
    room = next((room for room in ROOMS if name.startswith(f"{room}/")), "")
    inner = name.removeprefix(f"{room}/").split("/")[:depth]
    return "/".join([room, *inner]) if room and inner != ["__init__"] else ""


def chart() -> str:
    """Return the rooms with their folders, and an arrow to each room that one needs directly, for Mermaid to draw."""
    lines = []
    for room in sorted(ROOMS):
        folders = sorted({path.parent.name for path in (ROOT / room).glob("*/*.py")})
        shown = "a folder each" if room == "labs" else " · ".join(folders)  # the labs are too many to name
        lines.append(f'    {Path(room).name}["{room}<br>{shown}"]')
    pairs = arrows(0)
    reach = set(pairs)
    for _ in ROOMS:
        reach |= {(one, last) for one, mid in reach for first, last in pairs if mid == first}
    roundabout = {(one, last) for one, mid in reach for first, last in reach if mid == first}
    lines += [f"    {Path(one).name} --> {Path(other).name}" for one, other in sorted(pairs - roundabout)]
    return "\n".join(["```mermaid", "flowchart TD", *lines, "```", ""])
