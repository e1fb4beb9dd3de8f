"""Where a docstring promises plain numbers, a test of that TODO refuses NumPy's."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from course.student.core.catalog import ROOT, Lab, all_labs
from course.student.core.hints import lab_data

WITH_NUMPYS = """

def _with_numpys(value):
    if type(value) in (bool, int, float):
        return np.array(value)[()]
    if type(value) is dict:
        return {_with_numpys(key): _with_numpys(entry) for key, entry in value.items()}
    return type(value)(map(_with_numpys, value)) if type(value) in (list, tuple, set, frozenset) else value


_plain = NAME
NAME = lambda *args, **kwargs: _with_numpys(_plain(*args, **kwargs))
"""


def promises() -> list[tuple[Lab, int, str]]:
    """Return the TODOs whose docstrings promise plain ints, bools or floats."""
    found = []
    for lab in all_labs():
        tree = ast.parse(lab.solution.read_text(encoding="utf-8"))
        docs = {node.name: ast.get_docstring(node) or "" for node in tree.body if isinstance(node, ast.FunctionDef)}
        for todo in lab_data(lab).todos.values():
            if re.search(r"\bplain\s+(ints?|bools?|floats?)\b", docs[todo.function]):
                found.append((lab, todo.number, todo.function))
    return found


@pytest.mark.parametrize(("lab", "number", "name"), promises(), ids=lambda value: str(getattr(value, "label", value)))
def test_numpys_numbers_are_refused(lab: Lab, number: int, name: str, tmp_path: Path) -> None:
    """The reference with NumPy's numbers in its results fails, however deep in a dict or a set they are."""
    file = tmp_path / "with_numpys.py"
    source = lab.solution.read_text(encoding="utf-8") + WITH_NUMPYS.replace("NAME", name)
    file.write_text(source + ("" if "import numpy as np" in source else "\nimport numpy as np\n"), encoding="utf-8")
    command = [sys.executable, "-m", "course", "test", f"{lab.number:02}.{number}", "--impl", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "NumPy's numbers aren't Python's" in done.stdout or "yours gave" in done.stdout, done.stdout
