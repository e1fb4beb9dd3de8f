"""Imports point downwards: between the rooms, and between the folders and loose files inside each room."""

from graphlib import TopologicalSorter

from course.upkeep.pages.rooms import ROOMS, arrows

COURSE = [["upkeep"], ["teaching"], ["showcase", "isolation"], ["student", "bridges"]]
FLOORS = [*COURSE, ["mask_engine"], ["labs"], ["labkit"]]


def test_each_room_imports_only_what_is_below_it():
    floor = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
    pairs = [(floor[one.removeprefix("course/")], floor[other.removeprefix("course/")]) for one, other in arrows(0)]
    assert len(pairs) > 12 and all(one < other for one, other in pairs)


def test_no_circle_inside_a_room():
    graph = {}
    for one, other in arrows(1):
        if one.rpartition("/")[0] == other.rpartition("/")[0] in {*ROOMS} - {"labs"}:  # a walkthrough shows the engine
            graph.setdefault(one, set()).add(other)
    assert len(graph) > 20
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the folders
