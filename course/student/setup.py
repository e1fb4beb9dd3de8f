"""Puts a command of the course into ``.venv``, which it makes and completes: with uv where it runs, else with pip.

Standard library only, and cheap when nothing is to be done: a few small files are hashed, and no process is started.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

BASE = ("base",)
_EXTRAS = ("notebooks", "check", "jupyter", "bench", "hf", "serve", "book")
TIERS = {"base": "requirements.txt"} | {tier: f"requirements/{tier}.txt" for tier in _EXTRAS}
_CHECKED = ("base", "notebooks", "check")
NEEDS = {"check": _CHECKED, "mutants": _CHECKED, "notebooks": _CHECKED, "sync": _CHECKED, "book": ("base", "book")}
_RETURNED = "_COURSE_STARTED_AGAIN"
_ADVICE = """\
Installing failed, as shown above. Is the network there, and the proxy or mirror that pip is set to use? Are 500 MB of
the disk free? On Debian and Ubuntu: is python3-venv installed? Then run the same command again. If that changes
nothing, delete the folder .venv first. To use packages that you manage yourself, set COURSE_VENV=none."""


class SetupError(Exception):
    """Say why the environment cannot be made or used, and what to do."""


def say(text: str) -> None:
    """Show a line on stderr, in ASCII alone: nothing is known of the console yet."""
    print(text.encode("ascii", "backslashreplace").decode(), file=sys.stderr, flush=True)


def enter(root: Path, arguments: Sequence[str]) -> None:
    """Return inside an environment that has what a command line needs, or replace the process by one inside."""
    command = next((word for word in arguments if not word.startswith("-")), "")
    tiers = BASE if {"-h", "--help"} & {*arguments} else NEEDS.get(command, BASE)
    venv, returned = root / ".venv", os.environ.pop(_RETURNED, None)
    if opted_out() or (not os.access(root, os.W_OK) and not missing_packages(root, *tiers)):
        return  # someone else sees to the packages; or nothing can be installed here, and nothing has to be
    inside = interpreter(venv).exists() and os.path.realpath(sys.prefix) == os.path.realpath(venv)
    if returned and not inside:
        raise SetupError(f"{sys.executable} does not run inside {venv}. Delete that folder and try again.")
    made_anew = not stamped(root, tiers) and complete(root, tiers)
    if made_anew or not inside:
        os.environ[_RETURNED] = "1"
        _start_again([str(interpreter(venv)), *sys.orig_argv[1:]])


def opted_out() -> bool:
    """Return whether the person manages the packages: ``COURSE_VENV=none``. Anything else is a SetupError."""
    choice = os.environ.get("COURSE_VENV", "")
    if choice not in ("", "none"):
        raise SetupError(f"COURSE_VENV={choice} means nothing here. Set it to none, or unset it to use .venv.")
    return choice == "none"


def _start_again(command: list[str]) -> None:
    if os.name != "nt":
        os.execv(command[0], command)
    import subprocess

    sys.exit(subprocess.call(command))


def interpreter(venv: Path) -> Path:
    """Return the path of a virtual environment's Python."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def stamp_file(venv: Path) -> Path:
    """Return the path of the stamp: a line for each complete tier, with a hash of what it was made from."""
    return venv / "course-stamp.txt"


def _stamps(venv: Path) -> dict[str, str]:
    with suppress(OSError):
        words = stamp_file(venv).read_text(encoding="ascii", errors="ignore").split()
        return dict(zip(words[::2], words[1::2], strict=False))
    return {}


def stamped(root: Path, tiers: Sequence[str]) -> bool:
    """Return whether ``.venv`` was completed for these tiers, from the same files, here, with the Python it has now."""
    with suppress(OSError):  # a file, or the Python, is gone
        return all(_stamps(root / ".venv").get(tier) == _hash(root, tier) for tier in tiers)
    return False


def _hash(root: Path, tier: str) -> str:
    from hashlib import sha256  # a tenth of a start's time, which one start in two can spare

    python = os.fsencode(interpreter(root / ".venv").resolve(strict=True))
    return sha256((root / TIERS[tier]).read_bytes() + (root / "constraints.txt").read_bytes() + python).hexdigest()


