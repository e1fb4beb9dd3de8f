"""``python -m course doctor``: what this machine has of what the course needs, and what to do about the rest."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from course.student.commands.machine import Machine
from course.student.core.catalog import ROOT
from course.student.setup.environment import TIERS, interpreter, stamped

State = Literal["ok", "missing", "optional"]
_PRACTICE = "labs/lab_01_naive_matching/practice.ipynb"
_SANDBOX = "Needed only to grade other people's code: install bubblewrap."
_STYLES = {"ok": "green", "missing": "bold red", "optional": "yellow"}


@dataclass(frozen=True)
class Check:
    """One finding: `missing` is needed and not there; `optional` is not there and can be done without."""

    name: str
    state: State
    detail: str
    advice: str = ""


def doctor(console: Console, machine: Machine | None = None) -> int:
    """Print all findings; 0, or 1 if something that the course needs is missing."""
    found = [*examine(machine or Machine()), check_terminal(console)]
    console.print(_table(found))
    needed = [check.name for check in found if check.state == "missing"]
    if needed:
        console.print(f"Missing: {', '.join(needed)}. What to do is in the table.", highlight=False)
        return 1
    console.print("Everything that the labs need is here.", highlight=False)
    return 0


def examine(machine: Machine) -> list[Check]:
    """All findings about a machine, needed things first."""
    return [check(machine) for check in CHECKS]


def check_python(machine: Machine) -> Check:
    """The Python that runs the course."""
    text = ".".join(map(str, machine.version))
    if machine.version < (3, 11):
        return Check("Python", "missing", text, "Install Python 3.11 or newer, delete .venv, and start again with it.")
    return Check("Python", "ok", f"{text}, {machine.prefix}")


def check_environment(machine: Machine) -> Check:
    """Whether ``.venv`` is what the requirements files ask for."""
    if machine.environ.get("COURSE_VENV") == "none":
        return Check(".venv", "ok", "not used, since COURSE_VENV=none: you manage the packages")
    if stamped(machine.root, ["base"]):
        return Check(".venv", "ok", "complete, and as requirements.txt and constraints.txt say")
    advice = "Run this command again; if that changes nothing, delete the folder .venv first."
    return Check(".venv", "missing", "not as requirements.txt and constraints.txt say", advice)


def check_labs(machine: Machine) -> Check:
    """The packages of the labs and their tests."""
    absent = machine.missing("base")
    if absent:
        return Check("packages: labs", "missing", f"lacking {', '.join(absent)}", "Delete .venv; run this again.")
    return Check("packages: labs", "ok", TIERS["base"])


def check_notebook_packages(machine: Machine) -> Check:
    """The packages with which an editor opens and runs a notebook."""
    found = _tier(machine, "notebooks", f"To run notebooks in an editor: {install_command(machine, 'notebooks')}")
    return _with_advice(found, f"An editor runs practice.ipynb with {_python(machine)} as its kernel.")


def check_jupyter(machine: Machine) -> Check:
    """The packages that open practice.ipynb in a browser."""
    found = _tier(
        machine, "jupyter", f"To open practice.ipynb in a browser: {install_command(machine, 'notebooks', 'jupyter')}"
    )
    return _with_advice(found, f"To open practice.ipynb in a browser: {_python(machine)} -m jupyterlab {_PRACTICE}")


def check_engines(machine: Machine) -> Check:
    """Other people's engines, against which the bench compares."""
    return _tier(machine, "bench", f"To compare with other engines: {install_command(machine, 'bench')}")


def check_bridge(machine: Machine) -> Check:
    """The packages of the bridge to Hugging Face's transformers."""
    page = " (bridges/README.md)" if (ROOT / "bridges").is_dir() else ""
    return _tier(machine, "hf", f"To use a mask in transformers{page}: {install_command(machine, 'hf')}")


def check_checkers(machine: Machine) -> Check:
    """The packages of ``make check``."""
    return _tier(machine, "check", "Installed by the first: make check")


def check_vocabulary(machine: Machine) -> Check:
    """The vocabulary of 131,072 tokens, a file inside the package mistral-common."""
    folder = machine.package_folder("mistral_common")
    path = folder and folder / "data" / "tekken_240911.json"
    if path and path.is_file():
        return Check("vocabulary", "ok", "Tekken, 131,072 tokens, inside the package mistral-common")
    advice = "Delete .venv and run this again."
    return Check("vocabulary", "missing", "mistral-common, or tekken_240911.json in it, is not there", advice)


def check_dot(machine: Machine) -> Check:
    """Graphviz, a program: the course's own pictures do without it."""
    if machine.which("dot"):
        return Check("Graphviz dot", "ok", "lays out automata of your own")
    advice = "For drawings of your own automata, install your system's package graphviz."
    return Check("Graphviz dot", "optional", "the course's own pictures need none", advice)


