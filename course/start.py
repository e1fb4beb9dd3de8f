"""The start of every command: into an environment that has what it needs, then to the command itself."""

import sys
from collections.abc import Sequence
from pathlib import Path

from course.student.setup import SetupError, enter, opted_out, say, stamp_file

ROOT = Path(__file__).resolve().parents[1]


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Run one command of the course in its environment; return its exit status."""
    try:
        enter(root, arguments)
        from course.cli import main as command

        return command()
    except SetupError as error:
        say(str(error))
        return 1
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] in ("course", "labs", "labkit", "mask_engine", "bridges"):
            raise
        advice = f"Install it with: {sys.executable} -m pip install -r requirements.txt -c constraints.txt"
        if not opted_out():
            stamp_file(root / ".venv").unlink(missing_ok=True)
            advice = "Run the same command again, and it is put back."
        say(f"The package {missing.name} is missing from {sys.prefix}. {advice}")
        return 1
    except KeyboardInterrupt:
        say("\nStopped. The same command continues from here.")
        return 130
