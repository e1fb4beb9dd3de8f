"""Kept verdicts: given again while nothing has changed, and never for another file."""

import pytest

from course.student.commands import verdicts
from course.student.core.catalog import Lab
from course.student.run.batch import TestResult
from tests.made import make_lab


@pytest.fixture
def lab(tmp_path, monkeypatch) -> Lab:
    """A lab, and runs that are counted in ``lab.runs``."""
    made = make_lab(tmp_path)
    made.starter.write_text("one = 1\n", encoding="utf-8")
    monkeypatch.setattr(verdicts, "KEPT", tmp_path / "kept" / "verdicts.json")
    monkeypatch.setattr(verdicts, "all_labs", lambda: (made,))
    return made


@pytest.fixture
def runs(monkeypatch):
    """The runs so far; each finds one test that passes."""
    made = []

    def grade(lab, files, *, chain=False):
        made.append(chain)
        return [[TestResult("test_one", 1, "pass", "")]]

    monkeypatch.setattr(verdicts, "grade_many", grade)
    return made


def test_they_are_kept_until_the_file_changes(lab, runs):
    first = verdicts.verdicts_of(lab)
    assert verdicts.verdicts_of(lab) == first and runs == [False] and first[0].verdict == "pass"
    lab.starter.write_text("two = 2\n", encoding="utf-8")
    verdicts.verdicts_of(lab)
    assert runs == [False, False]
    verdicts.verdicts_of(lab, chain=True)
    assert runs == [False, False, True]


def test_they_are_not_kept_beyond_a_change_of_what_is_given(lab, runs, monkeypatch):
    verdicts.verdicts_of(lab)
    monkeypatch.setattr(verdicts, "_given", lambda: "another version")
    verdicts.verdicts_of(lab)
    assert len(runs) == 2


@pytest.mark.parametrize("damage", ["", "{", "[1]", "null", '{"lab": 1'])
def test_a_damaged_file_costs_a_run(lab, runs, damage):
    verdicts.verdicts_of(lab)
    verdicts.KEPT.write_text(damage, encoding="utf-8")
    assert verdicts.verdicts_of(lab) and len(runs) == 2


def test_nothing_is_kept_of_a_run_that_broke_off(lab, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError("grading ended")

    monkeypatch.setattr(verdicts, "grade_many", broken)
    with pytest.raises(ValueError, match="ended the process that ran its tests"):
        verdicts.verdicts_of(lab)
    assert not verdicts.KEPT.exists()
