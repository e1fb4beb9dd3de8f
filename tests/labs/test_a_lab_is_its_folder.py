"""A lab is its folder: a copy under another number is tested, shown, drawn, timed and handed out as it stands."""

import re
import shutil
from pathlib import Path

import pytest

from course.student.core.catalog import find_lab
from tests.copies import copy_course
from tests.runs import process

SOURCE = find_lab(2)
COPY = "lab_42_copied"


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """The parts of this copy of the course that run, and lab 02 once more as lab 42."""
    root = copy_course(tmp_path_factory.mktemp("tree"), "requirements", "requirements.txt")
    shutil.copytree(root / SOURCE.path, root / "labs" / COPY)
    return root


def python(tree: Path, *arguments: str) -> str:
    """What Python prints there; it must end well."""
    status, said = process(tree, *arguments, PYTHONDONTWRITEBYTECODE="1")
    assert status == 0, said[-3000:]
    return said


@pytest.mark.parametrize("options", [(), ("--pipe",)], ids=["in process", "through the pipe"])
def test_its_tests_pass_on_its_reference(tree, options):
    out = python(tree, "-m", "pytest", f"labs/{COPY}", "--impl=solution", "-q", "-p", "no:cacheprovider", *options)
    assert re.search(r"[1-9]\d* passed, 0 wrong, 0 todo", out), out


def test_it_is_shown(tree):
    """As lab 02 is: the steps, and the ending on the real model."""
    copied, own = (python(tree, "-m", "course", "show", number, "--impl", "solution") for number in ("42", "02"))
    assert copied == own.replace("lab 02", "lab 42") != own and "step 8 of at most 8" in own and ", a match" in own


def test_its_pictures_are_drawn(tree):
    """All but the still of its explorer, which a browser draws."""
    shutil.rmtree(tree / "labs" / COPY / "pictures")
    program = f"""
from course.student.core.catalog import ROOT, find_lab
from course.upkeep.pages.readmes import pictures_of
for name, draw in pictures_of(find_lab("{COPY}")).items():
    (ROOT / name).parent.mkdir(exist_ok=True)
    (ROOT / name).write_text(str(draw()), encoding="utf-8", newline="\\n")
"""
    python(tree, "-c", program)
    for committed in {*(SOURCE.folder / "pictures").iterdir()} - {SOURCE.folder / "pictures" / "explorer.svg"}:
        assert (tree / "labs" / COPY / "pictures" / committed.name).read_bytes() == committed.read_bytes()


def test_its_table_is_in_the_bench(tree):
    program = """
from course.showcase.bench import benches
from labkit.vocabulary import Vocabulary
(copy,) = [bench for lab, bench in benches() if lab.number == 42]
print(copy.bench(Vocabulary.toy()).job)
"""
    assert python(tree, "-c", program).strip() == "one mask"


def test_it_is_handed_out(tree):
    program = f"""
from course.teaching.handout.plan import Handout, files_of_the_course
for plan in (Handout("open", 42), Handout("open", 41)):
    print(*sorted(name for name in files_of_the_course() if "/{COPY}/" in name and plan.holds(name)))
"""
    held, before = python(tree, "-c", program).split("\n")[:2]
    names = {Path(name).name for name in held.split()}
    assert {"README.md", "starter.py", "test_lab.py", "hints.toml", "scene.py", "pictures.py"} <= names and not before
    assert not {"solution.py", "bench.py"} & names
