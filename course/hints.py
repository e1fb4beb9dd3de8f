"""The data of a lab, from its ``hints.toml``: the one source of hints, points, tables and raise texts."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from course.catalog import Lab

HINTS_PER_TODO = 3


@dataclass(frozen=True)
class Todo:
    """One function that the student writes."""

    number: int
    function: str
    task: str
    lines: int
    points: int
    hints: tuple[str, ...]

    @property
    def about_lines(self) -> str:
        """How long the reference is: ``about 5 lines``.

        >>> Todo(3, "advance", "walk the text", 1, 2, ()).about_lines
        'about 1 line'
        """
        return f"about {self.lines} line{'s' if self.lines != 1 else ''}"

    def raise_text(self, lab: Lab) -> str:
        """What the starter's NotImplementedError says."""
        return f"{lab.label}, TODO {self.number} ({self.about_lines}): {self.task}"


@dataclass(frozen=True)
class LabData:
    """What ``hints.toml`` says of a lab."""

    title: str
    badge: str
    todos: Mapping[int, Todo]


@cache
def lab_data(lab: Lab) -> LabData:
    """Read and check a lab's ``hints.toml``.

    Raises:
        ValueError: naming the file and the entry, if anything is missing, empty, unknown or out of order.
    """
    path = lab.folder / "hints.toml"
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    try:
        todos = {int(number): _todo(int(number), entry) for number, entry in content["todo"].items()}
        if list(todos) != list(range(1, len(todos) + 1)):
            raise ValueError(f"the TODOs must be 1, 2, 3 …, not {list(todos)}")
        return LabData(content["lab"]["title"], content["lab"]["badge"], todos)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{lab.path}/hints.toml: {error}") from error


def _todo(number: int, entry: Mapping[str, Any]) -> Todo:
    todo = Todo(number=number, **{**entry, "hints": tuple(entry["hints"])})
    if len(todo.hints) != HINTS_PER_TODO or not all(hint.strip() for hint in todo.hints):
        raise ValueError(f"[todo.{number}] needs {HINTS_PER_TODO} hints with text")
    if len({*todo.hints}) != HINTS_PER_TODO:
        raise ValueError(f"[todo.{number}] gives the same hint twice")
    if todo.lines < 1 or todo.points < 1:
        raise ValueError(f"[todo.{number}] needs lines and points of at least 1")
    return todo
