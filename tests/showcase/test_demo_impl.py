"""``demo --impl starter``: the mask comes from the student's files, and a fault in one of them is named."""

from course.student.core.catalog import find_lab
from tests.copies import copy_course
from tests.runs import process, solution, with_function


def test_the_students_mask_decides(tmp_path):
    """A mask_row of all ones lets the early model write what it likes; the reference's does not."""
    copy = copy_course(tmp_path / "copy", "requirements.txt", "requirements", "constraints.txt")
    starter = copy / find_lab(7).path / "starter.py"
    pristine = starter.read_text(encoding="utf-8")
    ask = ["--prompt", "teal as a hex colour", "--regex", "#[0-9a-f]{6}", "--max-tokens", "20"]

    def demo(*arguments):
        return process(copy, "-m", "course", "demo", "--impl", "starter", *arguments)

    status, said = demo(*ask)
    assert status != 0 and "no starter.py is edited yet" in said
    starter.write_text(solution(7) + "\n", encoding="utf-8")
    status, said = demo(*ask)
    assert status == 0 and "ran: your 07 (6 functions); the reference's 06" in said and "#008080" in said
    body = "return np.full_like(next(arg for arg in args if isinstance(arg, np.ndarray)), -1)"
    starter.write_text(with_function(solution(7), "mask_row", body), encoding="utf-8")
    status, said = demo(*ask, "--checkpoint", "early")
    assert status != 0 and "is not allowed in state" in said and "ran: your 07 (" in said, said
    starter.write_text(pristine + "\n", encoding="utf-8")
    status, said = demo(*ask)
    assert status != 0 and "your lab 07: not written yet: lab 07, TODO" in said
