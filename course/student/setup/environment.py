"""What is known of an environment without starting a process: which packages it needs, and the stamps of what it has.

Standard library only, and cheap: a few small files are hashed and compared with a stamp in ``.venv``.
"""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

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
