"""The rehearsal: its made-up class, and what it says of a grader that is fair, generous, wordy or broken."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from course.student.core.catalog import find_lab
from course.teaching.grading.intake import read
from course.teaching.rehearsal import rehearse
from course.teaching.rehearsal.command import Rehearsal
from course.teaching.rehearsal.comparison import compare
from course.teaching.rehearsal.students import made_up_class

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the grader forks")

LAB = find_lab(2)

GRADER = """\
import json, os, sys, time
from pathlib import Path

class_, out, kind = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
(out / "records").mkdir(parents=True, exist_ok=True)
rows, first = ["student,score"], not any((out / "records").iterdir())
for number, student in enumerate(sorted(class_.iterdir())):
    if first and out.name == "resumed" and number >= len(list(class_.iterdir())) // 2:
        time.sleep(600)  # the rehearsal kills it here
    record = out / "records" / f"{student.name}.json"
    if not record.exists():
        said = os.getpid() if kind == "wordy" else 0
        record.write_text(json.dumps({"tests": {"test_a": {"verdict": "pass", "message": said}}}))
    good = "right" in student.name or (kind == "generous" and "hostile" in student.name)
    rows.append(f"{student.name},{29.0 if good else 0.0}")
(out / "grades.csv").write_text("\\n".join(rows) + "\\n")
sys.exit(kind == "broken")
"""


def rehearsed(folder: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    def start(self: Rehearsal, out: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", GRADER, str(self.class_), str(self.folder / out), kind])

    monkeypatch.setattr(Rehearsal, "start", start)
    console = Console(file=io.StringIO(), width=120, no_color=True, soft_wrap=True)
    status = rehearse(console, "02", 10, folder, [])
    return status, console.file.getvalue()  # type: ignore[attr-defined]


def test_a_fair_grader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status, said = rehearsed(tmp_path / "new", "fair", monkeypatch)
    assert status == 0, said
    assert "killed at 5 of 10 records" in said and "All 11 files are the same, byte for byte" in said


def test_a_generous_grader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status, said = rehearsed(tmp_path, "generous", monkeypatch)
    assert status == 1
    assert "010_hostile got 29.00 points, and is worth 0.00" in said


def test_a_wordy_grader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status, said = rehearsed(tmp_path, "wordy", monkeypatch)
    assert status == 0, said
    assert "10 of 11 files differ, and no grade with them" in said and "records/001_right.json" in said


def results(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    return folder


def test_what_differs(tmp_path: Path) -> None:
    one = results(tmp_path / "one", grades_csv="a,1", index_html="1", junit_xml="1")
    other = results(tmp_path / "other", grades_csv="a,2", index_html="2", junit_xml="1", more="1")
    found = compare(one, other)
    assert found.grades == ("more is in one of the results only", "grades.csv differs")
    assert found.wordings == ("index.html",) and found.total == 4
    assert "1 of 4 files differ" in found.in_words()


def test_a_broken_grader_and_a_folder_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="grade ended with status 1"):
        rehearsed(tmp_path, "broken", monkeypatch)
    with pytest.raises(ValueError, match="is not empty"):
        rehearsed(tmp_path, "fair", monkeypatch)


def test_no_two_submissions_are_the_same(tmp_path: Path) -> None:
    students = made_up_class(LAB, 200, 0, {"token": "MARK"})
    assert len({student.content for student in students}) == len({student.name for student in students}) == 200
    assert students == made_up_class(LAB, 200, 0, {"token": "MARK"}) != made_up_class(LAB, 200, 1, {"token": "MARK"})
    assert any(b"MARK" in student.content for student in students)
    for student in students:
        (tmp_path / f"{student.name}.py").write_bytes(student.content)
    assert len(read(tmp_path).submissions) == 200


@pytest.mark.parametrize("kind", ["right", "partial", "wrong"])
def test_what_runs_is_python(kind: str) -> None:
    texts = [student.content.decode() for student in made_up_class(LAB, 100, 0, {}) if student.kind == kind]
    for text in texts:
        compile(text, kind, "exec")
        assert ("raise NotImplementedError" in text) == (kind == "partial")
