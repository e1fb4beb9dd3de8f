"""No function that a submission can import does a TODO's work: each is tried in its place, on the TODO's examples."""

import contextlib
import doctest
import importlib
import inspect
import io
import traceback
from collections.abc import Iterator
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

from course.isolation.sandbox.worker import _files
from course.student.core.catalog import ROOT, Lab, all_labs
from course.student.core.hints import lab_data
from course.student.core.timeouts import TimeLimit, time_limit

pytestmark = pytest.mark.filterwarnings("ignore")  # of functions that are called with anything

LABS = [lab for lab in all_labs() if lab.solution.is_file()]

KNOWN = {
    ("unpack", "labs.lab_09_inside_an_engine.given.guides.allowed"): "lab 15 comes after lab 09, whose code it may use",
    ("minimize_dfa", "labkit.checking.probing.attempt"): "the example asks for a length alone, and no test does",
}


def offered(lab: Lab) -> Iterator[tuple[str, Any]]:
    """Yield the functions and classes that a submission can import, by their full names; not the earlier labs' own."""
    for path in _files(lab):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if path.suffix != ".py" or parts[0] == "course" or parts[-1] == "solution":
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


def answers(lab: Lab, solution: ModuleType) -> Iterator[tuple[str, str]]:
    """Yield the function of each TODO with the name of what passes its examples in its place."""
    functions = dict(offered(lab))
    for todo in lab_data(lab).todos.values():
        examples = inspect.getdoc(getattr(solution, todo.function)) or ""
        for name, function in functions.items():
            if passes(examples, {**vars(solution), todo.function: function}):
                yield todo.function, name


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.label)
def test_nothing_that_is_given_answers_a_todo(lab: Lab) -> None:
    solution = importlib.import_module(f"labs.{lab.name}.solution")
    assert not [pair for pair in answers(lab, solution) if pair not in KNOWN]


def test_an_answer_that_is_given_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scenes that people watch have a softmax of their own; a submission must not."""
    from labkit.scenes import traces

    lab = LABS[0]
    solution = importlib.import_module(f"labs.{lab.name}.solution")
    assert "labkit.scenes.traces.softmax" not in dict(offered(lab))
    monkeypatch.setattr(f"{__name__}.offered", lambda lab: [("softmax of scenes", traces.softmax)])
    assert ("softmax", "softmax of scenes") in list(answers(lab, solution))
