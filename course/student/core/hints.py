"""The data of a lab, from its ``hints.toml``: the one source of hints, points, tables and raise texts."""

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from course.student.core.catalog import ROOT, Lab

HINTS_PER_TODO = 3
DIFFICULTIES = ("easy", "medium", "hard")
RAISE_TEXT = re.compile(r"lab (?P<lab>\d{1,3}), TODO (?P<todo>\d{1,3})\b")
"""The start of what a starter's NotImplementedError says."""

_WANTED = {str: "a text", int: "a number of at least 1", list: "a list", dict: "a table with entries"}


@dataclass(frozen=True)
class Todo:
    """One function that the student writes."""

    number: int
    function: str
    task: str
    lines: int
    minutes: int
    difficulty: str
    points: int
    hints: tuple[str, ...]

    @property
    def about_lines(self) -> str:
        """The length of the reference: ``about 5 lines``."""
        return f"about {self.lines} line{'s' if self.lines != 1 else ''}"

    def raise_text(self, lab: Lab) -> str:
        """Return the message of the starter's NotImplementedError."""
        return f"{lab.label}, TODO {self.number} ({self.about_lines}): {self.task}"


@dataclass(frozen=True)
class LabData:
    """The content of ``hints.toml``. TODOs are numbered as they stand there; everything else names their functions."""

    title: str
    badge: str
    idea: str
    """What it's about, in at most fifty characters: the map of ``status`` says so once the lab passes."""
    todos: Mapping[int, Todo]
    after: tuple[int, ...] = ()
    """The labs whose ideas it rests on, the most important one first."""
    milestones: tuple[Mapping[str, str], ...] = ()
    """What the course can do once this lab is done, each as ``task``, and the ``command`` that shows it."""
    optional: int | None = None
    """The first TODO of the lab's second part, which is optional; or nothing is."""
    uses: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """The functions of earlier labs' TODOs that its tests call when these are the student's files."""

    def part_one_is_done(self, unwritten: Collection[int], wrong: Collection[int]) -> bool:
        """Return whether what is left of the lab is its optional part, and not begun wrong."""
        return self.optional is not None and not wrong and min(unwritten, default=0) >= self.optional


@cache
def lab_data(lab: Lab) -> LabData:
    """Read and check a lab's ``hints.toml``.

    Raises:
        ValueError: naming the file and the entry, if anything is missing, empty, unknown or out of order.
    """
    try:
        content = tomllib.loads((lab.folder / "hints.toml").read_text(encoding="utf-8"))
        milestones = list[dict[str, str]]()
        for entry in content.pop("milestone", []):
            needs = entry.pop("needs", "") if isinstance(entry, dict) else ""
            _check_keys("[[milestone]]", entry, {"task": str, "command": str})
            milestones += [entry] * (ROOT / needs).exists()  # or this copy of the course can't show it
        uses = {int(name.removeprefix("lab_")): tuple(found) for name, found in content.pop("uses", {}).items()}
        _check_keys("the file", content, {"lab": dict, "todo": dict})
        optional = content["lab"].pop("optional", None)
        after = content["lab"].pop("after", [])
        if not isinstance(after, list) or not all(type(n) is int and n < lab.number for n in after):
            raise ValueError(f"[lab]: 'after' lists the numbers of earlier labs, not {after!r}")
        _check_keys("[lab]", content["lab"], {"title": str, "badge": str, "idea": str})
        todos = {number: _todo(number, *each) for number, each in enumerate(content["todo"].items(), 1)}
        numbers = {todo.function: todo.number for todo in todos.values()}
        if optional not in (None, *[*numbers][1:]):
            raise ValueError(f"[lab]: 'optional' names the first function of its second part, not {optional!r}")
    except (OSError, ValueError) as error:
        raise ValueError(f"{lab.path}/hints.toml: {error}") from error
    part_two = numbers.get(optional)
    return LabData(
        **content["lab"],
        after=(*after,),
        todos=todos,
        milestones=(*milestones,),
        optional=part_two,
        uses=uses,
    )


def _check_keys(where: str, entry: object, kinds: Mapping[str, type]) -> None:
    """Raise unless a table has exactly these keys, each with a value of its kind that is not empty."""
    if not isinstance(entry, dict):
        raise ValueError(f"{where} must be a table")
    if unknown := sorted(entry.keys() - kinds.keys()):
        raise ValueError(f"{where} has an unknown entry {unknown[0]!r}; it may have {', '.join(kinds)}")
    for key, kind in kinds.items():
        if type(entry.get(key)) is not kind or not entry[key]:
            raise ValueError(f"{where} needs {key!r}: {_WANTED[kind]}")


def _todo(number: int, function: str, entry: Mapping[str, Any]) -> Todo:
    where = f"[todo.{function}]"
    wanted = {"task": str, "lines": int, "minutes": int, "difficulty": str, "points": int}
    _check_keys(where, entry, {**wanted, "hints": list})
    hints = tuple(entry["hints"])
    if len(hints) != HINTS_PER_TODO or not all(isinstance(hint, str) and hint.strip() for hint in hints):
        raise ValueError(f"{where} needs {HINTS_PER_TODO} hints with text")
    if len({*hints}) != HINTS_PER_TODO:
        raise ValueError(f"{where} gives the same hint twice")
    if min(entry["lines"], entry["minutes"], entry["points"]) < 1:
        raise ValueError(f"{where} needs lines, minutes and points of at least 1")
    if entry["difficulty"] not in DIFFICULTIES:
        raise ValueError(f"{where} needs a difficulty of {', '.join(DIFFICULTIES)}, not {entry['difficulty']!r}")
    return Todo(number=number, function=function, **{**entry, "hints": hints})
