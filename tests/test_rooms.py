"""Imports point downwards: every import of every file, and none goes in a circle."""

from graphlib import TopologicalSorter

from course.student.core.catalog import ROOT
from course.upkeep.pages.rooms import ROOMS, imports, room_of

FLOORS = [
    *(["labkit"], ["labs"], ["mask_engine"], ["labs' pages"], ["bridges", "course/student"]),
    *(["course/isolation", "course/showcase"], ["course/teaching"], ["course/upkeep"], ["course"]),
]
"""From the lowest to the highest. Rooms on one floor don't import each other."""

FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}


def name(file):
    return file.relative_to(ROOT).with_suffix("").as_posix()


def test_each_file_imports_only_what_is_in_its_room_or_below():
    pairs = [(file, other) for file, others in imports().items() for other in others]
    upwards = [
        f"{name(file)} imports {name(other)}"
        for file, other in pairs
        if room_of(file) != room_of(other) and FLOOR[room_of(file)] <= FLOOR[room_of(other)]
    ]
    assert {*FLOOR} == {*ROOMS} == {*map(room_of, imports())} and len(pairs) > 1000
    assert upwards == []


def test_no_file_imports_itself_through_others():
    TopologicalSorter({name(file): map(name, others) for file, others in imports().items()}).prepare()


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
