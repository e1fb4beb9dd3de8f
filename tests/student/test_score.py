"""``python3 -m course score``: the counts of a file, and what it says where there is nothing to count."""

from importlib import import_module

import pytest
from rich.console import Console

from course.student.commands.score import FILE, show_scores
from course.student.core.catalog import all_labs, find_lab

COUNTING = [lab for lab in all_labs() if (lab.folder / FILE).is_file()]


def printed(lab=None, impl="starter"):
    console = Console(record=True, width=200, force_terminal=False)
    assert show_scores(console, lab, str(impl)) == 0
    return console.export_text()


@pytest.mark.parametrize("lab", COUNTING, ids=lambda lab: lab.label)
def test_the_reference_is_as_good_as_can_be(lab):
    """Its masks are all right, it writes each forced byte, moves the least, and looks up less than a plain walk."""
    found = list(import_module(f"labs.{lab.name}.score").counts(import_module(f"labs.{lab.name}.solution")))
    assert len(found) >= 3
    for count in found:
        assert count.yours < count.other if lab.number == 3 else count.yours == count.other, count
    text = printed(lab, "solution")
    assert all(count.what in text and f"{count.other:,}" in text for count in found)


@pytest.mark.parametrize("lab", COUNTING, ids=lambda lab: lab.label)
def test_an_untouched_starter_has_nothing_to_count(lab):
    """It gets one line, without a number or a drawing."""
    _, *lines = printed(lab).splitlines()
    assert lines[0].startswith(f"{lab.label}  not written yet: {lab.label}, TODO ") and len(lines) == 1, lines


def test_a_wrong_mask_is_counted(tmp_path):
    lab = find_lab(7)
    file = tmp_path / "mine.py"
    source = lab.solution.read_text(encoding="utf-8")
    right = "alive = (after != DEAD).nonzero()[0]"
    assert source.count(right) == 1
    file.write_text(source.replace(right, "alive = (after != 1).nonzero()[0]"), encoding="utf-8")
    counts = [line for line in printed(lab, file).splitlines() if "regex agrees" in line or "broke off" in line]
    assert counts and printed(lab, file) != printed(lab, "solution")


def test_a_lab_without_a_score_is_named():
    with pytest.raises(ValueError, match="lab 01 has no score; the labs with one are 03, 07, 10, 15"):
        show_scores(Console(), find_lab(1), "starter")
