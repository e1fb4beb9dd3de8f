"""What the tests of lab 15 believe of a file that has no kernel."""

from course.student.core.catalog import ROOT, find_lab
from tests.runs import pytest_run

LAB = find_lab(15)
FAKE = ROOT / "solutions" / "hostile" / "kernels_without_a_kernel.py"
PLAIN = "\n\ndef mask_block(*args):\n    return None\n"
OF_KERNELS = "block or kernel or moves or loaded or picked or advance or strides"


def run(tmp_path, more, *words):
    file = tmp_path / "starter.py"
    file.write_text(LAB.solution.read_text(encoding="utf-8") + more, encoding="utf-8")
    return pytest_run(LAB.folder, *words, LAB_IMPL=str(file))


def test_work_that_no_program_does_earns_nothing(tmp_path):
    """Launches and steps that mask whole arrays, with the counts of a kernel that moves as little as it can."""
    done = run(tmp_path, "\n\n" + FAKE.read_text(encoding="utf-8"), "-k", OF_KERNELS, "--todo=5")
    assert " 0 passed" in done.out and "wrong" in done.out, done.out


def test_a_kernel_without_its_decorator_is_named(tmp_path):
    done = run(tmp_path, PLAIN, "-k", "test_the_last_block_stops_where_the_row_ends")
    assert "mask_block is no kernel: leave the line @jit above it" in done.out, done.out
