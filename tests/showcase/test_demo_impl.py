"""``demo --impl starter``: the mask comes from the student's files, and a fault in one of them is named."""

import pytest

from course.student.core.catalog import find_lab
from tests.copies import copy_course
from tests.runs import process, solution, with_function

LAB_06, LAB_07 = find_lab(6), find_lab(7)


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the course."""
    return copy_course(tmp_path_factory.mktemp("demo") / "copy", "requirements.txt", "requirements", "constraints.txt")


def demo(copy, *arguments):
    """Run the demo in the copy; its exit status and output."""
    return process(copy, "-m", "course", "demo", "--impl", "starter", *arguments)


def test_nothing_is_written_yet(copy):
    status, said = demo(copy, "--regex", "a")
    assert status != 0 and "no starter.py is edited yet" in said
    status, said = demo(copy)
    assert status != 0 and "--impl goes with --regex or --schema" in said


def test_the_students_mask_decides(copy):
    """A mask_row of all ones lets the early model write what it likes; the reference's does not."""
    starter = copy / LAB_07.path / "starter.py"
    pristine = starter.read_text(encoding="utf-8")
    ask = ["--prompt", "teal as a hex colour", "--regex", "#[0-9a-f]{6}", "--max-tokens", "20"]
    try:
        starter.write_text(solution(7) + "\n", encoding="utf-8")
        status, said = demo(copy, *ask)
        assert status == 0 and "with your lab 07; the references elsewhere" in said and "#008080" in said
        body = "return np.full_like(next(arg for arg in args if isinstance(arg, np.ndarray)), -1)"
        starter.write_text(with_function(solution(7), "mask_row", body), encoding="utf-8")
        status, said = demo(copy, *ask, "--checkpoint", "early")
        assert status != 0 and "your lab_07_bytes_and_vocabularies: TokenNotAllowed" in said, said
        starter.write_text(pristine + "\n", encoding="utf-8")
        status, said = demo(copy, *ask)
        assert status != 0 and "your lab_07_bytes_and_vocabularies: NotImplementedError: lab 07, TODO" in said
    finally:
        starter.write_text(pristine, encoding="utf-8")
