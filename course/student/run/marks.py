"""Which lab and which TODO a test is about."""

from functools import cache
from pathlib import Path

import pytest

from course.student.core.catalog import Lab, all_labs
from course.student.core.hints import lab_data


@cache
def lab_of(path: Path) -> Lab | None:
    """Return the lab whose test file this is."""
    return next((lab for lab in all_labs() if path == lab.folder / "test_lab.py"), None)


def todo_of(item: pytest.Item) -> int:
    """Return the number of the TODO whose function the test's ``todo`` mark names."""
    mark, lab = item.get_closest_marker("todo"), lab_of(item.path)
    todos = lab_data(lab).todos.values() if lab else ()
    numbers = [todo.number for todo in todos if mark is not None and mark.args == (todo.function,)]
    if not numbers:
        found = f"its mark names {mark.args}" if mark else "it has none"
        raise pytest.UsageError(f"{item.nodeid} needs a mark todo(function) that names a TODO of its lab; {found}")
    return numbers[0]
