"""Grading a class's properties: what they kill, and that a property learns only what calls return."""

import csv
import io
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from course.isolation import sandbox
from course.student.commands.properties import implementation_of
from course.student.core.catalog import ROOT, find_lab
from course.student.core.timeouts import TimeLimit
from course.student.core.wrong_answers import bank
from course.teaching.grading.judging import asks, functions_of
from course.teaching.grading.properties import run_properties
from course.teaching.grading.session import WARNING, Options
from labkit.errors import NoLegalToken

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the grader forks")

LAB = find_lab(4)
SIZE = len(bank(LAB))
HEAD = "import numpy as np\n\n\n"
ZERO = HEAD + "def check_zero(lab):\n    assert lab.choose(np.array([1.0, 2.0]), 0.0) == 0\n"

WARNED = "" if sandbox.available() else f"{WARNING}; "

VOTES = (
    HEAD
    + """SEEN = []


def check_it(lab):
    found = lab.choose(np.array([1.0, 2.0]), 0.0)
    SEEN.append(found)
    assert found == max(SEEN, key=SEEN.count)
"""
)

VOTES_ON_DISK = (
    HEAD
    + """from pathlib import Path


def check_it(lab):
    found, seen = str(lab.choose(np.array([1.0, 2.0]), 0.0)), Path("seen.txt")
    try:
        votes = seen.read_text().split()
        seen.write_text(" ".join([*votes, found]))
    except OSError:
        votes = []
    assert found == max([*votes, found], key=votes.count)
"""
)

FRAMES = """from course.isolation.pipe import faults

SEEN, unpack = [], faults._unpack_trace
faults._unpack_trace = lambda data: SEEN.append(data) or unpack(data)


def check_it(lab):
    try:
        lab.choose("no logits", 0.0)
    except BaseException as error:
        SEEN.append((error.args, vars(error)))
    assert "solution.py" in repr(SEEN)
"""

LOTS = "import os\n" + "".join(f"\n\ndef check_{n}(lab):\n    assert os.urandom(1)[0] < 128\n" for n in range(40))

CLASS = {
    "votes": VOTES,
    "votes_on_disk": VOTES_ON_DISK,
    "frames": FRAMES,
    "lots": LOTS,
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
    page = next((out / "students").glob("lots-*.txt")).read_text(encoding="utf-8")
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


@pytest.mark.parametrize("name", ["votes", "votes_on_disk", "counts"])
def test_implementations_cannot_be_compared_with_each_other(out: Path, name: str) -> None:
    """The majority is right about every function, so a vote would kill the bank without knowing the lab."""
    assert {each: table(out)[name][each] for each in ("hold", "score")} == {"hold": "1", "score": "0"}


def test_no_line_of_an_implementation_reaches_a_property(out: Path) -> None:
    """The reference's file is called otherwise than a wrong answer's, and so are its lines."""
    assert {each: table(out)["frames"][each] for each in ("hold", "score")} == {"hold": "0", "score": "0"}


def test_of_properties_that_draw_lots_the_lucky_ones_kill_nothing(out: Path) -> None:
    row = table(out)["lots"]
    assert int(row["hold"]) < 40 and row["score"] == "0"
    assert "a property's verdict on the reference changed" in row["notes"]


def test_an_error_is_its_type_alone() -> None:
    class Told(KeyError):
        filename = "solution.py"

    class Implementation:
        def choose(self, error: BaseException) -> None:
            raise error

    ask = asks(Implementation(), functions_of(LAB))  # type: ignore[arg-type]
    for error in (Told("secret"), ValueError("secret"), FileNotFoundError(2, "no", "secret"), TimeLimit("secret")):
        with pytest.raises(BaseException, check=lambda found: not found.args) as caught:
            ask("choose", error)
        assert type(caught.value) is (KeyError if type(error) is Told else type(error))
        assert "secret" not in str(caught.value) + repr(vars(caught.value))
    with pytest.raises(NoLegalToken, match="state 2"):  # its arguments are part of what the lab asks for
        ask("choose", NoLegalToken(2, "x"))


@pytest.mark.parametrize("name", ["np", "_private", "__class__", "open", 3, None])
def test_only_the_labs_functions_are_answered(name: object) -> None:
    ask = asks(implementation_of(LAB, LAB.solution), functions_of(LAB))
    with pytest.raises(AttributeError, match="has no function"):
        ask(name)
