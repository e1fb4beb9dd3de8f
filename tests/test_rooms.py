"""Imports point downwards: every import of every file, and none goes in a circle."""

from graphlib import TopologicalSorter

from course.student.core import import_closure
from course.student.core.catalog import ROOT
from course.student.core.import_closure import closure
from course.upkeep.pages.rooms import ROOMS, SHOWN, imports, room_of

FLOORS = [
    *(["labkit"], ["labs"], ["mask_engine"], ["labs' pages"], ["bridges", "course/student"]),
    *(["course/isolation", "course/showcase", "course/play"], ["course/teaching"]),
    *(["book"], ["course/upkeep"], ["course"]),
]
"""From the lowest to the highest. Rooms on one floor don't import each other."""

FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
ROOF = len(FLOORS)
"""Above all of them: tests, and the bank of wrong answers."""


def name(file):
    return file.relative_to(ROOT).with_suffix("").as_posix()


def test_each_file_imports_only_what_is_in_its_room_or_below():
    pairs = [(file, other) for file, others in imports().items() for other in others]
    upwards = [
        f"{name(file)} imports {name(other)}"
        for file, other in pairs
        if room_of(file) != room_of(other) and FLOOR[room_of(file)] <= FLOOR.get(room_of(other), ROOF)
    ]
    assert {*FLOOR} == {*ROOMS} == {*map(room_of, imports())} and len(pairs) > 1000
    assert upwards == []


def test_labkit_is_what_labs_are_given():
    """Each of its files is needed by a lab, or by what shows one."""
    needed = closure(file for file in imports() if room_of(file) in ("labs", SHOWN))
    assert [name(file) for file in imports() if room_of(file) == "labkit" and file not in needed] == []


def test_only_the_courses_command_imports_the_bridges():
    """They can be left out."""
    users = {name(file) for file, others in imports().items() if "bridges" in map(room_of, others)}
    assert {each for each in users if not each.startswith("bridges/")} == {"course/showcase/cli"}


def test_a_lab_imports_earlier_labs():
    """Their solutions, and given code their given code too. Only some files import their own lab, and a test none."""
    for file, others in imports().items():
        lab, _, place = name(file).removeprefix("labs/").partition("/")
        if not lab.startswith("lab_") or place == "starter":  # which may be a student's
            continue
        given, shown = place.startswith("given/"), room_of(file) == SHOWN
        for other in others:
            theirs, _, what = name(other).removeprefix("labs/").partition("/")
            if theirs.startswith("lab_"):
                earlier = theirs < lab and (what == "solution" or (given and what.startswith("given/")))
                own = theirs == lab and (given or shown or place == "solution")
                assert place != "test_lab" and (earlier or own), f"{name(file)} imports {name(other)}"


def test_the_walk_over_imports_sees_every_form(tmp_path, monkeypatch):
    """A check that finds nothing must be able to find something."""
    monkeypatch.setattr(import_closure, "ROOT", tmp_path)
    found = ["course/cli.py", "labs/lab_09_y/solution.py", "tests/runs.py", "mask_engine/__init__.py"]
    file = tmp_path / "labs" / "lab_02_x" / "solution.py"
    for path in (file, *(tmp_path / each for each in found)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    lines = ["import course.cli", "def f():", "    from ..lab_09_y import solution", "    from tests import runs as r"]
    file.write_text("\n".join([*lines, "if TYPE_CHECKING:", "    from mask_engine import Guide"]))
    assert import_closure.named(file, for_types=True) == {tmp_path / each for each in found}


def test_no_file_imports_itself_through_others():
    TopologicalSorter({name(file): map(name, others) for file, others in imports().items()}).prepare()  # or CycleError


def test_no_circle_of_folders_inside_a_room():
    """A folder of a room, or a loose file in it, stands for all in it: a lab imports earlier labs only."""
    graph = {}
    for file, others in imports().items():
        for other in (each for each in others if room_of(each) == room_of(file)):
            one, two = (name(each).removeprefix(f"{room_of(file)}/").split("/")[0] for each in (file, other))
            if one != two and "__init__" not in (one, two):
                graph.setdefault((room_of(file), one), set()).add((room_of(file), two))
    assert len(graph) > 20
    TopologicalSorter(graph).prepare()
