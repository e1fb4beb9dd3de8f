"""How a complete ``.venv`` is recognised: a stamp of everything that it was completed from.

Every start of a command reads this, so it imports little and runs no process.
"""

import os
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
}


def stamped(root: Path, tiers: Sequence[str]) -> bool:
    """Whether ``.venv`` was completed for these tiers, from the same files, here, with the Python it has now."""
    try:
        stamps = read_stamps(root / ".venv")
        return all(stamps.get(tier) == fingerprint(root, tier) for tier in tiers)
    except OSError:
        return False


def fingerprint(root: Path, tier: str) -> str:
    """A hash of what a complete tier depends on: its requirements, the constraints, the place and the Python.

    Raises:
        OSError: if one of the files, or the Python that ``.venv`` was made from, is not there.
    """
    parts = [(root / TIERS[tier]).read_bytes(), (root / CONSTRAINTS).read_bytes(), *_identity(root / ".venv")]
    return _hash(b"\0".join(parts))


def place(venv: Path) -> str:
    """A hash of where the environment lies: one that was moved has scripts that point to the old place."""
    return _hash(os.fsencode(venv.resolve()))


def stamp_file(venv: Path) -> Path:
    """Where a complete environment says so: lines of a tier, or the word ``place``, and a hash."""
    return venv / "course-stamp.txt"


def read_stamps(venv: Path) -> dict[str, str]:
    """Tier (or ``place``) to hash; empty where nothing was completed, or the file is damaged."""
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
    """Where a virtual environment keeps its Python."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def settings(venv: Path) -> dict[str, str]:
    """What ``pyvenv.cfg`` says; nothing where it cannot be read."""
    try:
        lines = (venv / "pyvenv.cfg").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    pairs = (line.partition("=") for line in lines)
    return {key.strip(): value.strip() for key, _, value in pairs}


def _identity(venv: Path) -> list[bytes]:
    python = interpreter(venv).resolve(strict=True)
    home = settings(venv).get("home")
    if home and not Path(home).is_dir():
        raise FileNotFoundError(f"{home}, which {venv} was made from, is gone")
    facts = python.stat()
    return [place(venv).encode(), os.fsencode(python), f"{facts.st_size} {facts.st_mtime_ns}".encode()]


def _hash(content: bytes) -> str:
    from hashlib import sha256  # its import is a tenth of a start, which one in two starts can do without

    return sha256(content).hexdigest()
