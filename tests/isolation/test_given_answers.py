"""No function that a submission can import does a TODO's work: each is tried in its place.

First on the TODO's examples, because that's quick, and what holds on them is tried on the TODO's tests.
"""

import contextlib
import doctest
import importlib
import inspect
import io
import subprocess
import sys
import traceback
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from course.isolation.sandbox.worker import _files
from course.student.core.catalog import ROOT, Lab, all_labs, find_lab
from course.student.core.hints import lab_data
from course.student.core.timeouts import TimeLimit, time_limit
from labs.lab_09_inside_an_engine.given import guides

pytestmark = pytest.mark.filterwarnings("ignore")  # of functions that are called with anything

LABS = [lab for lab in all_labs() if lab.solution.is_file()]


def offered(lab: Lab) -> Iterator[tuple[str, Any]]:
    """Yield the functions and classes that a submission can import, by their full names."""
    for path in _files(lab):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if path.suffix != ".py" or parts[0] == "course":
            continue
        module = importlib.import_module(".".join(parts).removesuffix(".__init__"))
        for name, value in vars(module).items():
            if isinstance(value, FunctionType | type) and value.__module__ == module.__name__:
                yield f"{module.__name__}.{name}", value


@cache
def compiled(examples: str) -> list[tuple[doctest.Example, CodeType]]:
    found = doctest.DocTestParser().get_examples(examples)
    return [(example, compile(example.source, "<example>", "single")) for example in found]


def passes(examples: str, space: dict[str, Any]) -> bool:
    """Return whether a docstring's examples hold with these globals: doctest's own runner is three times slower."""
    said, checker = io.StringIO(), doctest.OutputChecker()
    with contextlib.redirect_stdout(said), contextlib.suppress(Exception, TimeLimit), time_limit(2):
        for example, code in compiled(examples):
            said.truncate(said.seek(0))
            try:
                exec(code, space)
            except Exception as error:
                if not example.exc_msg:
                    return False
                said.write(traceback.format_exception_only(error)[-1])
            options = sum(flag for flag, on in example.options.items() if on)
            if not checker.check_output(example.exc_msg or example.want, said.getvalue(), options):
                return False
        return bool(compiled(examples))
    return False


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


def answers(lab: Lab, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the function of each TODO with the name of what answers in its place."""
    solution = importlib.import_module(f"labs.{lab.name}.solution")
    functions = dict(offered(lab))
    for todo in lab_data(lab).todos.values():
        examples = inspect.getdoc(getattr(solution, todo.function)) or ""
        for name, function in functions.items():
            space = {**vars(solution), todo.function: function}
            if passes(examples, space) and earns(lab, todo.function, name, folder):
                yield todo.function, name


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.label)
def test_nothing_that_is_given_answers_a_todo(lab: Lab, tmp_path: Path) -> None:
    assert not [*answers(lab, tmp_path)]


def test_an_answer_that_is_given_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Lab 09's helper would do lab 15's ``unpack``, so no submission of lab 15 can import it."""
    lab, name = find_lab(15), "labs.lab_09_inside_an_engine.given.guides.allowed"
    assert name not in dict(offered(lab))
    monkeypatch.setattr(f"{__name__}.offered", lambda lab: [(name, guides.allowed)])
    assert ("unpack", name) in [*answers(lab, tmp_path)]
