"""Puts a command of the course into an environment that has what the command needs: ``.venv``, which it completes.

Standard library only, and cheap when nothing is to be done: a few small files are hashed and compared with a stamp in
``.venv``, and no process is started. What makes and repairs ``.venv`` is imported only when they differ.
"""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
OPT_OUT = "COURSE_VENV"
_CHECKED = ("base", "notebooks", "check")
NEEDS = {"check": _CHECKED, "mutants": _CHECKED, "notebooks": _CHECKED, "sync": _CHECKED, "book": ("base", "book")}
_RETURNED = "_COURSE_STARTED_AGAIN"
CONSTRAINTS = "constraints.txt"
TIERS = {
    "base": "requirements.txt",
    "notebooks": "requirements/notebooks.txt",
    "check": "requirements/check.txt",
    "jupyter": "requirements/jupyter.txt",
    "bench": "requirements/bench.txt",
    "hf": "requirements/hf.txt",
    "llama_cpp": "requirements/llama_cpp.txt",
    "serve": "requirements/serve.txt",
    "book": "requirements/book.txt",
}


class SetupError(Exception):
    """Say why the environment cannot be made or used, and what to do."""


def say(text: str) -> None:
    """Show a line on stderr, in ASCII alone: nothing is known of the console yet."""
    print(text.encode("ascii", "backslashreplace").decode(), file=sys.stderr, flush=True)


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


def stamped(root: Path, tiers: Sequence[str]) -> bool:
    """Return whether ``.venv`` was completed for these tiers, from the same files, here, with the Python it has now."""
    try:
        stamps = read_stamps(root / ".venv")
        return all(stamps.get(tier) == fingerprint(root, tier) for tier in tiers)
    except OSError:
        return False


def fingerprint(root: Path, tier: str) -> str:
    """Return a hash of what a complete tier depends on: its requirements, the constraints, the place and the Python.

    Raises:
        OSError: if one of the files, or the Python that ``.venv`` was made from, is missing.
    """
    venv = root / ".venv"
    python = interpreter(venv).resolve(strict=True)
    home = settings(venv).get("home")
    if home and not Path(home).is_dir():
        raise FileNotFoundError(f"{home}, which {venv} was made from, is gone")
    facts = python.stat()
    identity = f"{place(venv)}\0{python}\0{facts.st_size} {facts.st_mtime_ns}"
    return _hash(b"\0".join([(root / TIERS[tier]).read_bytes(), (root / CONSTRAINTS).read_bytes(), identity.encode()]))


def place(venv: Path) -> str:
    """Return a hash of the environment's path: after a move its scripts still point to the old one."""
    return _hash(os.fsencode(venv.resolve()))


def stamp_file(venv: Path) -> Path:
    """Return the path of the stamp: lines of a tier, or the word ``place``, and a hash."""
    return venv / "course-stamp.txt"


def read_stamps(venv: Path) -> dict[str, str]:
    """Return the hash of each tier and of ``place``; empty where nothing was completed, or the file is damaged."""
    try:
        words = stamp_file(venv).read_text(encoding="ascii").split()
    except (OSError, UnicodeDecodeError):
        return {}
    return dict(zip(words[::2], words[1::2], strict=False))


def write_stamps(venv: Path, stamps: Mapping[str, str]) -> None:
    """Replace the stamps in one step, so that a reader sees the old ones or the new ones."""
    draft = stamp_file(venv).with_suffix(".new")
    draft.write_text("".join(f"{name} {value}\n" for name, value in stamps.items()), encoding="ascii")
    draft.replace(stamp_file(venv))


def interpreter(venv: Path) -> Path:
    """Return the path of a virtual environment's Python."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def settings(venv: Path) -> dict[str, str]:
    """Return what ``pyvenv.cfg`` says; nothing where it cannot be read."""
    try:
        lines = (venv / "pyvenv.cfg").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    return {key.strip(): value.strip() for key, _, value in (line.partition("=") for line in lines)}


def named_packages(requirements: str) -> list[str]:
    """Return the names in the text of a requirements file, without versions.

    >>> named_packages("# data\\nnumpy\\nmistral-common>=1.13  # Tekken")
    ['numpy', 'mistral-common']
    """
    matches = (re.match(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)", line) for line in requirements.splitlines())
    return [found[1] for found in matches if found]


def missing_packages(root: Path, tier: str) -> list[str]:
    """Return the packages named by a tier's file that the running Python does not have."""
    from importlib.metadata import Distribution  # takes a while, and a start with nothing to do can spare it

    names = named_packages((root / TIERS[tier]).read_text(encoding="utf-8"))
    return [name for name in names if not any(Distribution.discover(name=name))]


def install_arguments(tiers: Sequence[str]) -> list[str]:
    """Return what pip, or uv in pip's place, is to install, as arguments relative to the repository's root.

    >>> install_arguments(["base"])
    ['-r', 'requirements.txt', '-c', 'constraints.txt']
    """
    return [word for tier in tiers for word in ("-r", TIERS[tier])] + ["-c", CONSTRAINTS]


def _hash(content: bytes) -> str:
    from hashlib import sha256  # a tenth of a start's time, which one start in two can spare

    return sha256(content).hexdigest()
