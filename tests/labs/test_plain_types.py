"""Where a docstring promises plain numbers, a test of that TODO refuses NumPy's."""

import ast
import re
from pathlib import Path

import pytest

from course.student.core.catalog import Lab, all_labs
from course.student.core.hints import lab_data
from course.student.run.batch import grade_many

WITH_NUMPYS = """

import numpy as np


def _with_numpys(value):
    if type(value) in (bool, int, float):
        return np.array(value)[()]
    if type(value) is dict:
        return {_with_numpys(key): _with_numpys(entry) for key, entry in value.items()}
    return type(value)(map(_with_numpys, value)) if type(value) in (list, tuple, set, frozenset) else value


_plain = NAME
NAME = lambda *args, **kwargs: _with_numpys(_plain(*args, **kwargs))
"""


def promised(lab: Lab) -> dict[str, int]:
    """Return the functions whose docstrings promise plain ints, bools or floats, with their TODOs."""
    tree = ast.parse(lab.solution.read_text(encoding="utf-8"))
    docs = {node.name: ast.get_docstring(node) or "" for node in tree.body if isinstance(node, ast.FunctionDef)}
    todos = {todo.function: todo.number for todo in lab_data(lab).todos.values()}
    return {
        name: number for name, number in todos.items() if re.search(r"\bplain\s+(ints?|bools?|floats?)\b", docs[name])
    }


@pytest.mark.parametrize("lab", [*filter(promised, all_labs())], ids=lambda lab: lab.label)
def test_numpys_numbers_are_refused(lab: Lab, tmp_path: Path) -> None:
    """The reference with NumPy's numbers in its results fails, however deep in a dict or a set they are."""
    files = [tmp_path / f"{name}.py" for name in promised(lab)]
    for file in files:
        source = lab.solution.read_text(encoding="utf-8") + WITH_NUMPYS.replace("NAME", file.stem)
        file.write_text(source, encoding="utf-8")
    for found in grade_many(lab, files, todos=[*promised(lab).values()]):
        said = " ".join(result.message for result in found if result.verdict == "wrong")
        assert "NumPy's numbers aren't Python's" in said or "yours gave" in said, said
