"""A lab is changed as CONTRIBUTING says: on a copy, by the edits that a person makes there, and then ``sync``."""

import re
import shutil
from pathlib import Path

import pytest

from course.student.core.catalog import ROOT
from tests.copies import copy_course
from tests.runs import process

LAB = Path("labs", "lab_02_atom_fsm")
BANK = Path("solutions", "wrong_answers", "lab_02.py")
GENERATED = {f"{LAB}/starter.py", f"{LAB}/fingerprints.json"}

EXITS = '''\
def exits(fsm: Fsm, state: int) -> list[str]:
    """Return the characters that lead on from a state, in order.

    >>> from labkit.automata import hex_fsm
    >>> exits(hex_fsm(), 0)
    ['0']
    """
    # begin TODO
    return sorted(fsm.transitions[state])
    # end TODO


'''
HINTS = """\
[todo.exits]
task = "what leads on from a state"
lines = 1
minutes = 2
difficulty = "easy"
points = 1
hints = ["Look at one row.", "Its keys are the characters.", "One call of sorted."]

"""
TEST = '''

@pytest.mark.todo("exits")
def test_exits_are_sorted(lab):
    """The characters that lead on come in order."""
    assert lab.exits(Fsm(({"b": 0, "a": 0},), 0, frozenset()), 0) == ["a", "b"]
'''
PROBE = """

def probe_exits(lab: Any) -> list[Attempt]:
    return [attempt(lab.exits, fsm, 0) for fsm in (HEX, LOOP, BACKWARDS)]
"""
SECTION = "### TODO 0: `exits`\n\nWhich characters lead on from a state? Return them in order.\n\n"
MISTAKE = '''

@mistake("exits", hint=3)
def exits_as_they_come(fsm, state):
    """The characters come in the order of the row."""
    return list(fsm.transitions[state])
'''


@pytest.fixture
def tree(tmp_path):
    """A copy of the course with all that ``sync`` reads."""
    files = "requirements.txt", "constraints.txt", "README.md", "CONTRIBUTING.md"
    copy = copy_course(tmp_path, "solutions", "bridges", "book", "requirements", *files)
    for notebook in (LAB / "walkthrough.ipynb", Path("bridges/hf/walkthrough.ipynb")):
        shutil.copy(ROOT / notebook, copy / notebook)
    return copy


def edit(path: Path, old: str, new: str) -> None:
    """Replace a text in a file, where it must stand."""
    text = path.read_text(encoding="utf-8")
    assert old in text, (path, old)
    path.write_text(text.replace(old, new), encoding="utf-8", newline="\n")


def grade(tree: Path) -> None:
    """All tests pass on the reference, and none on the starter, where nothing is wrong: it is unwritten."""
    for name, outcome in (
        ("solution", r"[1-9]\d+ passed, 0 wrong, 0 todo"),
        ("starter", r"0 passed, 0 wrong, \d\d+ todo"),
    ):
        out = process(tree, "-m", "pytest", str(LAB), f"--impl={name}", "-q", "-p", "no:cacheprovider")[1]
        assert re.search(rf"\b{outcome}", out), out[-3000:]


def synced(tree: Path) -> set[str]:
    """The files that ``sync`` writes; after it, all is in step."""
    wrote = set(re.findall(r"^wrote (\S+)", process(tree, "-m", "course", "sync", "02")[1], re.MULTILINE))
    assert "Every generated file is in step." in process(tree, "-m", "course", "sync", "02", "--check")[1]
    return wrote


def test_a_function_is_renamed_and_a_todo_is_added_in_the_middle(tree):
    for name in ("solution.py", "test_lab.py", "hints.toml", "probes.py", "README.md"):
        edit(tree / LAB / name, "refuse_ambiguity", "must_be_clear")
    for path in (BANK, Path("solutions", "lab_02_atom_fsm.md")):
        edit(tree / path, "refuse_ambiguity", "must_be_clear")
    edit(tree / LAB / "solution.py", "def generate(", f"{EXITS}def generate(")
    edit(tree / LAB / "hints.toml", "[todo.generate]", f"{HINTS}[todo.generate]")
    edit(tree / LAB / "README.md", "### TODO 3: `generate`", f"{SECTION}### TODO 3: `generate`")
    for path, text in ((LAB / "test_lab.py", TEST), (LAB / "probes.py", PROBE), (BANK, MISTAKE)):
        with (tree / path).open("a", encoding="utf-8", newline="\n") as file:
            file.write(text)
    assert synced(tree) == GENERATED | {f"{LAB}/README.md", "solutions/lab_02_atom_fsm.md"}
    page = (tree / LAB / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^#+ TODO (\d+)", page, re.MULTILINE) == [str(n) for n in range(1, 8)]
    assert "### TODO 3: `exits`" in page and "| 4 | `generate` |" in page
    assert "The characters come in the order of the row." in (tree / LAB / "fingerprints.json").read_text(
        encoding="utf-8"
    )
    grade(tree)
