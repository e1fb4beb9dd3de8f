"""Puts a command of the course into an environment that has what the command needs: ``.venv``, which it completes.

Standard library only, and cheap when nothing is to be done: no process is started. What makes and repairs ``.venv`` is
imported only when its stamps differ.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from course.student.setup.environment import (
    SetupError,
    install_arguments,
    interpreter,
    missing_packages,
    stamp_file,
    stamped,
)

OPT_OUT = "COURSE_VENV"
_CHECKED = ("base", "notebooks", "check")
NEEDS = {"check": _CHECKED, "mutants": _CHECKED, "notebooks": _CHECKED, "sync": _CHECKED, "book": ("base", "book")}
_RETURNED = "_COURSE_STARTED_AGAIN"


def tiers_for(arguments: Sequence[str]) -> tuple[str, ...]:
    """Return the tiers of packages that a command line needs, by its first word that is no option."""
    command = next((word for word in arguments if not word.startswith("-")), "")
    return ("base",) if {"-h", "--help"} & {*arguments} else NEEDS.get(command, ("base",))


def enter(root: Path, tiers: Sequence[str]) -> None:
    """Return inside an environment that holds `tiers`, or replace the process by one inside."""
    returned = os.environ.pop(_RETURNED, None) is not None
    if opted_out():
        if absent := [name for tier in tiers for name in missing_packages(root, tier)]:
            raise SetupError(
                f"With {OPT_OUT}=none, {sys.executable} is used as it is, and it lacks: {', '.join(absent)}.\n"
                f"Install what is missing, for instance with:\n"
                f"    {sys.executable} -m pip install {' '.join(install_arguments(tiers))}\n"
                f"or unset {OPT_OUT}, and the course makes its own .venv."
            )
        return
    if not os.access(root, os.W_OK) and not any(missing_packages(root, tier) for tier in tiers):
        return  # nothing can be installed here, and nothing has to be
    venv = root / ".venv"
    inside = interpreter(venv).exists() and os.path.realpath(sys.prefix) == os.path.realpath(venv)
    if returned and not inside:
        raise SetupError(f"{sys.executable} does not run inside {venv}. Delete that folder and try again.")
    lacking = inside and tiers != ("base",) and any(missing_packages(root, tier) for tier in tiers)
    if lacking:  # `uv sync` takes away what is not the base's, and knows nothing of the stamp
        stamp_file(venv).unlink(missing_ok=True)
    elif returned:
        return
    made_anew = False
    if not stamped(root, tiers):
        from course.student.setup.install import build

        made_anew = build(root, tiers)
    if made_anew or not inside:
        _start_again(interpreter(venv))


def opted_out() -> bool:
    """Return whether the person manages the packages: ``COURSE_VENV=none``. Anything else is a SetupError."""
    choice = os.environ.get(OPT_OUT, "")
    if choice not in ("", "none"):
        raise SetupError(f"{OPT_OUT}={choice} means nothing here. Set it to none, or unset it to use .venv.")
    return choice == "none"


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
