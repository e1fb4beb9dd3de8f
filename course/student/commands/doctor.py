"""``python -m course doctor``: what this machine has of what the course needs, and what to do about the rest."""

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from course.student.commands.machine import Check, Machine, check_tier, install_command
from course.student.commands.practice import has_practice
from course.student.core.catalog import all_labs
from course.student.core.rooms import command_lines
from course.student.setup.stamp import TIERS, stamped

_STYLES = {"ok": "green", "missing": "bold red", "optional": "yellow"}


def doctor(console: Console, machine: Machine | None = None) -> int:
    """Print all findings; return 0, or 1 if something that the course needs is missing."""
    found = [*examine(machine or Machine()), check_terminal(console)]
    console.print(_table(found))
    needed = [check.name for check in found if check.state == "missing"]
    if needed:
        console.print(f"Missing: {', '.join(needed)}. What to do is in the table.", highlight=False)
        return 1
    console.print("Everything that the labs need is here.", highlight=False)
    return 0


def examine(machine: Machine) -> list[Check]:
    """Return all findings about a machine: the student's, then those of each other room that has some."""
    others = [room.findings for room in command_lines() if hasattr(room, "findings")]
    return [check for findings in (_findings, *others) for check in findings(machine)]


def _findings(machine: Machine) -> Iterator[Check]:
    yield _python(machine)
    yield _environment(machine)
    yield _packages(machine)
    yield _vocabulary(machine)
    yield from _notebooks(machine)
    yield _program(
        *(machine, "dot", "Graphviz dot", "lays out automata of your own", "the course's own pictures need none"),
        advice="For drawings of your own automata, install your system's package graphviz.",
    )
    yield _program(
        *(machine, "make", "make", "make demo, make test", "a shorter way to type the same"),
        advice="python -m course demo does what make demo does.",
    )
    yield _program(
        *(machine, "git", "git", "fetches new labs", "nothing in the labs needs it"),
        advice="It fetches new labs: git pull.",
    )
    yield _uv(machine)
    yield _editor(machine)
    yield _gpu(machine)


def _python(machine: Machine) -> Check:
    text = ".".join(map(str, machine.version))
    if machine.version < (3, 11):
        return Check("Python", "missing", text, "Install Python 3.11 or newer, delete .venv, and start again with it.")
    return Check("Python", "ok", f"{text}, {machine.prefix}")


def _environment(machine: Machine) -> Check:
    """Return whether ``.venv`` is what the requirements files ask for."""
    if machine.environ.get("COURSE_VENV") == "none":
        return Check(".venv", "ok", "not used, since COURSE_VENV=none: you manage the packages")
    if stamped(machine.root, ["base"]):
        return Check(".venv", "ok", "complete, and as requirements.txt and constraints.txt say")
    advice = "Run this command again; if that changes nothing, delete the folder .venv first."
    return Check(".venv", "missing", "not as requirements.txt and constraints.txt say", advice)


def _packages(machine: Machine) -> Check:
    absent = machine.missing("base")
    if absent:
        return Check("packages: labs", "missing", f"lacking {', '.join(absent)}", "Delete .venv; run this again.")
    return Check("packages: labs", "ok", TIERS["base"])


def _vocabulary(machine: Machine) -> Check:
    """Return whether the vocabulary of 131,072 tokens is there, a file inside the package mistral-common."""
    folder = machine.package_folder("mistral_common")
    path = folder and folder / "data" / "tekken_240911.json"
    if path and path.is_file():
        return Check("vocabulary", "ok", "Tekken, 131,072 tokens, inside the package mistral-common")
    advice = "Delete .venv and run this again."
    return Check("vocabulary", "missing", "mistral-common, or tekken_240911.json in it, is not there", advice)


def _notebooks(machine: Machine) -> Iterator[Check]:
    """Yield what runs a practice notebook: in an editor, and in a browser."""
    install = f"To run notebooks in an editor: {install_command(machine, 'notebooks')}"
    usage = f"An editor runs practice.ipynb with {machine.python} as its kernel."
    yield check_tier(machine, "notebooks", install, usage)
    notebooks = [f"{lab.path}/practice.ipynb" for lab in all_labs() if has_practice(lab)]
    purpose = "To open practice.ipynb in a browser"
    install = f"{purpose}: {install_command(machine, 'notebooks', 'jupyter')}"
    yield check_tier(machine, "jupyter", install, f"{purpose}: {machine.python} -m jupyterlab {notebooks[0]}")


def _program(machine: Machine, name: str, title: str, use: str, without: str, *, advice: str) -> Check:
    """Return whether a program is on the PATH that the course can do without."""
    return Check(title, "ok", use) if machine.which(name) else Check(title, "optional", without, advice)


def _uv(machine: Machine) -> Check:
    path = machine.which("uv")
    if path and machine.answer([path, "--version"]):
        return Check("uv", "ok", "used for installing packages")
    detail = "on the PATH, but it does not run; pip is used" if path else "pip is used"
    return Check("uv", "optional", detail, "Only makes installing faster.")


def _editor(machine: Machine) -> Check:
    named = machine.environ.get("VISUAL") or machine.environ.get("EDITOR") or (machine.which("code") and "code")
    if named:
        return Check("editor", "ok", named)
    advice = "Any editor will do; .vscode has settings."
    return Check("editor", "optional", "no code on the PATH, no EDITOR set", advice)


def _gpu(machine: Machine) -> Check:
    path = machine.which("nvidia-smi")
    names = machine.answer([path, "--query-gpu=name", "--format=csv,noheader"]) if path else None
    if names:
        return Check("GPU", "ok", ", ".join(names.splitlines()))
    detail = "nvidia-smi is there, but finds no device" if path else "none found"
    return Check("GPU", "optional", detail, "No lab needs one.")


def check_terminal(console: Console) -> Check:
    """Return what the console can show; everything is readable without colour and in ASCII."""
    colour = console.color_system or "no colour"
    if console.encoding.lower().replace("-", "").startswith("utf"):
        return Check("terminal", "ok", f"{console.encoding}, {colour}")
    advice = "For better pictures set the encoding to UTF-8 (PYTHONUTF8=1)."
    return Check("terminal", "optional", f"{console.encoding}, {colour}", advice)


def _table(found: Sequence[Check]) -> Table:
    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    for title in ("what", "state", "here, and what to do"):
        table.add_column(title, overflow="fold")
    for check in found:
        lines = Text("\n".join(filter(None, (check.detail, check.advice))))
        table.add_row(check.name, Text(check.state, _STYLES[check.state]), lines)
    return table
