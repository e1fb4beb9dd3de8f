"""A small class from intake to reports, in this machine's sandbox; without one, as trusted code."""

import csv
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from course.isolation import sandbox
from course.student.core.catalog import find_lab
from course.student.core.hints import lab_data
from course.student.core.starters import generate_starter
from course.student.core.wrong_answers import bank
from course.teaching.grading import plan
from course.teaching.grading.gradescope import contents
from course.teaching.grading.session import Options, run_grade
from tests.runs import run_course

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the grader forks")

LAB = find_lab(2)
PATIENT = {"test_s": 60.0, "total_s": 600.0}
"""The machine may be busy; nothing here waits for a limit."""

WRONG = bank(LAB)[0]
NONE = int(not sandbox.available())
REFUSES = (
    "from labkit.errors import *\n\ndef same(*args):\n    raise InvalidPattern('no', args[0], 0)\n\n"
    "parse_atoms = refuse_ambiguity = compile_pattern = same\n"
)


def options(**more: object) -> Options:
    return Options(**({"trust": not sandbox.available()} | PATIENT | more))  # type: ignore[arg-type]


def graded(class_: Path, out: Path, **more: object) -> str:
    console = Console(file=StringIO(), width=200, no_color=True)
    status = run_grade(console, class_, "02", out, options(**more))
    said = console.file.getvalue()  # type: ignore[attr-defined]
    assert status == 0, said
    return str(said)


def table(out: Path) -> dict[str, dict[str, str]]:
    return {row["student"]: row for row in csv.DictReader(StringIO((out / "grades.csv").read_text(encoding="utf-8")))}


@pytest.fixture(scope="module", autouse=True)
def few_trivial_submissions() -> Iterator[None]:
    """Two trivial submissions are enough here."""
    patch = pytest.MonkeyPatch()
    patch.setattr(plan, "bodies", lambda: [("constant", 0), ("refusal", 3)])  # None, and InvalidPattern
    yield
    patch.undo()


@pytest.fixture(scope="module")
def class_(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("class")
    reference = LAB.solution.read_text(encoding="utf-8")
    files = {
        "honest": reference,
        "twin": reference,
        "wrong": WRONG.submission(),
        "pristine": generate_starter(LAB),
        "broken": "def f(:\n",
        "refuses": REFUSES,
        "exits": "import os\nos._exit(0)\n",
    }
    for name, text in files.items():
        (folder / name).mkdir()
        (folder / name / "starter.py").write_text(text, encoding="utf-8")
    (folder / "absent").mkdir()
    return folder


@pytest.fixture(scope="module")
def out(class_: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results") / "out"
    graded(class_, folder)
    return folder


def test_each_submission_gets_what_it_earns(out: Path) -> None:
    rows = table(out)
    most = sum(todo.points for todo in lab_data(LAB).todos.values())
    score = {name: float(row["score"]) for name, row in rows.items()}
    assert score["honest"] == score["twin"] == most
    assert 0 < score["wrong"] < most
    assert float(rows["wrong"][f"todo_{WRONG.todo}"]) < lab_data(LAB).todos[WRONG.todo].points
    assert [score[name] for name in ("pristine", "broken", "refuses", "exits", "absent")] == [0.0] * 5
    assert rows["absent"]["notes"].endswith("no starter.py, and nothing else")
    found = json.loads((out / "results.json").read_text(encoding="utf-8"))["submissions"]
    assert len(list(out.glob("students/*.html"))) == 8
    assert {name: one["score"] for name, one in found.items()} == score
    assert "SyntaxError" in next(out.glob("students/broken-*.html")).read_text(encoding="utf-8")
    assert sandbox.available() == [] or sandbox.choose().describe() in found["honest"]["output"]


def test_an_interrupted_run_goes_on_where_it_was_and_a_second_one_grades_nothing(
    class_: Path, out: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(out, copy)
    some = sorted(copy.glob("records/*.json"))[::4]
    for path in [*some, copy / "grades.csv"]:
        path.unlink()
    graded(class_, copy)
    assert (copy / "grades.csv").read_bytes() == (out / "grades.csv").read_bytes()
    before = {path: path.read_bytes() for path in copy.rglob("*") if path.is_file()}
    assert set(some) < set(before)
    assert graded(class_, copy).count("graded before") == 2
    assert before == {path: path.read_bytes() for path in copy.rglob("*") if path.is_file()}


def test_a_zip_in_shards_gives_the_same_grades(class_: Path, out: Path, tmp_path: Path) -> None:
    """The parts only keep records; a run for all of it makes the reports from them. Names alone make no new work."""
    path, copy = tmp_path / "class.zip", tmp_path / "out"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(class_.glob("*/starter.py")):
            archive.write(file, f"class/{file.relative_to(class_)}")
        archive.writestr("class/absent/other.txt", "")
    shutil.copytree(out / "records", copy / "records")
    shutil.copy(out / "grading.json", copy)
    for part in ("1/2", "2/2"):
        assert "records only" in graded(path, copy, shard=part)
        assert not (copy / "grades.csv").exists()
    graded(path, copy)
    ours, theirs = table(copy), table(out)
    assert {name: row["score"] for name, row in ours.items()} == {name: row["score"] for name, row in theirs.items()}


def test_trust_is_said_in_every_report_and_a_seed_changes_no_grade(class_: Path, tmp_path: Path) -> None:
    """The reference passes the seed's examples too, or nobody would be graded."""
    shutil.copytree(class_ / "honest", tmp_path / "class" / "honest")
    assert "UNSAFE" in graded(tmp_path / "class", tmp_path / "out", trust=True, seed=7)
    assert table(tmp_path / "out")["honest"]["score"] == "21.00"
    reports = [*tmp_path.glob("out/students/*.html"), *tmp_path.glob("out/*.*")]
    assert [path.name for path in reports if "UNSAFE" not in path.read_text(encoding="utf-8")] == ["grading.json"]
    assert len(reports) == 4


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["CLASS", "--lab", "99", "--out", "OUT"], "there is no lab '99'"),
        (["nowhere", "--lab", "02", "--out", "OUT", "--trust"], "nowhere: there is no such folder"),
        (["CLASS", "--lab", "02", "--out", "OUT", "--trust", "--shard", "3"], "--shard '3'"),
        (["CLASS", "--lab", "02", "--out", "OUT", "--sandbox", "straw"], "no sandbox is called 'straw'"),
        (["CLASS", "--lab", "02", "--out", "OUT", "--trust", "--sandbox", "bubblewrap"], "contradict each other"),
        (["CLASS", "--lab", "02", "--out", "CLASS/out", "--trust"], "would be taken for submissions"),
        (["CLASS", "--lab", "02", "--out", "FULL", "--trust"], "neither empty nor a folder of results"),
        (["CLASS", "--lab", "02", "--out", "FULL/out", "--trust"], "cannot write"),
        (["CLASS"], "needs SUBMISSIONS, --lab and --out"),
    ],
)
def test_bad_input_is_one_line(class_: Path, tmp_path: Path, monkeypatch: Any, capsys: Any, arguments: Any, said: str):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter").touch()
    places = {"CLASS": class_, "CLASS/out": class_ / "out", "OUT": tmp_path / "out", "FULL": tmp_path / "full"}
    places["FULL/out"] = tmp_path / "full" / "letter" / "out"
    words = [str(places.get(word, word)) for word in arguments]
    status, _, error = run_course(monkeypatch, capsys, "grade", *words)
    assert status == 2 and said in error
    assert not (tmp_path / "out" / "grades.csv").exists()


