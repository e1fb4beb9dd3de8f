"""The start of every command: into an environment that has what it needs, then to the command itself."""

import sys
from collections.abc import Sequence
from pathlib import Path

from course.student.setup.bootstrap import enter, opted_out, tiers_for
from course.student.setup.environment import SetupError, install_arguments, say, stamp_file

ROOT = Path(__file__).resolve().parents[1]


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Run one command of the course in its environment; return its exit status."""
    try:
        enter(root, tiers_for(arguments))
        return _run_command(root)
    except SetupError as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        say("\nStopped. The same command continues from here.")
        return 130


def _run_command(root: Path) -> int:
    try:
        from course.cli import main as command
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] in ("course", "labs", "labkit"):
            raise
        advice = f"Install it with: {sys.executable} -m pip install {' '.join(install_arguments(['base']))}"
        if not opted_out():
            stamp_file(root / ".venv").unlink(missing_ok=True)
            advice = "Run the same command again, and it is put back."
        raise SetupError(f"The package {missing.name} is missing from {sys.prefix}. {advice}") from missing
    return command()
