"""What this copy of the course is: the course itself, or a handout of it."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from course.student.core.catalog import ROOT, Lab, all_labs

TABLE = "mask-the-logits"
"""The table below ``[tool]`` of a handout's ``pyproject.toml``, with ``edition`` and ``upto``."""


@dataclass(frozen=True)
class Edition:
    """``name`` is ``whole``, ``open`` (the references of earlier labs are there) or ``closed`` (none is)."""

    name: str = "whole"
    upto: int = 0

    @property
    def handed_out(self) -> bool:
        """Whether this copy was made by ``python -m course handout``."""
        return self.name != "whole"


@cache
def edition(root: Path = ROOT) -> Edition:
    """Return the edition of a copy of the course.

    >>> edition(Path("no such folder"))
    Edition(name='whole', upto=0)
    """
    found = _tool(root).get(TABLE, {})
    return Edition(found["edition"], found["upto"]) if found else Edition()


@cache
def chain_setting(root: Path = ROOT) -> str:
    """Return the ini setting ``lab_chain``, for commands that do not run pytest; empty where nothing is set."""
    return str(_tool(root).get("pytest", {}).get("ini_options", {}).get("lab_chain", ""))


def _tool(root: Path) -> dict[str, Any]:
    file = root / "pyproject.toml"
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    return dict(tomllib.loads(text).get("tool", {}))


def without_reference(numbers: Iterable[int]) -> list[int]:
    """Return those of these labs whose reference is not in this copy.

    >>> without_reference([1, 2])
    []
    """
    return sorted(set(numbers) - {lab.number for lab in all_labs() if lab.has_reference})


def require_references(what: str, numbers: Iterable[int]) -> None:
    """Refuse what needs the references of these labs, if this copy lacks one.

    Raises:
        ValueError: naming the labs whose reference is not in this copy.

    >>> require_references("the bench", [99])
    Traceback (most recent call last):
    ValueError: the bench needs references that this copy of the course does not hold: lab 99
    """
    if missing := without_reference(numbers):
        named = ", ".join(f"lab {number:02}" for number in missing)
        raise ValueError(f"{what} needs references that this copy of the course does not hold: {named}")


def why_no_reference(lab: Lab) -> str:
    """Return the message for a reference that was not handed out."""
    return (
        f"this copy of the course holds no reference of {lab.label}; "
        f"to grade your own file: python -m course test {lab.number:02}"
    )
