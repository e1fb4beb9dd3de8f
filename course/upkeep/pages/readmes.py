"""What is generated in a lab's README: the table of TODOs, from ``hints.toml``, and the pictures."""

import inspect
import re
from collections.abc import Callable
from importlib import import_module

from course.student.core.catalog import Lab
from course.student.core.hints import lab_data
from labkit.pictures import Svg

_REGION = re.compile(r"(<!-- todo table: begin -->\n).*?(<!-- todo table: end -->)", re.S)


def todo_table(lab: Lab) -> str:
    """Return the lab's TODOs as a Markdown table."""
    rows = ["| TODO | function | task | about | points | `python3 -m course test` |", "|---|---|---|---|---|---|"]
    for number, todo in lab_data(lab).todos.items():
        lines = f"{todo.lines} line{'s' if todo.lines > 1 else ''}, {todo.minutes} min, {todo.difficulty}"
        name = f"`{lab.number:02}.{number}`"
        rows.append(f"| {number} | `{todo.function}` | {todo.task} | {lines} | {todo.points} | {name} |")
    return "\n".join(rows) + "\n"


def with_table(lab: Lab, readme: str) -> str:
    """Return the README with its table brought up to date.

    Raises:
        ValueError: if the marks are missing.
    """
    if not _REGION.search(readme):
        raise ValueError(
            f"{lab.path}/README.md lacks the lines <!-- todo table: begin --> and <!-- todo table: end -->"
        )
    return _REGION.sub(lambda match: match[1] + todo_table(lab) + match[2], readme)


def pictures_of(lab: Lab) -> dict[str, Callable[[], Svg]]:
    """Return what draws each picture of a lab, by the file's path from the repository's root.

    A public function of the lab's ``pictures.py`` draws the picture of its name.
    """
    if not (lab.folder / "pictures.py").is_file():
        return {}
    module = import_module(f"labs.{lab.name}.pictures")
    functions = inspect.getmembers(module, inspect.isfunction)
    return {
        f"{lab.path}/pictures/{name}.svg": draw
        for name, draw in functions
        if draw.__module__ == module.__name__ and not name.startswith("_")
    }
