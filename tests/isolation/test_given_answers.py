"""No function that a submission can import does a TODO's work: each is tried in its place.

First on the TODO's examples, because that's quick, and what holds on them is tried on the TODO's tests.
"""

import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from course.isolation.sandbox.stage import _files
from course.student.core.catalog import ROOT, Lab, all_labs, find_lab
from course.student.core.examples import workalikes
from course.student.core.hints import lab_data
from labs.lab_15_gpu_bitmask.given import tuned

pytestmark = pytest.mark.filterwarnings("ignore")  # of functions that are called with anything

LABS = [lab for lab in all_labs() if lab.solution.is_file()]


def offered(lab: Lab) -> Iterator[tuple[str, Any]]:
    """Yield the functions and classes that a submission can import, by their full names."""
    for path in _files(lab):
        parts = path.relative_to(ROOT).with_suffix("").parts
        # The finder of students' files changes what is imported here, if it's called with anything.
        if path.suffix != ".py" or parts[0] == "course" or path.name == "own_files.py":
            continue
        module = importlib.import_module(".".join(parts).removesuffix(".__init__"))
        for name, value in vars(module).items():
            if isinstance(value, FunctionType | type) and value.__module__ == module.__name__:
                yield f"{module.__name__}.{name}", value


def earns(lab: Lab, function: str, name: str, folder: Path) -> bool:
    """Return whether the reference passes all tests of this TODO with an import of ``name`` in the function's place."""
    module, _, imported = name.rpartition(".")
    file = folder / "borrows.py"
    text = lab.solution.read_text(encoding="utf-8").replace(f"\ndef {function}(", f"\ndef own_{function}(")
    file.write_text(f"{text}\nfrom {module} import {imported} as {function}\n", encoding="utf-8")
    command = [sys.executable, "-m", "course", "test", todo_name(lab, function), "--impl", str(file)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 0


def todo_name(lab: Lab, function: str) -> str:
    return next(f"{lab.number:02}.{todo.number}" for todo in lab_data(lab).todos.values() if todo.function == function)


def answers(lab: Lab, folder: Path) -> list[tuple[str, str]]:
    """Return the function of each TODO with the name of what answers in its place."""
    return [pair for pair in workalikes(lab, dict(offered(lab))) if earns(lab, *pair, folder)]


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.label)
def test_nothing_that_is_given_answers_a_todo(lab: Lab, tmp_path: Path) -> None:
    assert not answers(lab, tmp_path)


def test_an_answer_that_is_given_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Lab 15's faster twin would do its ``apply``, so no submission of lab 15 can import it."""
    lab, name = find_lab(15), "labs.lab_15_gpu_bitmask.given.tuned.apply"
    assert name not in dict(offered(lab))
    monkeypatch.setattr(f"{__name__}.offered", lambda lab: [(name, tuned.apply)])
    assert ("apply", name) in answers(lab, tmp_path)
