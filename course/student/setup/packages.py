"""Which packages a tier names, and which of them the running Python lacks."""

import re
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from course.student.setup.stamp import CONSTRAINTS, TIERS


def missing_packages(root: Path, tier: str) -> list[str]:
    """The packages named by a tier's file that the running Python does not have."""
    return [name for name in named_packages((root / TIERS[tier]).read_text(encoding="utf-8")) if not _present(name)]


def named_packages(requirements: str) -> list[str]:
    """The names in the text of a requirements file, without versions.

    >>> named_packages("# data\\nnumpy\\nmistral-common>=1.13  # Tekken")
    ['numpy', 'mistral-common']
    """
    matches = (re.match(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)", line) for line in requirements.splitlines())
    return [found.group(1) for found in matches if found]


def install_arguments(tiers: Sequence[str]) -> list[str]:
    """What pip, or uv in pip's place, is to install, as arguments that hold from the root of the checkout.

    >>> install_arguments(["base"])
    ['-r', 'requirements.txt', '-c', 'constraints.txt']
    """
    return [word for tier in tiers for word in ("-r", TIERS[tier])] + ["-c", CONSTRAINTS]


def _present(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True
