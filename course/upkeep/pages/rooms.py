"""The rooms of the repository and what they import, read off the code, and the chart in CONTRIBUTING.md."""

from functools import cache
from pathlib import Path

from course.student.core.catalog import ROOT
from course.student.core.import_closure import named

COURSE = sorted(f"course/{path.parent.name}" for path in ROOT.glob("course/*/__init__.py"))
PAGES = ("walkthrough", "scene", "pictures", "bench", "score", "measuring", "ab")
"""A lab's files that show or measure things at work, the whole engine too. They're a room of their own, above it."""

SHOWN, TOP = "labs' pages", "course"
"""The room of the labs' pages, and the one of the loose files in ``course/``, which start everything."""

FOLDERS = ("labkit", "labs", "mask_engine", "bridges", "book", *COURSE)
ROOMS = (*FOLDERS, SHOWN, TOP)
PAGE = ROOT / "CONTRIBUTING.md"


def room_of(file: Path) -> str:
    """Return the room of a file; empty for one in none, such as a test.

    >>> labs = ROOT / "labs"
    >>> [room_of(labs / "lab_11_tool_calls" / name) for name in ("given/tools.py", "solution.py", "walkthrough.py")]
    ['labs', 'labs', "labs' pages"]
    """
    name = file.relative_to(ROOT).as_posix()
    room = next((folder for folder in FOLDERS if name.startswith(f"{folder}/")), "")
    if file.parent == ROOT / "course":
        return TOP
    return SHOWN if room == "labs" and file.stem in PAGES and file.parent.parent == ROOT / "labs" else room


@cache
def imports() -> dict[Path, frozenset[Path]]:
    """Return which of the repository's files each file in a room imports, anywhere in it, be it for types alone."""
    files = [file for room in (*FOLDERS, TOP) for file in (ROOT / room).rglob("*.py") if room_of(file)]
    return {file: named(file, for_types=True) - {file} for file in sorted({*files})}


@cache
def arrows() -> frozenset[tuple[str, str]]:
    """Return which room imports which.

    >>> ("course/student", "labkit") in arrows(), ("labkit", "course/student") in arrows()
    (True, False)
    """
    pairs = {(room_of(file), room_of(other)) for file, others in imports().items() for other in others}
    return frozenset((one, other) for one, other in pairs if one != other != "")


def chart() -> str:
    """Return the rooms with their folders, and an arrow to each room that one needs directly, for Mermaid to draw."""
    lines = []
    for room in sorted(ROOMS):
        folders = " · ".join(sorted({path.parent.name for path in (ROOT / room).glob("*/*.py")}))
        shown = {"labs": "a folder each", SHOWN: " · ".join(PAGES), TOP: "the command line"}.get(room, folders)
        lines.append(f'    {_id(room)}["{room}<br>{shown}"]')
    pairs = arrows()
    reach = set(pairs)
    for _ in ROOMS:
        reach |= {(one, last) for one, mid in reach for first, last in pairs if mid == first}
    roundabout = {(one, last) for one, mid in reach for first, last in reach if mid == first}
    lines += [f"    {_id(one)} --> {_id(other)}" for one, other in sorted(pairs - roundabout)]
    return "\n".join(["```mermaid", "flowchart TD", *lines, "```", ""])


def _id(room: str) -> str:
    return "pages" if room == SHOWN else Path(room).name
