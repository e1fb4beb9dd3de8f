"""What a worker sees of the repository, and that it serves the tests with that."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from course.isolation.pipe.proxy import PipedLab
from course.isolation.sandbox import Limits, Sandbox, machine
from course.isolation.sandbox.stage import stage
from course.student.core.catalog import ROOT, Lab, all_labs
from tests.isolation.test_sandbox_ways import OFFERED

LABS = [lab for lab in all_labs() if lab.solution.is_file()]
LAST = LABS[-1]


def seen(copy: Path) -> set[str]:
    return {path.relative_to(copy).as_posix() for path in copy.rglob("*") if path.is_file()}


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)
def test_nothing_that_tells_the_answers_is_in_the_copy(lab: Lab, tmp_path: Path) -> None:
    names = seen(stage(lab, [], tmp_path))
    words = ["test_", "oracles", "hints", "probes", "fingerprints", "README", "walkthrough"]
    words += ["wrong_answers", "hostile"]
    assert not [name for name in names for word in words if word in name.removeprefix("labkit/")]
    assert not [name for name in names if name.startswith((f"{lab.path}/solution", f"{lab.path}/__pycache__/solution"))]
    assert not [name for name in names for later in LABS if later.number > lab.number and later.name in name]
    assert {name.split("/")[0] for name in names} - {"mask_engine"} == {"course", "labkit", "labs"}


def test_earlier_solutions_are_there_unless_they_are_the_students(tmp_path: Path) -> None:
    first, second = LABS[0], LABS[1]
    with_references = stage(LAST, [], tmp_path)
    assert (with_references / first.path / "solution.py").read_bytes() == first.solution.read_bytes()
    starters = {path.read_text() for path in with_references.glob("labs/*/starter.py")}
    assert len(starters) == 1 and not (with_references / LAST.path / "starter.py").exists()
    chained = stage(LAST, [first.number], tmp_path)
    assert (chained / first.path / "solution.py").read_bytes() == b""
    assert (chained / second.path / "solution.py").read_bytes() == second.solution.read_bytes()
    assert first.solution.read_text()[:200] not in "".join(
        path.read_text(errors="replace") for path in chained.rglob("*") if path.is_file()
    )


def test_the_same_copy_is_made_once_for_everybody_to_read_and_nobody_to_write(tmp_path: Path) -> None:
    first = stage(LABS[0], [], tmp_path)
    times = {path: path.stat().st_mtime_ns for path in first.rglob("*")}
    assert stage(LABS[0], [], tmp_path) == first
    assert {path: path.stat().st_mtime_ns for path in first.rglob("*")} == times
    assert [path.name for path in tmp_path.iterdir()] == [first.name]
    assert {path.stat().st_mode & 0o777 for path in first.rglob("*")} == {0o755, 0o644}


@pytest.mark.parametrize("lab", [LABS[0], LAST], ids=lambda lab: lab.name)
def test_a_worker_needs_no_more_than_the_copy(lab: Lab, tmp_path: Path) -> None:
    """Every module of the copy, and the reference, loads in a Python that finds no repository.

    Pictures and the server are for people, and have packages of their own.
    """
    copy = stage(lab, [], tmp_path)
    modules = [name for name in seen(copy) if name.endswith(".py") and not re.search("pictures|server/", name)]
    names = sorted(name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in modules)
    imports = "".join(f"import {name}\n" for name in names if lab.name not in name)
    program = f"import sys; sys.path.insert(0, {str(copy)!r})\n{imports}{lab.solution.read_text()}"
    (tmp_path / "program.py").write_text(program)
    done = subprocess.run(
        [sys.executable, "-P", str(tmp_path / "program.py")], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""


@pytest.fixture(params=list(OFFERED))
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    return Sandbox(OFFERED[request.param], Limits(wall_s=100))


LOOKS = """\
from pathlib import Path

def find_answer(pattern, answer):
    try:
        return Path(answer).read_text()[:50]
    except OSError as error:
        return type(error).__name__

def could_match(name, text):
    __import__(name)
    return True
"""


def test_a_submission_sees_labkit_no_answers_and_no_other_submission(sandbox: Sandbox, tmp_path: Path) -> None:
    lab = LABS[0]
    file = tmp_path / "answer.py"
    file.write_text(LOOKS)
    other = Sandbox(sandbox.backend, Limits(wall_s=100))
    with (
        PipedLab(lab, {lab.number: file}, sandbox=sandbox, seconds=60) as piped,
        PipedLab(lab, {lab.number: file}, sandbox=other, seconds=60) as neighbour,
    ):
        neighbour.load()
        answers = (
            "solutions/README.md",
            ".git/HEAD",
            "README.md",
            f"{lab.path}/solution.py",
            f"{lab.path}/test_lab.py",
        )
        hidden = [ROOT / name for name in answers]
        if sandbox.backend.name == "other-user":
            hidden = list(filter(lambda path: machine.closed([path]), hidden))
        for path in [*hidden, next(other._folder.rglob("answer.py"))]:
            assert piped.find_answer("", str(path)) in ("FileNotFoundError", "NotADirectoryError", "PermissionError")
        assert piped.could_match("labkit.errors", "")
        modules = (f"labs.{lab.name}.solution", f"labs.{lab.name}.test_lab")
        for name in (*modules, "course.student.run.plugin", "course.student.core.hints"):
            with pytest.raises(ModuleNotFoundError):
                piped.could_match(name, "")


def test_failures_show_the_submissions_own_name_and_line(sandbox: Sandbox, tmp_path: Path) -> None:
    lab = LABS[0]
    file = tmp_path / "answer of mine.py"
    file.write_text("def find_answer(pattern, answer):\n    return 1 / 0\n")
    with PipedLab(lab, {lab.number: file}, sandbox=sandbox, seconds=60) as piped:
        with pytest.raises(ZeroDivisionError) as caught:
            piped.find_answer("", "")
        (frame,) = caught.value.__student_trace__.frames  # type: ignore[attr-defined]
        assert str(frame) == "answer of mine.py:2 in find_answer: return 1 / 0"


def test_a_chain_stands_on_the_students_own_files(sandbox: Sandbox, tmp_path: Path) -> None:
    first, second = LABS[0], LABS[1]
    (tmp_path / "one.py").write_text("def softmax(x):\n    return 'mine'\n")
    (tmp_path / "two.py").write_text(f"from labs.{first.name}.solution import softmax\nSAID = softmax(0)\n")
    files = {first.number: tmp_path / "one.py", second.number: tmp_path / "two.py"}
    with PipedLab(second, files, sandbox=sandbox, seconds=60) as piped:
        assert piped.SAID == "mine"


def test_a_graded_file_never_stands_on_the_students_others(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAB_CHAIN", "mine")
    (tmp_path / "two.py").write_text(f"from labs.{LABS[0].name} import solution\nFILE = solution.__file__\n")
    with PipedLab(LABS[1], {2: tmp_path / "two.py"}, sandbox=sandbox, seconds=60) as piped:
        assert piped.FILE.endswith(f"{LABS[0].path}/solution.py")


def test_closing_removes_all_its_files(sandbox: Sandbox, tmp_path: Path) -> None:
    lab = LABS[0]
    tmp_path.chmod(0o755)
    sandbox.shelf = None
    with PipedLab(lab, {lab.number: lab.solution}, sandbox=sandbox, seconds=60) as piped:
        piped.load()
        folder = sandbox._folder
    sandbox.close()
    assert not folder.exists()
    sandbox.close()