def test_no_sandbox_is_a_refusal(class_: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(name: str | None) -> None:
        raise sandbox.NoSandbox("none here. To get one: ...")

    monkeypatch.setattr(sandbox, "choose", none)
    with pytest.raises(ValueError, match="To get one"):
        run_grade(Console(file=StringIO()), class_, "02", tmp_path / "out", Options())


@pytest.mark.parametrize("name", ["class", "out"])
def test_what_a_submission_could_read_is_a_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    exposes = {tmp_path / name: f"every user can read {name}"}
    backend = SimpleNamespace(exposes=lambda path: exposes.get(path, ""))
    monkeypatch.setattr(sandbox, "choose", lambda name: backend)
    with pytest.raises(ValueError, match=f"every user can read {name}"):
        run_grade(Console(file=StringIO()), tmp_path / "class", "02", tmp_path / "out", Options())


def test_an_autograder_grades_in_its_own_place(out: Path, tmp_path: Path) -> None:
    """A dry run of the image: unpacked in another root, set up (with this environment), one submission graded.

    What Gradescope and PrairieLearn read of it has the fields of their own pages.
    """
    files = contents(LAB)
    assert not [name for name in files if name.endswith("starter.py") or name.startswith("solutions")]
    assert not [name for name in files if name.startswith(("labs/lab_03", "course/upkeep", "course/showcase"))]
    hosts = ("pypi." + "org", "python" + "hosted", "index" + "-url")
    assert not [name for name, content in files.items() if any(host.encode() in content for host in hosts)]
    for name, content in files.items():
        path = tmp_path / "source" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o755)
    (tmp_path / "venv").symlink_to(sys.prefix)
    for folder in ("submission", "results", "grade/student"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "starter.py").write_text(WRONG.submission(), encoding="utf-8")
    few = tmp_path / "source" / "course" / "teaching" / "grading" / "plan.py"
    few.write_text(few.read_text(encoding="utf-8").replace("return [(kind", "return [('constant', 0)] or [(kind"))
    environment = os.environ | {"AUTOGRADER_ROOT": str(tmp_path), "GRADE_ROOT": str(tmp_path / "grade")}
    platform = "course/teaching/grading/platforms/prairielearn.sh"
    for script, status in (("setup.sh", 0), ("run_autograder", NONE), (platform, NONE)):
        done = subprocess.run(["bash", tmp_path / "source" / script], env=environment, capture_output=True, text=True)
        assert done.returncode == status, done.stderr
    assert not any((tmp_path / name).stat().st_mode & 0o007 for name in ("source", "graded")), "closed to other users"
    gradescope, prairielearn = tmp_path / "results" / "results.json", tmp_path / "grade" / "results" / "results.json"
    assert gradescope.exists() == prairielearn.exists() == bool(sandbox.available())
    if gradescope.exists():
        found, same = (json.loads(path.read_text(encoding="utf-8")) for path in (gradescope, prairielearn))
        theirs = json.loads((out / "results.json").read_text(encoding="utf-8"))["submissions"]["wrong"]
        assert found == theirs and found["tests"][WRONG.todo - 1]["status"] == "failed"
        assert {*found} <= {"score", "output", "output_format", "visibility", "tests"}
        entries = {"name", "number", "score", "max_score", "status", "output", "output_format", "visibility"}
        assert all({*test} <= entries for test in found["tests"])
        assert same["gradable"] is True and same["score"] == found["score"] / float(table(out)["wrong"]["max_score"])
        assert all({*test} == {"name", "points", "max_points", "output"} for test in same["tests"])
        assert sum(test["points"] for test in same["tests"]) == found["score"]
