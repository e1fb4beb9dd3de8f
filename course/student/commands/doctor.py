"""``python3 -m course doctor``: what this machine has of what the course needs, and what to do about the rest."""

import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from course.student.core.catalog import ROOT, all_labs
from course.student.core.rooms import command_lines
from course.student.setup.environment import TIERS, interpreter, missing_packages, stamped
from course.student.setup.install import Installer
from labkit import installing

_STYLES = {"ok": "green", "missing": "bold red", "optional": "yellow"}
State = Literal["ok", "missing", "optional"]


@dataclass(frozen=True)
class Check:
    """One finding: `missing` is needed and not there; `optional` is not there and can be done without."""

    name: str
    state: State
    detail: str
    advice: str = ""


def _package_folder(name: str) -> Path | None:
    spec = find_spec(name)
    places = list(spec.submodule_search_locations or []) if spec else []
    return Path(places[0]) if places else None


@dataclass(frozen=True)
class Machine:
    """Everything that a check asks; by default the machine that this runs on.

    `answer` returns what a command prints, or None if it fails; `missing` the packages of a tier that are not there;
    `package_folder` where a package lies, or None.
    """

    root: Path = ROOT
    system: str = field(default_factory=platform.system)
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    which: Callable[[str], str | None] = shutil.which
    answer: Callable[[Sequence[str]], str | None] = Installer(ROOT).answer
    missing: Callable[[str], list[str]] = lambda tier: missing_packages(ROOT, tier)
    package_folder: Callable[[str], Path | None] = _package_folder

    @property
    def python(self) -> str:
        """The Python that has the packages, as one types it in the course's root."""
        return "python" if self.environ.get("COURSE_VENV") == "none" else str(interpreter(Path(".venv")))


def install_command(machine: Machine, *tiers: str) -> str:
    """Return the command that adds tiers by hand."""
    return installing.install_command([TIERS[t] for t in tiers], machine.python, bool(machine.package_folder("pip")))


def check_tier(machine: Machine, tier: str, without: str, usage: str = "") -> Check:
    """Return whether an optional tier of packages is there, and what to do: without it, or with it."""
    absent = machine.missing(tier)
    if absent:
        return Check(f"packages: {tier}", "optional", f"lacking {', '.join(absent)}", without)
    return Check(f"packages: {tier}", "ok", TIERS[tier], usage)


def doctor(console: Console, machine: Machine | None = None) -> int:
    """Print all findings; return 0, or 1 if something that the course needs is missing."""
    found = [*examine(machine or Machine()), check_terminal(console)]
    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    for title in ("what", "state", "here, and what to do"):
        table.add_column(title, overflow="fold")
    for check in found:
        lines = Text("\n".join(filter(None, (check.detail, check.advice))))
        table.add_row(check.name, Text(check.state, _STYLES[check.state]), lines)
    console.print(table)
    needed = [check.name for check in found if check.state == "missing"]
    if needed:
        console.print(f"Missing: {', '.join(needed)}. What to do is in the table.", highlight=False)
        return 1
    console.print("Everything that the labs need is here.", highlight=False)
    return 0


def examine(machine: Machine) -> list[Check]:
    """Return all findings about a machine: the student's, then those of each other room that has some."""
    others = [room.findings for room in command_lines() if hasattr(room, "findings")]
    return [check for findings in (_needed, _notebooks, _optional, *others) for check in findings(machine)]


def _either(name: str, there: object, detail: str, otherwise: str, advice: str, state: State = "optional") -> Check:
    """Return that something is there, or else in which state it is, and what to do."""
    return Check(name, "ok", detail) if there else Check(name, state, otherwise, advice)


def _needed(machine: Machine) -> Iterator[Check]:
    yield Check("Python", "ok", f"{platform.python_version()}, {sys.prefix}")

    unused, files = machine.environ.get("COURSE_VENV") == "none", "as requirements.txt and constraints.txt say"
    detail = "not used, since COURSE_VENV=none: you manage the packages" if unused else f"complete, and {files}"
    advice = "Run this command again; if that changes nothing, delete the folder .venv first."
    yield _either(".venv", unused or stamped(machine.root, ["base"]), detail, f"not {files}", advice, "missing")

    absent, advice = machine.missing("base"), "Delete .venv and run this again."
    yield _either("packages: labs", not absent, TIERS["base"], f"lacking {', '.join(absent)}", advice, "missing")

    folder = machine.package_folder("mistral_common")
    there = folder and (folder / "data" / "tekken_240911.json").is_file()
    detail = "Tekken, 131,072 tokens, inside the package mistral-common"
    otherwise = "mistral-common, or tekken_240911.json in it, is not there"
    yield _either("vocabulary", there, detail, otherwise, advice, "missing")


def _notebooks(machine: Machine) -> Iterator[Check]:
    """Yield what runs a practice notebook: in an editor, and in a browser."""
    install = f"To run notebooks in an editor: {install_command(machine, 'notebooks')}"
    usage = f"An editor runs practice.ipynb with {machine.python} as its kernel."
    yield check_tier(machine, "notebooks", install, usage)
    first = all_labs()[0]
    purpose = "To open practice.ipynb in a browser"
    install = f"{purpose}: {install_command(machine, 'notebooks', 'jupyter')}"
    made = f"once python3 -m course practice {first.number:02} has made it"
    usage = f"{purpose}, {made}: {machine.python} -m jupyterlab {first.path}/practice.ipynb"
    yield check_tier(machine, "jupyter", install, usage)


def _optional(machine: Machine) -> Iterator[Check]:
    there, advice = machine.which("dot"), "For drawings of your own automata, install your system's package graphviz."
    yield _either("Graphviz dot", there, "lays out your own automata", "the course's own pictures need none", advice)

    uv = machine.which("uv")
    otherwise = "on the PATH, but it does not run; pip is used" if uv else "pip is used"
    works = uv and machine.answer([uv, "--version"])
    yield _either("uv", works, "used for installing packages", otherwise, "Only makes installing faster.")

    smi = machine.which("nvidia-smi")
    names = machine.answer([smi, "--query-gpu=name", "--format=csv,noheader"]) if smi else None
    otherwise = "nvidia-smi is there, but finds no device" if smi else "none found"
    yield _either("GPU", names, ", ".join((names or "").splitlines()), otherwise, "No lab needs one.")


def check_terminal(console: Console) -> Check:
    """Return what the console can show; everything is readable without colour and in ASCII."""
    colour = console.color_system or "no colour"
    if console.encoding.lower().replace("-", "").startswith("utf"):
        return Check("terminal", "ok", f"{console.encoding}, {colour}")
    advice = "For better pictures set the encoding to UTF-8 (PYTHONUTF8=1)."
    return Check("terminal", "optional", f"{console.encoding}, {colour}", advice)
