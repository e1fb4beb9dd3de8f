"""The rehearsal: its made-up class, and what it says of a grader that is fair, generous, moody or broken."""

import io
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.console import Console

from course.student.core.catalog import find_lab
from course.teaching.grading.intake import read
from course.teaching.rehearsal import command
from course.teaching.rehearsal.students import made_up_class

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the grader forks")

LAB = find_lab(2)

GRADER = """\
import json, sys, time
from pathlib import Path

class_, out, kind = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
(out / "records").mkdir(parents=True, exist_ok=True)
rows, first = ["student,score"], not any((out / "records").iterdir())
for number, student in enumerate(sorted(class_.iterdir())):
    if first and out.name == "resumed" and number >= len(list(class_.iterdir())) // 2:
        time.sleep(600)  # the rehearsal kills it here
    record = out / "records" / f"{student.name}.json"
    if not record.exists():
        record.write_text(json.dumps({"tests": {"test_a": {"verdict": "pass"}}}))
    moody = kind == "moody" and "wrong" in student.name and out.name == "resumed"
    good = moody or "right" in student.name or (kind == "generous" and "hostile" in student.name)
    rows.append(f"{student.name},{29.0 if good else 0.0}")
(out / "grades.csv").write_text("\\n".join(rows) + "\\n")
sys.exit(kind == "broken")
"""


def rehearsed(folder: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    def start(out: Path, options: Sequence[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", GRADER, str(folder / "class"), str(out), kind])

    monkeypatch.setattr(command, "start", start)
    console = Console(file=io.StringIO(), width=120, no_color=True, soft_wrap=True)
    status = command.rehearse(console, "02", 10, folder, [])
    return status, console.file.getvalue()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("kind", "status", "told"),
    [
        ("fair", 0, ["killed at 5 of 10 records", "the same grades"]),
        ("generous", 1, ["010_hostile got 29.00 points, and is worth 0.00"]),
        ("moody", 1, ["grades.csv differs"]),
    ],
)
def test_a_grader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, status: int, told: list[str]) -> None:
    ended, said = rehearsed(tmp_path / "new", kind, monkeypatch)
    assert ended == status and all(words in said for words in told), said


def test_a_broken_grader_and_a_folder_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="grade ended with status 1"):
        rehearsed(tmp_path, "broken", monkeypatch)
    with pytest.raises(ValueError, match="is not empty"):
        rehearsed(tmp_path, "fair", monkeypatch)


def test_no_two_submissions_are_the_same(tmp_path: Path) -> None:
    values = defaultdict(str, token="MARK")
    students = made_up_class(LAB, 200, values)
    assert len({student.content for student in students}) == len({student.name for student in students}) == 200
    assert students == made_up_class(LAB, 200, values)
    assert any(b"MARK" in student.content for student in students)
    for student in students:
        (tmp_path / f"{student.name}.py").write_bytes(student.content)
    assert len(read(tmp_path).submissions) == 200
