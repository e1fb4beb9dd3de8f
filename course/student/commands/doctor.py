"""``python3 -m course doctor``: what this computer has, what it lacks, and how to get it."""

import os
import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Literal

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from course.student.core.catalog import ROOT, all_labs
from course.student.core.rooms import command_lines
from course.student.setup import BASE, TIERS, answer, interpreter, missing_packages, stamped
from labkit import installing

_STYLES = {"ok": "green", "missing": "bold red", "optional": "yellow"}


@dataclass(frozen=True)
class Check:
    """One finding: `missing` is needed and not there; `optional` is not there and can be done without."""

    name: str
    state: Literal["ok", "missing", "optional"]
    detail: str
    advice: str = ""


def python() -> str:
    """Return the Python that has the packages, as one types it in the course's root."""
    return "python" if os.environ.get("COURSE_VENV") == "none" else str(interpreter(Path(".venv")))


def install_command(*tiers: str) -> str:
    """Return the command that adds tiers by hand."""
    return installing.install_command([TIERS[tier] for tier in tiers], python())


def check_tier(tier: str, purpose: str, *before: str, usage: str = "") -> Check:
    """Return whether an optional tier of packages is there; if not, the command that adds it and those `before` it."""
    if absent := missing_packages(ROOT, tier):
        advice = f"{purpose}: {install_command(*before, tier)}"
        return Check(f"packages: {tier}", "optional", f"lacking {', '.join(absent)}", advice)
    return Check(f"packages: {tier}", "ok", TIERS[tier], usage)


def doctor(console: Console) -> int:
    """Print all findings; return 0, or 1 if something that the course needs is missing."""
    rooms = [room.findings for room in command_lines() if hasattr(room, "findings")]
    found = [check for findings in (_needed, _optional, *rooms) for check in findings()]
    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    for title in ("what", "state", "here, and what to do"):
        table.add_column(title, overflow="fold")
    for check in found:
        lines = Text("\n".join(filter(None, (check.detail, check.advice))))
        table.add_row(check.name, Text(check.state, _STYLES[check.state]), lines)
    console.print(table)
    needed = ", ".join(check.name for check in found if check.state == "missing")
    end = f"Missing: {needed}. What to do is in the table." if needed else "Everything that the labs need is here."
    console.print(end, highlight=False)
    return bool(needed)


def _needed() -> Iterator[Check]:
    yield Check("Python", "ok", f"{platform.python_version()}, {sys.prefix}")
    absent, advice = missing_packages(ROOT, "base"), "Run this command again; then delete the folder .venv first."
    if python() == "python":
        yield Check(".venv", "ok", "not used, since COURSE_VENV=none: you manage the packages")
        advice = f"Install what is missing: {install_command('base')}"
    elif not stamped(ROOT, BASE):
        yield Check(".venv", "missing", "not as requirements.txt and constraints.txt say", advice)
    lacking = Check("packages: labs", "missing", f"lacking {', '.join(absent)}", advice)
    yield lacking if absent else Check("packages: labs", "ok", TIERS["base"])


def _optional() -> Iterator[Check]:
    usage = f"An editor runs practice.ipynb with {python()} as its kernel."
    yield check_tier("notebooks", "To run notebooks in an editor", usage=usage)
    first, purpose = all_labs()[0], "To open practice.ipynb in a browser"
    made = f"once python3 -m course practice {first.number:02} has made it"
    usage = f"{purpose}, {made}: {python()} -m jupyterlab {first.path}/practice.ipynb"
    yield check_tier("jupyter", purpose, "notebooks", usage=usage)
    advice = "Pictures of automata are text. To have them drawn, install your system's package graphviz."
    dot = "inside the package pygraphviz" if find_spec("pygraphviz") else which("dot")
    missing = Check("Graphviz", "optional", "none found", advice)
    yield Check("Graphviz", "ok", dot) if dot else missing
    names = answer(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"])
    gpu = Check("GPU", "optional", "none found", "No lab needs one.")
    yield Check("GPU", "ok", ", ".join(names.splitlines())) if names else gpu
