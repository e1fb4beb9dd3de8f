"""Grading a class's properties: what they kill, and that a property learns only what calls return."""

import csv
import io
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from course.isolation import sandbox
from course.student.commands.properties import implementation_of
from course.student.core.catalog import ROOT, find_lab
from course.student.core.wrong_answers import bank
from course.teaching.grading import judging
from course.teaching.grading.judging import asks, functions_of
from course.teaching.grading.properties import run_properties
from course.teaching.grading.session import WARNING, Options

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the grader forks")

LAB = find_lab(4)
SIZE = len(bank(LAB))
HEAD = "import numpy as np\n\n\n"
ZERO = HEAD + "def check_zero(lab):\n    assert lab.choose(np.array([1.0, 2.0]), 0.0) == 0\n"

WARNED = "" if sandbox.available() else f"{WARNING}; "

CLASS = {
    "answer": (ROOT / "solutions" / "properties" / f"{LAB.name}.py").read_text(encoding="utf-8"),
    "pristine": (LAB.folder / "properties.py").read_text(encoding="utf-8"),
    "zero": ZERO,
    "=1+1": ZERO + "# another file\n",
    "docstrings": "def check_it(lab):\n    assert lab.mask_row.__doc__\n",
    "counts": "N = []\n\n\ndef check_it(lab):\n    N.append(1)\n    assert len(N) <= 4 or len(N) > 40\n",
    "all": "def check_it(lab):\n    assert False\n",
    "ends": "import os\n\n\ndef check_it(lab):\n    os._exit(0)\n",
    "reads": f"def check_it(lab):\n    open({str(LAB.solution)!r}).close()\n",
    "reference": "from labs.lab_04_eos_gating import solution\n\n\ndef check_it(lab):\n    pass\n",
    "syntax": "def check_it(lab:\n",
    "nothing": "x = 1\n",
    "screams": "raise ValueError('\\x1b[2J')\n",
}


def graded(class_: Path, out: Path, lab: str = "04", **more: object) -> str:
    console = Console(file=io.StringIO(), width=200, no_color=True)
    options = Options(**({"unsafe": not sandbox.available()} | more))  # type: ignore[arg-type]
    assert run_properties(console, class_, lab, out, options) == 0
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


def table(out: Path) -> dict[str, dict[str, str]]:
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def class_(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("class")
    for name, text in CLASS.items():
        (folder / name).mkdir()
        (folder / name / "properties.py").write_text(text, encoding="utf-8")
        (folder / name / "starter.py").write_text("not what is graded\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def out(class_: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("results") / "out"
    assert "\x1b" not in graded(class_, folder)
    yield folder


def test_what_honest_properties_kill_and_others_do_not(out: Path) -> None:
    rows = table(out)
    kills = {name: (int(rows[name]["score"]), int(rows[name]["hold"]), int(rows[name]["properties"])) for name in rows}
    assert kills["answer"] == (SIZE, 3, 3)
    assert kills["pristine"][1:] == (1, 4) and 0 < kills["pristine"][0] < SIZE
    assert kills["zero"] == kills["'=1+1"] == (1, 1, 1)
    nothing = ["docstrings", "counts", "all", "ends", "reference", "syntax", "nothing", "screams"]
    assert {name: kills[name][0] for name in nothing} == dict.fromkeys(nothing, 0)


@pytest.mark.skipif(not sandbox.available(), reason="no sandbox on this machine")
def test_the_reference_cannot_be_read(out: Path) -> None:
    assert table(out)["reads"]["hold"] == "0"
    assert "cannot import name 'solution'" in table(out)["reference"]["notes"]


def test_the_cause_stands_beside_it(out: Path) -> None:
    rows = table(out)
    assert rows["syntax"]["notes"].startswith(f"{WARNED}the file does not load: SyntaxError: ")
    assert rows["nothing"]["notes"] == f"{WARNED}the file defines no function whose name starts with check_"
    assert str(out.parent) not in (out / "grades.csv").read_text(encoding="utf-8")


def test_a_student_reads_what_is_still_alive(out: Path) -> None:
    page = next((out / "students").glob("zero-*.txt")).read_text(encoding="utf-8")
    assert "check_zero: passes on the reference" in page
    told = {answer.name: answer.mistake in page for answer in bank(LAB)}
    assert not told.pop("zero_is_no_u") and all(told.values())
    page = next((out / "students").glob("counts-*.txt")).read_text(encoding="utf-8")
    assert "it held on the reference, and later it did not" in page


def test_a_second_run_grades_nothing_again(class_: Path, out: Path) -> None:
    before = (out / "grades.csv").read_bytes()
    assert f"submissions: all {len(CLASS)} graded before" in graded(class_, out)
    assert (out / "grades.csv").read_bytes() == before


def test_what_is_refused(class_: Path, out: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="labs with this exercise: 04, 05"):
        graded(class_, tmp_path / "out", "02")
    with pytest.raises(ValueError, match="holds results of lab_04_eos_gating, properties, not of lab_05"):
        graded(class_, out, "05")
    with pytest.raises(ValueError, match=r"holds no submission: a properties\.py in a folder"):
        (tmp_path / "none").mkdir()
        graded(tmp_path / "none", tmp_path / "out")


def test_a_property_that_compares_with_what_it_saw_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the reference it would have to know that it is the reference."""
    seen: list[object] = []
    said: dict[str, str] = {}

    def say(**found: Any) -> None:
        said[found.get("test", "")] = found.get("verdict", "")

    def check_it(lab: Any) -> None:
        found = lab.choose(np.array([1.0, 2.0]), 0.0)
        seen.append(found)
        assert found == seen[0]

    monkeypatch.setattr(judging, "bank", lambda lab: tuple(each for each in bank(lab) if each.name == "zero_is_no_u"))
    judging.judge_all(LAB, {"check_it": check_it}, time.monotonic() + 60, say)
    assert said["check_it"] == "wrong" and said["zero_is_no_u"] == "wrong"


@pytest.mark.parametrize("name", ["np", "_private", "__class__", "open", 3, None])
def test_only_the_labs_functions_are_answered(name: object) -> None:
    ask = asks(implementation_of(LAB, LAB.solution), functions_of(LAB))
    with pytest.raises(AttributeError, match="has no function"):
        ask(name)
