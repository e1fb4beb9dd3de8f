"""Which labs there are, where their files lie, and what this copy holds: the whole course, or a handout of it."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
TABLE = "mask-the-logits"
"""The table below ``[tool]`` of a handout's ``pyproject.toml``, with ``edition`` and ``upto``."""


@dataclass(frozen=True, order=True)
class Lab:
    """One lab of the course: its number and its folder ``labs/lab_NN_name``."""

    number: int
    folder: Path

    @property
    def name(self) -> str:
        """The folder's name, which is also the name of the package: ``lab_02_atom_fsm``."""
        return self.folder.name

    @property
    def label(self) -> str:
        """The name in messages: ``lab 02``."""
        return f"lab {self.number:02}"

    @property
    def title(self) -> str:
        """The name without its number: ``atom fsm``."""
        return self.name[len("lab_NN_") :].replace("_", " ")

    @property
    def starter(self) -> Path:
        """The file that the student edits."""
        return self.folder / "starter.py"

    @property
    def solution(self) -> Path:
        """The reference."""
        return self.folder / "solution.py"

    @property
    def has_reference(self) -> bool:
        """Whether this copy of the course holds the reference: an instructor may have withheld it."""
        return self.solution.is_file()

    @property
    def path(self) -> str:
        """The folder as one types it in the repository's root: ``labs/lab_02_atom_fsm``."""
        return f"labs/{self.name}"


@cache
def all_labs() -> tuple[Lab, ...]:
    """Return every lab, in order.

    >>> [lab.number for lab in all_labs()][:2]
    [1, 2]
    """
    folders = sorted((ROOT / "labs").glob("lab_[0-9][0-9]_*"))
    labs = (Lab(int(folder.name[4:6]), folder) for folder in folders)
    return tuple(lab for lab in labs if lab.has_reference or lab.starter.is_file())


def find_lab(name: str | int, *also: str) -> Lab:
    """Return the lab that is meant by ``2``, ``02``, ``lab02``, ``lab_02``, ``lab_02_atom_fsm`` or a path to it.

    Args:
        also: other words that the caller would have taken; a ValueError names them beside the labs.
    """
    text = str(name).replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    digits = re.match(r"(?:lab[_ ]?)?(\d{1,2})(?:_|$)", text)
    for lab in all_labs():
        if digits and lab.number == int(digits[1]) and (text == lab.name or "_" not in text.removeprefix("lab_")):
            return lab
    known = ", ".join([*(f"{lab.number:02}" for lab in all_labs()), *also])
    raise ValueError(f"there is no lab {str(name)!r}; the labs are {known}")


@cache
def settings(root: Path = ROOT) -> dict[str, Any]:
    """Return the tables below ``[tool]`` in a copy's ``pyproject.toml``."""
    file = root / "pyproject.toml"
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    return dict(tomllib.loads(text).get("tool", {}))


def edition(root: Path = ROOT) -> str:
    """Return what a copy is: ``whole``, or a handout that is ``open`` (with the earlier references) or ``closed``.

    >>> edition(Path("no such folder"))
    'whole'
    """
    return str(settings(root).get(TABLE, {}).get("edition", "whole"))


@cache
def repository(root: Path = ROOT) -> str:
    """Return the address of the course's repository, which a fork changes in its ``pyproject.toml``."""
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    return str(tomllib.loads(text)["project"]["urls"]["Repository"])


def without_reference(numbers: Iterable[int]) -> list[int]:
    """Return those of these labs whose reference is not in this copy.

    >>> without_reference([1, 2])
    []
    """
    return sorted(set(numbers) - {lab.number for lab in all_labs() if lab.has_reference})


def require_references(what: str, numbers: Iterable[int]) -> None:
    """Refuse what needs the references of these labs, if this copy lacks one: a ValueError names the labs.

    >>> require_references("the bench", [99])
    Traceback (most recent call last):
    ValueError: the bench needs references that this copy of the course does not hold: lab 99
    """
    if missing := without_reference(numbers):
        named = ", ".join(f"lab {number:02}" for number in missing)
        raise ValueError(f"{what} needs references that this copy of the course does not hold: {named}")