def check_make(machine: Machine) -> Check:
    """make, a shorter way to type the same."""
    if machine.which("make"):
        return Check("make", "ok", "make demo, make test")
    return Check(
        "make", "optional", "a shorter way to type the same", "python -m course demo does what make demo does."
    )


def check_git(machine: Machine) -> Check:
    """git: nothing in the labs needs it."""
    if machine.which("git"):
        return Check("git", "ok", "fetches new labs")
    return Check("git", "optional", "nothing in the labs needs it", "It fetches new labs: git pull.")


def check_uv(machine: Machine) -> Check:
    """uv: several times faster than pip at the first start."""
    path = machine.which("uv")
    if path and machine.answer([path, "--version"]):
        return Check("uv", "ok", "used for installing packages")
    detail = "on the PATH, but it does not run; pip is used" if path else "pip is used"
    return Check("uv", "optional", detail, "Only makes installing faster.")


def check_editor(machine: Machine) -> Check:
    """An editor that knows this folder's settings."""
    if machine.environ.get("EDITOR") or machine.environ.get("VISUAL") or machine.which("code"):
        return Check("editor", "ok", machine.environ.get("VISUAL") or machine.environ.get("EDITOR") or "code")
    return Check(
        "editor", "optional", "no code on the PATH, no EDITOR set", "Any editor will do; .vscode has settings."
    )


def check_sandbox(machine: Machine) -> Check:
    """What could hold untrusted submissions; only who grades other people's code needs it."""
    if machine.system != "Linux":
        return Check("sandbox", "optional", f"none known on {machine.system}", "Grade other people's code on Linux.")
    if machine.missing("base"):
        return Check("sandbox", "optional", "not tried before the labs' packages are there", _SANDBOX)
    every = machine.sandboxes()
    found = next((what for what, why_not in every if not why_not), None)
    if found:
        return Check("sandbox", "ok", found)
    reasons = "; ".join(f"{what.partition(':')[0]}: {why_not}" for what, why_not in every)
    return Check("sandbox", "optional", reasons, _SANDBOX)


def check_gpu(machine: Machine) -> Check:
    """A device of NVIDIA's; without one, lab 14 runs on a stand-in."""
    path = machine.which("nvidia-smi")
    names = machine.answer([path, "--query-gpu=name", "--format=csv,noheader"]) if path else None
    if names:
        return Check("GPU", "ok", ", ".join(names.splitlines()))
    detail = "nvidia-smi is there, but finds no device" if path else "none found"
    return Check("GPU", "optional", detail, "No lab needs one.")


def check_terminal(console: Console) -> Check:
    """What the console can show; everything is readable without colour and in ASCII."""
    colour = console.color_system or "no colour"
    if console.encoding.lower().replace("-", "").startswith("utf"):
        return Check("terminal", "ok", f"{console.encoding}, {colour}")
    advice = "For better pictures set the encoding to UTF-8 (PYTHONUTF8=1)."
    return Check("terminal", "optional", f"{console.encoding}, {colour}", advice)


CHECKS: Sequence[Callable[[Machine], Check]] = (
    check_python,
    check_environment,
    check_labs,
    check_vocabulary,
    check_notebook_packages,
    check_jupyter,
    check_checkers,
    check_engines,
    check_bridge,
    check_dot,
    check_make,
    check_git,
    check_uv,
    check_editor,
    check_sandbox,
    check_gpu,
)


def _tier(machine: Machine, tier: str, advice: str) -> Check:
    absent = machine.missing(tier)
    if absent:
        return Check(f"packages: {tier}", "optional", f"lacking {', '.join(absent)}", advice)
    return Check(f"packages: {tier}", "ok", TIERS[tier])


def _with_advice(found: Check, advice: str) -> Check:
    """What to do with something that is there."""
    return replace(found, advice=advice) if found.state == "ok" else found


def _python(machine: Machine) -> str:
    """The Python that has the packages, as one types it in the course's root."""
    return "python" if machine.environ.get("COURSE_VENV") == "none" else str(interpreter(Path(".venv")))


def install_command(machine: Machine, *tiers: str) -> str:
    """The command that adds tiers by hand; an environment that uv made holds no pip."""
    files = " ".join(f"-r {TIERS[tier]}" for tier in tiers)
    program = f"{_python(machine)} -m pip" if machine.package_folder("pip") else "uv pip"
    return f"{program} install {files} -c constraints.txt"


def _table(found: Sequence[Check]) -> Table:
    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    for title in ("what", "state", "here, and what to do"):
        table.add_column(title, overflow="fold")
    for check in found:
        lines = Text("\n".join(filter(None, (check.detail, check.advice))))
        table.add_row(check.name, Text(check.state, _STYLES[check.state]), lines)
    return table
