"""Puts a command of the course into an environment that has what the command needs.

Standard library only, and cheap when nothing is to be done: a few small files are hashed and compared with a stamp in
``.venv``. What makes and repairs ``.venv`` is imported only when they differ.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from course.student.setup import SetupError
from course.student.setup.environment import (
    TIERS,
    install_arguments,
    interpreter,
    missing_packages,
    stamp_file,
    stamped,
)

ROOT = Path(__file__).resolve().parents[3]
OPT_OUT = "COURSE_VENV"
NEEDS = dict.fromkeys(("check", "mutants", "notebooks", "sync"), ("base", "notebooks", "check"))
_RETURNED = "_COURSE_STARTED_AGAIN"


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Run one command of the course in its environment; return its exit status."""
    try:
        enter(root, tiers_for(arguments))
        return _run_command(root)
    except SetupError as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        _complain("\nStopped. The same command continues from here.")
        return 130


def tiers_for(arguments: Sequence[str]) -> tuple[str, ...]:
    """Return the tiers of packages that a command line needs, by its first word that is no option.

    >>> tiers_for(["test", "02"]), tiers_for(["check", "--help"])
    (('base',), ('base',))
    >>> tiers_for(["check"])
    ('base', 'notebooks', 'check')
    """
    command = next((word for word in arguments if not word.startswith("-")), "")
    return ("base",) if {"-h", "--help"} & {*arguments} else NEEDS.get(command, ("base",))


def enter(root: Path, tiers: Sequence[str]) -> None:
    """Return inside an environment that holds `tiers`, or replace the process by one that is inside.

    Raises:
        SetupError: if there is no such environment and it cannot be made.
    """
    returned = os.environ.pop(_RETURNED, None) is not None
    if opted_out():
        return _require_packages(root, tiers)
    venv = root / ".venv"
    inside = interpreter(venv).exists() and os.path.realpath(sys.prefix) == os.path.realpath(venv)
    if returned and not inside:
        raise SetupError(f"{sys.executable} does not run inside {venv}. Delete that folder and try again.")
    if returned:
        return None
    if _made_anew(root, tiers) or not inside:
        _start_again(interpreter(venv))
    return None


def opted_out() -> bool:
    """Return whether the person manages the packages: ``COURSE_VENV=none``.

    Raises:
        SetupError: if the variable is set to anything else.
    """
    choice = os.environ.get(OPT_OUT, "")
    if choice not in ("", "none"):
        raise SetupError(f"{OPT_OUT}={choice} means nothing here. Set it to none, or unset it to use .venv.")
    return choice == "none"


def _require_packages(root: Path, tiers: Sequence[str]) -> None:
    absent = [name for tier in tiers for name in missing_packages(root, tier)]
    if absent:
        raise SetupError(
            f"With {OPT_OUT}=none, {sys.executable} is used as it is, and it lacks: {', '.join(absent)}.\n"
            f"Install what is missing, for instance with:\n"
            f"    {sys.executable} -m pip install {' '.join(install_arguments(tiers))}\n"
            f"or unset {OPT_OUT}, and the course makes its own .venv."
        )


def _made_anew(root: Path, tiers: Sequence[str]) -> bool:
    """Install what is missing; return whether ``.venv`` is a new one."""
    if stamped(root, tiers):
        return False
    from course.student.setup.install import build

    return build(root, tiers)


def _start_again(python: Path) -> None:
    """Run the same command line with another Python, in this process where the system can."""
    command = [str(python), *sys.orig_argv[1:]]
    os.environ[_RETURNED] = "1"
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name != "nt":
        os.execv(python, command)
    import subprocess

    sys.exit(subprocess.call(command))


def _run_command(root: Path) -> int:
    try:
        from course.cli import main as command
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] in ("course", "labs", "labkit"):
            raise
        return _complain(f"The package {missing.name} is missing from {sys.prefix}. {_mend(root)}")
    return command()


def _mend(root: Path) -> str:
    """What to do about a package that went missing; the next run of ours installs again."""
    if opted_out():
        return f"Install it with: {sys.executable} -m pip install -r {TIERS['base']} -c constraints.txt"
    stamp_file(root / ".venv").unlink(missing_ok=True)
    return "Run the same command again, and it is put back."


def _complain(text: str) -> int:
    print(text.encode("ascii", "backslashreplace").decode(), file=sys.stderr)
    return 1
