"""The whole chain of a student's own files: each lab stands on the ones before it."""

from course.student.core.catalog import all_labs
from tests.runs import pytest_run


def test_it_is_green_on_a_copy_of_the_references(tmp_path):
    for lab in all_labs():
        (tmp_path / f"{lab.name}.py").write_text(lab.solution.read_text(encoding="utf-8"), encoding="utf-8")
    run = pytest_run("labs", "-q", LAB_IMPL=str(tmp_path), LAB_CHAIN="mine")
    assert run.status == 0 and run.counts[0] > 200 and run.counts[1:] == (0, 0)
    assert "on your own earlier labs" in run.lines[-1] and "your earlier labs" not in run.out.replace(run.lines[-1], "")
