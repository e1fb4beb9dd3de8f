"""What can be wrong with a ``.venv``, and what a failed set-up means for the person in front of it."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from course.student.setup import SetupError
from course.student.setup.shell import Shell
from course.student.setup.stamp import interpreter, place, read_stamps, settings

_TELL = "import sys; print('.'.join(map(str, sys.version_info[:3])))"
_ADVICE = [
    (
        r"ensurepip|No module named '?venv|python3[\d.]*-venv",
        "This Python lacks the parts that make environments. On Debian or Ubuntu: sudo apt install python3-venv\n"
        "(or python{version}-venv, for exactly this Python). Elsewhere use a Python from python.org, or install uv.",
    ),
    (r"No space left|disk (is )?full", "The disk is full. About 500 MB are needed; then run the same command again."),
    (
        r"Retrying|[Nn]ame resolution|onnect|timed out|unreachable|SSL|certificate|"
        r"No matching distribution|ResolutionImpossible|rror sending",
        "Some packages could not be fetched, or not in the versions that constraints.txt fixes. Check the network\n"
        "(and the proxy or mirror that pip is set to use), then run the same command again: it goes on from here.",
    ),
    (r"[Pp]ermission denied|Read-only file system", "The folder of the course cannot be written to. Check its owner."),
]
_GENERAL = "Run the same command again; if that fails too, delete the folder .venv and try once more."
_OPT_OUT = "To use packages that you manage yourself, set COURSE_VENV=none."


def refuse_foreign(venv: Path) -> None:
    """Stop at a ``.venv`` that is no folder: it is not ours to remove.

    Raises:
        SetupError: if it is a file, or a link that leads nowhere.
    """
    if venv.is_dir():
        return
    if venv.is_symlink():
        raise SetupError(f"{venv} is a link to {venv.readlink()}, which is gone. Remove the link and try again.")
    if venv.exists():
        raise SetupError(f"{venv} is a file, where the folder of the course's packages belongs. Move it and try again.")


def fault(venv: Path, shell: Shell, interrupted: bool) -> str | None:
    """Why an existing ``.venv`` must be made again; None if it can be used."""
    if interrupted:
        return "an earlier set-up was interrupted"
    if read_stamps(venv).get("place", place(venv)) != place(venv):
        return "it was made in another folder and then moved"
    version = shell.answer([str(interpreter(venv)), "-Ic", _TELL])
    if not version or not re.fullmatch(r"\d+\.\d+\.\d+", version):
        return "its Python does not run; it may have been removed"
    home = settings(venv).get("home")
    if home and not Path(home).is_dir():
        return f"the Python that it was made from, in {home}, is gone"
    return _version_fault(version, settings(venv))


def explain(lines: Sequence[str], what: str) -> str:
    """A failed command, for a person: what it was, its last lines, what to do."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    text = "\n".join(lines)
    advice = next((advice for sign, advice in _ADVICE if re.search(sign, text)), _GENERAL)
    tail = "\n".join("    " + line[:200] for line in lines[-8:])
    return f"{what} failed. Its last lines:\n{tail}\n{advice.replace('{version}', version)}\n{_OPT_OUT}"


def _version_fault(version: str, made_from: dict[str, str]) -> str | None:
    major, minor = (int(part) for part in version.split(".")[:2])
    if (major, minor) < (3, 11):
        return f"its Python is {version}, and 3.11 or newer is needed"
    noted = made_from.get("version_info") or made_from.get("version") or version
    if noted.split(".")[:2] != version.split(".")[:2]:
        return f"it was made for Python {noted}, which has since become {version}"
    return None
