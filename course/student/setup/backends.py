"""The two ways to make an environment and fill it: uv where it is there and works, else venv and pip."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from course.student.setup.shell import Shell


def base_python() -> str:
    """The Python that an environment is made from: the running one, or the one that its own environment came from."""
    return str(getattr(sys, "_base_executable", None) or sys.executable)


class Pip:
    """``python -m venv`` and ``pip``, which come with Python (on Debian in a package of their own)."""

    name = "pip"
    duration = "about a minute"
    may_write = re.compile(r"Installing collected packages")
    """The first line after which the environment may be changing."""
    has_written = may_write
    """A line that, before a failure, means that the environment was changed."""

    def make(self, venv: Path) -> list[str]:
        """The command that makes an environment."""
        return [base_python(), "-Im", "venv", str(venv)]

    def prepare(self, python: Path) -> list[str]:
        """The command that puts the installer itself into an environment that lacks it, as one made by uv does."""
        return [str(python), "-Im", "ensurepip"]

    def install(self, python: Path, arguments: Sequence[str]) -> list[str]:
        """The command that installs into the environment of `python`."""
        options = ["--no-input", "--disable-pip-version-check", "--progress-bar", "off"]
        return [str(python), "-Iu", "-m", "pip", "install", *options, *arguments]


class Uv:
    """``uv``, several times faster; it needs no pip in the environment and puts none there."""

    name = "uv"
    duration = "some seconds, and the download"
    may_write = re.compile(r"Resolved \d")
    has_written = re.compile(r"Prepared \d|.*Failed to install")

    def __init__(self, program: str) -> None:
        self._program = program

    def make(self, venv: Path) -> list[str]:
        """The command that makes an environment."""
        return [self._program, "venv", "--python", base_python(), str(venv)]

    def prepare(self, python: Path) -> list[str]:
        """No command: uv installs from outside."""
        return []

    def install(self, python: Path, arguments: Sequence[str]) -> list[str]:
        """The command that installs into the environment of `python`."""
        return [self._program, "pip", "install", "--python", str(python), *arguments]


Backend = Pip | Uv


def backends(shell: Shell) -> list[Backend]:
    """What to try, in order. A name on the PATH is not enough: a version manager's stub of uv may lead nowhere."""
    uv = shell.which("uv")
    if uv and shell.answer([uv, "--version"]):
        return [Uv(uv), Pip()]
    return [Pip()]
