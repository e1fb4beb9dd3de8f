"""The hash that a record's key holds, and what the autograder packs, against what a grading really loads."""

import subprocess
import sys
from pathlib import Path

import pytest

from course.student.core.catalog import ROOT, find_lab
from course.student.core.import_closure import closure
from course.student.core.wrong_answers import bank_file
from course.teaching.grading.gradescope import contents
from course.teaching.grading.job import PROPERTIES
from course.teaching.grading.trusted_base import PROCESSES, hash_of_tests, trusted_base

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the grader forks")

LAB = find_lab(4)

LOADED = """
import sys
from pathlib import Path
import conftest
from course.isolation.pipe import worker
from course.teaching.grading import warm
for module in list(sys.modules.values()):
    print(getattr(module, "__file__", None) or "")
"""


def test_what_a_grading_loads_is_in_the_hash_and_in_the_archive() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {Path(line) for line in done.stdout.split("\n") if Path(line).is_relative_to(ROOT / "course")}
    assert loaded and loaded <= trusted_base(LAB)
    assert closure(PROCESSES) <= {ROOT / name for name in contents(LAB)}


def test_the_hash_covers_the_closure_of_imports_and_the_labs() -> None:
    base = trusted_base(LAB)
    assert closure(PROCESSES) <= base
    assert {path.resolve() for path in closure([LAB.folder / "test_lab.py", LAB.solution])} <= base
    assert not any(path.name == "starter.py" for path in base)
    assert not any(path.is_relative_to(find_lab(5).folder) for path in base)
    assert bank_file(LAB) in trusted_base(LAB, PROPERTIES) - trusted_base(LAB)
    assert hash_of_tests(LAB) != hash_of_tests(LAB, PROPERTIES) != hash_of_tests(find_lab(5), PROPERTIES)
