"""Imports point downwards: between the rooms of ``course/``, and between the folders inside each room."""

from graphlib import TopologicalSorter

from course.student.core.catalog import ROOT
from tests.test_structure import own_imports, python_files

ORDER = ({"labkit"}, {"labs"}, {"student", "bridges"}, {"isolation", "showcase"}, {"teaching"}, {"upkeep"})
LEVELS = {room: level for level, rooms in enumerate(ORDER) for room in rooms}


def place(module):
    """Return a module's room, and its folder inside that room."""
    parts = module.removeprefix("course.").split(".")
    return parts[0], ".".join(parts[:2])


def test_rooms_import_downwards_and_folders_in_no_circle():
    folders, upwards = {}, []
    for path in python_files("bridges", "course"):
        room, folder = place(".".join(path.relative_to(ROOT).with_suffix("").parts))
        for name in own_imports(path):
            target, target_folder = place(name)
            if target == room and target_folder != folder:
                folders.setdefault(folder, set()).add(target_folder)
            elif target != room and LEVELS.get(target, -1) >= LEVELS.get(room, len(LEVELS)):
                upwards.append((str(path.relative_to(ROOT)), name))
    assert not upwards
    TopologicalSorter(folders).prepare()  # raises CycleError, which names the folders
