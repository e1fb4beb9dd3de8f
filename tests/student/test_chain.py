"""``LAB_CHAIN=mine`` over the whole course: a copy of the references as somebody's own files, and one fault in it."""

import pytest

from course.student.core.catalog import all_labs, find_lab
from tests.runs import pytest_run, solution, with_function

LAB_04 = find_lab(4)
NO_RANGE_END = (
    "first, behind = read_char(args[0], args[1])\n"
    "    if args[0][behind : behind + 1] != '-' or args[0][behind + 1 : behind + 2] in (']', ''):\n"
    "        return {first}, behind\n"
    "    last, behind = read_char(args[0], behind + 1)\n"
    "    if last < first:\n"
    "        raise InvalidPattern('backwards', args[0], args[1])\n"
    "    return {chr(code) for code in range(ord(first), ord(last))} or {first}, behind"
)
"""The body of a ``parse_item`` whose ranges lack their last character."""


@pytest.fixture
def mine(tmp_path):
    """A folder with one file for each lab: the references, as somebody's own."""
    for lab in all_labs():
        (tmp_path / f"{lab.name}.py").write_text(solution(lab.number), encoding="utf-8")
    return tmp_path


def test_the_whole_chain_is_green_on_a_copy_of_the_references(mine):
    run = pytest_run("labs", "-q", LAB_IMPL=str(mine), LAB_CHAIN="mine")
    assert run.status == 0 and run.counts[0] > 200 and run.counts[1:] == (0, 0)
    assert "on your own earlier labs" in run.lines[-1] and "your earlier labs" not in run.out.replace(run.lines[-1], "")


def test_a_fault_in_lab_02_makes_lab_04_red_on_the_own_chain_alone(mine):
    """Ranges lack their end: nothing raises, f and 9 are missing, and the report says lab 02."""
    wrong = with_function(solution(2), "parse_item", NO_RANGE_END)
    (mine / f"{find_lab(2).name}.py").write_text(wrong, encoding="utf-8")
    reference = pytest_run(LAB_04.folder, LAB_IMPL=str(mine))
    chain = pytest_run(LAB_04.folder, LAB_IMPL=str(mine), LAB_CHAIN="mine")
    assert reference.status == 0 and reference.counts[1:] == (0, 0)
    assert chain.status == 1 and chain.counts[1] > 0
    assert "Your lab 02, on which this one stands, is not right itself: TODO 2, parse_item, fails its own" in chain.out
    assert chain.lines[-1].endswith("next: your lab 02, on which this one stands")


def test_a_todo_in_lab_02_is_reported_by_lab_04_as_lab_02s(mine):
    from course.student.core.hints import lab_data

    text = lab_data(find_lab(2)).todos[6].raise_text(find_lab(2))
    waiting = with_function(solution(2), "compile_pattern", f"raise NotImplementedError({text!r})")
    (mine / f"{find_lab(2).name}.py").write_text(waiting, encoding="utf-8")
    run = pytest_run(LAB_04.folder, LAB_IMPL=str(mine), LAB_CHAIN="mine")
    assert run.status == 1 and run.counts[1] == 0 and run.counts[2] > 0
    assert "lab 04 stands on your lab 02, TODO 6" in run.out
    assert run.lines[-1].endswith("next: your lab 02, on which this one stands")
