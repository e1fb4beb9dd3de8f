"""Launches that were edited are found, whatever stands around them."""

import pytest

from course.student.core.catalog import find_lab
from tests.runs import pytest_run

LAB = find_lab(14)
EDITED = """

def mask_block_on_device(logits, words, vocab_size, block_id, block=BLOCK):
    return None
"""


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("more", ["", f"\n\nDEEP = {'-' * 1500}1\n"], ids=["plain", "deep"])
def test_an_edited_launch_is_found(tmp_path, mark, more):
    """A byte order mark, and depth at which ``ast`` gives up, must not end the comparison."""
    text = LAB.solution.read_text(encoding="utf-8") + EDITED + more
    (tmp_path / LAB.name).mkdir()
    (tmp_path / LAB.name / "starter.py").write_text(mark + text, encoding="utf-8")
    run = pytest_run(
        LAB.folder, "-k", "test_a_block_of_padding_alone", LAB_IMPL=str(tmp_path / LAB.name / "starter.py")
    )
    assert "leave it as it is in the starter" in run.out or "nested too deeply" in run.out, run.out
