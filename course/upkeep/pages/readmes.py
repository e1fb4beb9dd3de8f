"""What is generated in pages: a lab's table of TODOs, from ``hints.toml``, and its pictures; the chart of the rooms."""

import inspect
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from textwrap import fill

from course.student.core.catalog import Lab
from course.student.core.hints import lab_data
from labkit.pictures import Svg


def todo_table(lab: Lab) -> str:
    """Return the lab's TODOs as a Markdown table, and below it which functions of earlier labs its tests may run."""
    rows = ["| TODO | function | task | about | points | `python3 -m course test` |", "|---|---|---|---|---|---|"]
    for number, todo in lab_data(lab).todos.items():
        lines = f"{todo.lines} line{'s' if todo.lines > 1 else ''}, {todo.minutes} min, {todo.difficulty}"
        name = f"`{lab.number:02}.{number}`"
        rows.append(f"| {number} | `{todo.function}` | {todo.task} | {lines} | {todo.points} | {name} |")
    return "\n".join(rows) + "\n" + _uses(lab)


def _uses(lab: Lab) -> str:
    """Return what ``LAB_CHAIN=mine`` means for a lab's tests, as a paragraph; empty if it changes nothing.

    >>> from course.student.core.catalog import find_lab
    >>> print(_uses(find_lab(14)), end="")
    <BLANKLINE>
    With `LAB_CHAIN=mine` before the command, the tests also run your own functions of earlier labs: lab 01's `sample`.
    """
    uses = [f"lab {n:02}'s " + ", ".join(f"`{name}`" for name in names) for n, names in lab_data(lab).uses.items()]
    before = "With `LAB_CHAIN=mine` before the command, the tests also run your own functions of earlier labs:"
    return "\n" + fill(f"{before} {'; '.join(uses)}.", 120, break_on_hyphens=False) + "\n" if uses else ""


def numbered(page: str, lab: Lab) -> str:
    """Return a page of a lab with its TODO headings numbered as in ``hints.toml``.

    Raises:
        ValueError: if a heading names a function that is no TODO of the lab.

    >>> from course.student.core.catalog import find_lab
    >>> numbered("### TODO 9: `walk_trie`", find_lab(3))
    '### TODO 4: `walk_trie`'
    """
    numbers = {todo.function: number for number, todo in lab_data(lab).todos.items()}

    def heading(found: re.Match[str]) -> str:
        if found[4] not in numbers:
            raise ValueError(f"{lab.label}: the heading {found[0]!r} names no function of hints.toml")
        return f"{found[1]}{numbers[found[4]]}{found[3]}`{found[4]}`"

    return re.sub(r"^(#{2,3} TODO )(\d+)([:,] )`(\w+)`$", heading, page, flags=re.M)


def with_part(page: Path, name: str, part: str) -> str:
    """Return the text of a page with a new part between the marks of that name.

    Raises:
        ValueError: if the marks are missing.
    """
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    before, begun, rest = page.read_text(encoding="utf-8").partition(begin)
    _, ended, after = rest.partition(end)
    if not (begun and ended):
        raise ValueError(f"{page} lacks the lines {begin.strip()} and {end}")
    return before + begin + part + end + after


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