def missing_packages(root: Path, *tiers: str) -> list[str]:
    """Return the packages named by the files of these tiers that the running Python does not have.

    One with a marker isn't for every computer, so the course can do without it.
    """
    import re
    from importlib.metadata import Distribution  # takes a while, and a start with nothing to do can spare it

    text = "\n".join((root / TIERS[tier]).read_text(encoding="utf-8") for tier in tiers)
    names = re.findall(r"^([A-Za-z0-9][A-Za-z0-9._-]*)[^;\n]*$", text, re.MULTILINE)
    return [name for name in names if not any(Distribution.discover(name=name))]


def complete(root: Path, tiers: Sequence[str]) -> bool:
    """Complete ``.venv`` for `tiers`; return whether it was made anew, so that a process running in it must restart.

    A tier's stamp is written last, so after an interruption the same command continues.
    """
    venv = root / ".venv"
    if os.path.lexists(venv) and not (venv / "pyvenv.cfg").exists() and not (venv.is_dir() and not any(venv.iterdir())):
        raise SetupError(f"{venv} is something other than a Python environment. Move it and try again.")
    if not os.access(root, os.W_OK):
        raise SetupError(f"Cannot write in {root}, where .venv would be made. Copy the course to a folder of your own.")
    (root / ".course").mkdir(exist_ok=True)
    with _locked(root / ".course" / "setup.lock"):
        uv = answer(["uv", "--version"]) is not None
        # Any that runs can be completed: one made by hand, one that was broken off or has moved.
        runs = f"import sys{', pip' * (not uv)}; print(sys.version_info >= (3, 11))"
        anew = answer([str(interpreter(venv)), "-Ic", runs]) != "True"
        first = f"Setting up .venv with Python {sys.version.split()[0]}: once, about a minute"
        say(first if anew else f"Installing {', '.join(TIERS[tier] for tier in tiers)}")
        _install(root, tiers, anew, uv)
    return anew


def _install(root: Path, tiers: Sequence[str], anew: bool, uv: bool) -> None:
    venv, python = root / ".venv", str(interpreter(root / ".venv"))
    base = str(getattr(sys, "_base_executable", None) or sys.executable)  # what the running environment came from
    if anew:
        _run(["uv", "venv", "-q", "--python", base, venv] if uv else [base, "-Im", "venv", "--clear", venv], root)
    for folder in venv.glob("Lib/site-packages" if os.name == "nt" else "lib/python*/site-packages"):
        # Lets every folder import `course`. Relative, so ASCII; and a .venv that is a link leads to its own place.
        (folder / "course.pth").write_text(os.path.relpath(root, folder) + "\n", encoding="ascii")
    pip = [python, "-Im", "pip", "install", "-qq", "--no-input", "--disable-pip-version-check"]
    if uv:
        pip = ["uv", "pip", "install", "-q", "--python", python]
    stamps = _stamps(venv)
    for tier in tiers:  # one by one: if an extra fails, the base is usable
        _run([*pip, "-r", TIERS[tier], "-c", "constraints.txt"], root)
        stamps[tier] = _hash(root, tier)
        stamp_file(venv).write_text("".join(f"{name} {stamps[name]}\n" for name in stamps), encoding="ascii")


def _run(command: Sequence[str | Path], root: Path) -> None:
    """Run a command that says on stderr what goes wrong. If it does, that's a SetupError."""
    import subprocess

    # A person's settings of pip and uv (proxies, mirrors) stay; these would send packages elsewhere, or ask.
    environ = {**os.environ, "PIP_USER": "0", "UV_VENV_CLEAR": "1"}
    quiet = subprocess.DEVNULL
    if subprocess.run(command, cwd=root, env=environ, stdin=quiet, stdout=quiet, check=False).returncode:
        raise SetupError(_ADVICE)


def answer(command: Sequence[str]) -> str | None:
    """Return what a command prints; None if it is missing, fails or takes 20 s."""
    import subprocess

    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(command, capture_output=True, timeout=20, stdin=subprocess.DEVNULL, check=True)
        return done.stdout.decode("utf-8", "replace").strip()
    return None


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the lock on `path`, which the system releases however its holder ends; Windows goes without."""
    with path.open("a") as file:
        with suppress(ImportError, OSError):
            import fcntl

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say("Another run is setting up .venv; waiting for it.")
                fcntl.flock(file, fcntl.LOCK_EX)
        yield
