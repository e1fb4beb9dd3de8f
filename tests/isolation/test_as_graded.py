"""``course test 03 --as-graded``: you see before the deadline what counts after it."""

import os
from pathlib import Path

import pytest

from course.isolation import graded, sandbox
from course.isolation.submitted import LARGEST
from course.student.core.catalog import find_lab
from tests.runs import PytestRun, process, pytest_run

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the grader forks")

LAB = find_lab(1)
REFERENCE = LAB.solution.read_text(encoding="utf-8")
HELPED = f"{REFERENCE}\nfrom .helper import softmax\n"


def as_graded(folder: Path, *options: str, **files: str | bytes) -> PytestRun:
    for name, content in files.items():
        (folder / f"{name}.py").write_bytes(content if isinstance(content, bytes) else content.encode())
    return pytest_run(f"--impl={folder / 'starter.py'}", LAB.path, "--as-graded", "-q", *options, LAB_CHAIN="mine")


def test_it_says_how_it_was_run_and_what_to_submit(tmp_path: Path) -> None:
    """The file alone, or together with the files that it imports; what they don't import stays at home."""
    offered = sandbox.available()
    how = f"as graded, in {offered[0].name}" if offered else "as graded, but without a sandbox"
    ran = as_graded(tmp_path, starter=HELPED, helper=REFERENCE, other="1 / 0")
    assert ran.status == 0 and how in ran.lines[0] and how in ran.lines[-1], ran.out
    assert "lab 01: submit starter.py, helper.py together, in one folder" in ran.lines
    assert "lab 01: submit starter.py alone" in as_graded(tmp_path, starter=REFERENCE).lines


@pytest.mark.skipif(not sandbox.available(), reason="needs a sandbox")
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("from .absent import f", "if absent.py is yours"),
        ("open('/data/words.txt')", "Data that it needs must be in the code"),
        ("from labs.lab_01_naive_matching.solution import softmax", "paste what you use of it"),
        ("import os; assert 'LAB_CHAIN' not in os.environ and os.listdir() == []", ""),
    ],
)
def test_the_graders_rules_hold_and_say_what_to_do(tmp_path: Path, line: str, said: str) -> None:
    ran = as_graded(tmp_path, "--todo=1", starter=f"{line}\n{REFERENCE}")
    assert said in ran.out and (ran.status == 0) == (not said), ran.out


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"#" * (LARGEST + 1), "gets 0 points: starter.py has 1,048,577"), ("#".encode("utf-16"), "save it as UTF-8")],
)
def test_a_file_that_the_grader_does_not_read_is_not_run(tmp_path: Path, content: bytes, said: str) -> None:
    ran = as_graded(tmp_path, starter=content)
    assert ran.status == 4 and said in ran.out


def test_without_a_sandbox_it_says_what_was_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    class Missing:
        name, why_not = "bubblewrap", "bwrap is not installed"

    monkeypatch.setattr(sandbox, "available", list)
    monkeypatch.setattr(sandbox, "backends", lambda: [Missing()])
    assert [*graded.AsGraded()._says()] == [
        "No sandbox holds files, imports and processes here as the grader does (bubblewrap: bwrap is not installed)."
    ]


def test_the_command_needs_a_lab(tmp_path: Path) -> None:
    assert process(tmp_path, "-m", "course", "test", "--as-graded", PYTHONPATH=str(LAB.folder.parents[1])) == (
        2,
        "error: --as-graded needs a lab: python3 -m course test 02 --as-graded\n",
    )
