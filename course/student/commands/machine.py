"""What the doctor looks at, in one object, so that a test can hand it another machine."""

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from course.student.core.catalog import ROOT
from course.student.setup.environment import missing_packages


def _answer(command: Sequence[str]) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, timeout=10, stdin=subprocess.DEVNULL, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else None


def _package_folder(name: str) -> Path | None:
    spec = find_spec(name)
    places = list(spec.submodule_search_locations or []) if spec else []
    return Path(places[0]) if places else None


def _missing(tier: str) -> list[str]:
    return missing_packages(ROOT, tier)


def _sandboxes() -> list[tuple[str, str]]:
    from course.isolation.sandbox import backends

    return [(backend.describe(), backend.why_not) for backend in backends()]


@dataclass(frozen=True)
class Machine:
    """Everything that a check asks of its surroundings; by default the machine that this runs on.

    `answer` gives what a command prints, or None if it fails;
    `missing` the packages of a tier that are not there; `package_folder` where a package lies, or None; `sandboxes`
    what each one is, strongest first, and why this machine does not offer it, or an empty string.
    """

    root: Path = ROOT
    version: tuple[int, int, int] = sys.version_info[:3]
    prefix: str = sys.prefix
    system: str = field(default_factory=platform.system)
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    which: Callable[[str], str | None] = shutil.which
    answer: Callable[[Sequence[str]], str | None] = _answer
    missing: Callable[[str], list[str]] = _missing
    package_folder: Callable[[str], Path | None] = _package_folder
    sandboxes: Callable[[], list[tuple[str, str]]] = _sandboxes
