"""How many lines of Python each room has, and how many it may have: ``[tool.course.lines]`` in pyproject.toml.

What a change adds is what its author decides, so everybody sees it: ``python3 -m course check lines`` prints the table.
"""

import subprocess
import tomllib
from collections import Counter
from pathlib import Path

from course.student.core.catalog import ROOT
from course.upkeep.pages.rooms import room_of

SLACK = 300
"""A budget that's larger than its room by more than this is lowered, or it would hide what comes next."""


def counted() -> dict[str, int]:
    """Return the lines of all Python files that git knows, as ``wc -l`` counts them: the sum, and each room's.

    >>> found = counted()
    >>> found["all"] == sum(found.values()) - found["all"], found["labkit"] > 9_000
    (True, True)
    """
    command = ["git", "ls-files", "-z", "*.py"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    rooms: Counter[str] = Counter()
    for name in filter(None, names):
        file = ROOT / name
        rooms[room_of(file) or Path(name).parts[0]] += file.read_bytes().count(b"\n") if file.is_file() else 0
    loose = {name for name in rooms if name.endswith(".py")}
    found = {name: lines for name, lines in rooms.items() if name not in loose}
    found["others"] = sum(rooms[name] for name in loose)
    return {"all": sum(found.values())} | dict(sorted(found.items()))


def budget() -> dict[str, int]:
    """Return how many lines each room may have.

    >>> budget()["all"] >= counted()["all"]
    True
    """
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: dict[str, int] = settings["tool"]["course"]["lines"]
    return found


def table() -> str:
    """Return the lines of each room beside its budget.

    >>> print(table().splitlines()[0])
    room                      lines    budget
    """
    may, found = budget(), counted()
    rows = [f"{name:22}{lines:9,}{may.get(name, 0):10,}" for name, lines in found.items()]
    return "\n".join(["room                      lines    budget", *rows])


def problem() -> str:
    """Return which rooms are larger than their budget, or so much smaller that it should be lowered; empty if none.

    >>> problem()
    ''
    """
    may, found = budget(), counted()
    wrong = [
        f"{name} has {found.get(name, 0):,} lines, and {may.get(name, 0):,} in pyproject.toml"
        for name in {*may, *found}
        if not 0 <= may.get(name, 0) - found.get(name, 0) <= SLACK
    ]
    return "\n".join(sorted(wrong))
