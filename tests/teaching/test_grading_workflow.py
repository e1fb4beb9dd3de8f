"""The workflow for GitHub Classroom: the step that takes the files from each student's repository, run here."""

import os
import shutil
import subprocess
import textwrap
from pathlib import Path

import pytest

from course.student.core.catalog import ROOT, find_lab
from course.teaching.grading import intake

WORKFLOW = ROOT / "course" / "teaching" / "grading" / "platforms" / "classroom.yml"
GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")

pytestmark = pytest.mark.skipif(not (shutil.which("git") and shutil.which("bash")), reason="needs git and bash")


def step(name: str) -> str:
    """The script of a step."""
    rest = WORKFLOW.read_text(encoding="utf-8").split(f"- name: {name}\n")[1].split("        run: |\n")[1]
    return textwrap.dedent(rest.split("\n      - ")[0])


def repository(folder: Path, **files: str) -> None:
    """A student's repository; a text ``-> there`` makes a link."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([*GIT, "init", "-q", str(folder)], check=True)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if text.startswith("-> "):
            (folder / name).symlink_to(text.removeprefix("-> "))
        else:
            (folder / name).write_text(text, encoding="utf-8")
    if files:
        subprocess.run([*GIT, "add", "-A"], cwd=folder, check=True)
        subprocess.run([*GIT, "commit", "-q", "-m", "x"], cwd=folder, check=True)


def collected(place: Path, lab: str = "02") -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"LAB": lab}
    script = step("One folder a student, with the file that is graded and what lies beside it")
    return subprocess.run(["bash", "-e", "-c", script], cwd=place, env=environment, capture_output=True, text=True)


def test_each_student_has_their_own_file_and_no_other(tmp_path: Path) -> None:
    """Links to another student's work lead nowhere; an empty repository and one without the file stay in the list."""
    there = tmp_path / "cloned" / "lab-submissions"
    own, helper = "labs/lab_02_atom_fsm/starter.py", "labs/lab_02_atom_fsm/helper.py"
    repository(there / "lab-ann", **{own: "ann = 1\n", "labs/lab_01_naive_matching/starter.py": "no\n"})
    repository(there / "lab-fay", **{own: "from .helper import f\n", helper: "f = 1\n"})
    repository(there / "lab-bob", README="", labs="-> ../lab-ann/labs")
    repository(there / "lab-cy", **{"README": "", own: "-> ../../../lab-ann/labs/lab_02_atom_fsm/starter.py"})
    repository(there / "lab-dan")
    repository(there / "lab-eve", **{f"more/{own}": "eve = 1\n"})
    repository(there / "lab-abe", README="")
    index = ["update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},{own}"]  # a commit of another repository
    for command in (index, ["commit", "-q", "-m", "y"]):
        subprocess.run([*GIT, *command], cwd=there / "lab-abe", check=True)
    done = collected(tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "class.tar").is_file()
    submissions = intake.read(tmp_path / "class" / "submissions", lab=find_lab(2)).submissions
    assert {one.student: one.beside for one in submissions if one.beside} == {"lab-fay": (("helper.py", "f = 1\n"),)}
    found = {one.student: one.text for one in submissions}
    assert found.pop("lab-ann") == "ann = 1\n"
    assert not [name for name, text in found.items() if text is not None and "ann = 1" in text]
    assert set(found) == {"lab-abe", "lab-bob", "lab-cy", "lab-dan", "lab-eve", "lab-fay"}


@pytest.mark.parametrize("lab", ["2", "02; touch hacked", "../", ""])
def test_a_lab_is_two_digits(tmp_path: Path, lab: str) -> None:
    (tmp_path / "cloned").mkdir()
    done = collected(tmp_path, lab)
    assert done.returncode == 1 and "two digits" in done.stderr
    assert not (tmp_path / "hacked").exists()
