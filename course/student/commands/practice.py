"""Practice notebooks: a lab as cells to fill in, made from its starter; and grading what a notebook defines.

``python3 -m course practice 02`` makes one. It is the student's from then on: none is in git, or brought up to date.
"""

import ast
import io
import sys
from collections.abc import Iterator, MutableMapping
from contextlib import redirect_stdout
from itertools import groupby
from types import ModuleType
from typing import Any

from rich.console import Console

from course.student.core.catalog import ROOT, Lab, find_lab
from course.student.core.hints import lab_data
from course.student.core.implementation import Implementation
from course.student.core.notebook_file import FOLDED, code_cell, markdown_cell, notebook_text, set_up
from course.student.core.starters import generate_starter
from course.student.core.trace import SHOWN_AS
from labs.own_files import MARK

_INTRODUCTION = """\
# Lab {lab.number:02} as a notebook: {title}

Fill in the cells from top to bottom. The cell after each TODO runs its tests on what the cells define, as often as you
like; the last one runs all. The functions are those of `starter.py`: work in one of the two, for `status`, `next`,
`show` and `LAB_CHAIN=mine` read `starter.py` alone. The [README](README.md) explains the idea, and the
[walkthrough](walkthrough.ipynb) shows where it leads. No command of the course writes
over what you have filled in."""

_GRADE = "from course.student.commands.practice import grade"

_TASK = """\
## TODO {todo.number}: `{todo.function}`

{task}, {todo.about_lines}. Stuck? In a terminal: `python3 -m course hint {lab.number:02}.{todo.number}`"""


def as_text(lab: Lab) -> str:
    """Return the text of the lab's notebook: set-up, imports, each TODO's task, function and tests; at the end, all."""
    number, todos = f"{lab.number:02}", {todo.function: todo for todo in lab_data(lab).todos.values()}
    introduction = markdown_cell(_INTRODUCTION.format(lab=lab, title=lab_data(lab).title.lower()))
    cells = [introduction, code_cell(f"{set_up()}\n\n{_GRADE}", [FOLDED])]
    for name, source in _pieces(generate_starter(lab)):
        cells.append(code_cell(source))
        if todo := todos.get(name):
            task = _TASK.format(lab=lab, todo=todo, task=todo.task[0].upper() + todo.task[1:])
            cells.insert(-1, markdown_cell(task))
            cells.append(code_cell(f'grade("{number}.{todo.number}", globals())'))
    return notebook_text([*cells, markdown_cell("## Your score"), code_cell(f'grade("{number}", globals())')])


def _pieces(starter: str) -> Iterator[tuple[str, str]]:
    """Yield the name and source of each function, and what is between two functions under the name ``""``."""
    lines = starter.splitlines()
    body = ast.parse(starter).body[1:]  # without the docstring
    for name, group in groupby(body, key=lambda node: node.name if isinstance(node, ast.FunctionDef) else ""):
        nodes = list(group)
        yield name, "\n".join(lines[nodes[0].lineno - 1 : nodes[-1].end_lineno])


def write(lab: Lab, console: Console) -> int:
    """Write the lab's ``practice.ipynb``; one that is there stays as it is."""
    text, name = as_text(lab), f"{lab.path}/practice.ipynb"
    try:
        with (lab.folder / "practice.ipynb").open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        console.print(f"{name} is there already, and stays as it is. For a new one, give yours another name first.")
        return 0
    console.print(f"wrote {name}; python3 -m course doctor says what opens it")
    return 0


def grade(name: str, namespace: MutableMapping[str, Any]) -> None:
    """Run the unchanged tests of a lab, or of one TODO (``02.3``), on the functions in ``namespace``; print the report.

    Nothing is kept between two calls: each grades what the names mean now. ``namespace`` is a notebook's ``globals()``;
    while the tests run it also holds the marks by which a traceback tells the student's lines from others.
    """
    import pytest

    from course.student.run.settings import GRADED

    lab_name, _, todo = name.partition(".")
    lab = find_lab(lab_name)
    wanted = [each.function for number, each in lab_data(lab).todos.items() if todo in ("", str(number))]
    if missing := [name for name in wanted if name not in namespace]:
        print(f"Nothing was graded: no cell has defined {', '.join(missing)} yet. Run the cells above first.")
        return

    class Given:
        @pytest.hookimpl(tryfirst=True)  # before the course's plugin reads its settings
        def pytest_configure(self, config: pytest.Config) -> None:
            module = ModuleType("practice")
            vars(module).update(namespace)
            config.stash[GRADED] = Implementation("notebook", "grade()", module=module)

    options = ["-q", "--capture=sys", "-p", "no:cacheprovider", f"--rootdir={ROOT}", "-c", str(ROOT / "pyproject.toml")]
    options += [f"--todo={todo}"] * bool(todo) + ["--color=yes"] * ("ipykernel" in sys.modules)
    namespace.update({MARK: lab.number, SHOWN_AS: "practice.ipynb"})
    try:
        with redirect_stdout(io.StringIO()) as said:  # pytest flushes each letter, and a notebook would give it a line
            pytest.main([*options, str(lab.folder / "test_lab.py")], plugins=[Given()])
        print(said.getvalue(), end="")
    finally:
        del namespace[MARK], namespace[SHOWN_AS]
