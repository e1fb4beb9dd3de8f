"""Which labs there are, and the names by which they are found."""

import re

import pytest

from course.student.core import catalog
from course.student.core.catalog import all_labs, find_lab

NAMES = ("2", "02", 2, "lab02", "lab 02", "lab_02", "lab_2", "lab_02_atom_fsm")
OTHERS = ("", " ", "0", "00", "99", "002", "-2", "2.0", "two", "lab", "labs", "lab_02_wrong", "lab_02_atom", "2x")
PATHS = ("labs/lab_02_atom_fsm", "labs/lab_02_atom_fsm/", "./labs/lab_02_atom_fsm", r"labs\lab_02_atom_fsm")


def test_a_lab_is_found_by_these_names_and_by_no_other():
    assert {find_lab(name) for name in (*NAMES, *PATHS)} == {all_labs()[1]}
    for name in OTHERS:
        with pytest.raises(ValueError, match=f"no lab {re.escape(repr(name))}; the labs are 01, 02"):
            find_lab(name)


def test_a_folder_is_a_lab_when_it_has_a_solution(tmp_path, monkeypatch):
    for name in ("lab_02_late", "lab_01_early", "lab_03_planned", "lab_4_misnamed", "notes"):
        (tmp_path / "labs" / name).mkdir(parents=True)
        if name != "lab_03_planned":
            (tmp_path / "labs" / name / "solution.py").touch()
    monkeypatch.setattr(catalog, "ROOT", tmp_path)
    assert [lab.name for lab in all_labs.__wrapped__()] == ["lab_01_early", "lab_02_late"]
