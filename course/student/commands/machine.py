"""What the doctor looks at, in one object, so that a test can pass another machine; and what it finds."""

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from course.student.core.catalog import ROOT
from course.student.setup.environment import TIERS, interpreter, missing_packages

State = Literal["ok", "missing", "optional"]


@dataclass(frozen=True)
class Check:
    """One finding: `missing` is needed and not there; `optional` is not there and can be done without."""

    name: str
    state: State
    detail: str
    advice: str = ""


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


@dataclass(frozen=True)
class Machine:
    """Everything that a check asks; by default the machine that this runs on.

    `answer` returns what a command prints, or None if it fails; `missing` the packages of a tier that are not there;
    `package_folder` where a package lies, or None.
    """

    root: Path = ROOT
    version: tuple[int, int, int] = sys.version_info[:3]
    prefix: str = sys.prefix
    system: str = field(default_factory=platform.system)
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    which: Callable[[str], str | None] = shutil.which
    answer: Callable[[Sequence[str]], str | None] = _answer
    missing: Callable[[str], list[str]] = lambda tier: missing_packages(ROOT, tier)
    package_folder: Callable[[str], Path | None] = _package_folder

    @property
    def python(self) -> str:
        """The Python that has the packages, as one types it in the course's root."""
        return "python" if self.environ.get("COURSE_VENV") == "none" else str(interpreter(Path(".venv")))


def install_command(machine: Machine, *tiers: str) -> str:
    """Return the command that adds tiers by hand; an environment that uv made holds no pip."""
    files = " ".join(f"-r {TIERS[tier]}" for tier in tiers)
    program = f"{machine.python} -m pip" if machine.package_folder("pip") else "uv pip"
    return f"{program} install {files} -c constraints.txt"


def check_tier(machine: Machine, tier: str, without: str, usage: str = "") -> Check:
    """Return whether an optional tier of packages is there, and what to do: without it, or with it."""
    absent = machine.missing(tier)
    if absent:
        return Check(f"packages: {tier}", "optional", f"lacking {', '.join(absent)}", without)
    return Check(f"packages: {tier}", "ok", TIERS[tier], usage)
