"""The hooks that the course's pytest plugin offers to other plugins."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from course.student.core.candidate import Candidate
from course.student.core.catalog import Lab


@pytest.hookspec(firstresult=True)
def pytest_course_make_candidate(lab: Lab, files: Mapping[int, Path], chain: bool, seconds: float) -> Candidate | None:
    """Return the object whose attributes a lab's tests call, or None to leave it to another plugin.

    Without any other plugin the file is loaded in this process.

    Args:
        lab: the lab under test.
        files: the student's file of each lab number that has one.
        chain: whether earlier labs are the student's own files too.
        seconds: how long one test may run; 0 for no limit.
    """
