"""Makes or repairs ``.venv`` and installs tiers of packages into it, with uv where it works, else with venv and pip.

An interruption is harmless: a tier's stamp is written last, and a note "unfinished" stands beside ``.venv`` while its
base is being made.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from course.student.setup.environment import (
    TIERS,
    SetupError,
    fingerprint,
    install_arguments,
    interpreter,
    place,
    read_stamps,
    say,
    settings,
    stamped,
    write_stamps,
)

_VERSION = "import sys; print('.'.join(map(str, sys.version_info[:3])))"
_NEEDED = 500 * 2**20
_NO_VENV = (
    "This Python lacks the parts that make environments. On Debian or Ubuntu: sudo apt install python3-venv\n"
    "(or python{0}-venv, for exactly this Python). Elsewhere use a Python from python.org, or install uv."
)
_DISK_FULL = "The disk is full. About 500 MB are needed; then run the same command again."
_GENERAL = (
    "If packages could not be fetched, check the network (and the proxy or mirror that pip is set to use).\n"
    "Then run the same command again: it continues from here. If it fails again, delete the folder .venv first.\n"
    "To use packages that you manage yourself, set COURSE_VENV=none."
)


def build(root: Path, tiers: Sequence[str], installer: "Installer | None" = None) -> bool:
    """Complete ``.venv`` for `tiers`; return whether it was made anew, so that a process running in it must restart.

    Raises:
        SetupError: if it cannot be done; the text says why and what to do.
    """
    if missing := [name for name in ("constraints.txt", *TIERS.values()) if not (root / name).is_file()]:
        raise SetupError(f"{root} lacks {', '.join(missing)}: this copy of the course is incomplete. Clone it again.")
    try:
        (root / ".course").mkdir(exist_ok=True)
    except OSError as error:
        raise SetupError(
            f"Cannot write in {root}, where .venv would be made: {error.strerror}.\n"
            f"Copy the course to a folder of your own. To run it where it is, use a Python that has the packages:\n"
            f"    PYTHON -m pip install {' '.join(install_arguments(tiers))}\n"
            f"    PYTHON -m course ..."
        ) from error
    with locked(root / ".course" / "setup.lock", lambda: say("Another run is setting up .venv; waiting for it.")):
        if stamped(root, tiers):  # the run that we waited for has done it
            return True
        return (installer or Installer(root)).complete(tiers)


@contextmanager
def locked(path: Path, on_wait: Callable[[], None]) -> Iterator[None]:
    """Hold the lock on `path`; call `on_wait` once if another process holds it.

    The system releases it when the holder and the programs that it started have ended, however they end.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        os.set_inheritable(handle, True)
        if not _taken(handle):
            on_wait()
            while not _taken(handle):
                time.sleep(0.2)
        yield
    finally:
        os.close(handle)


def _taken(handle: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True  # a file system without locks: better to continue without one than not at all
    return True


class Installer:
    """Makes one repository's ``.venv`` with other programs. Tests put doubles in the place of the programs."""

    def __init__(self, root: Path) -> None:
        self._root, self._venv = root, root / ".venv"
        self._python = interpreter(self._venv)
        self._unfinished = root / ".course" / "setup-unfinished"

    def uv(self) -> str | None:
        """Return the path of uv if it runs: a version manager's stub of that name may lead nowhere."""
        uv = shutil.which("uv")
        return uv if uv and self.answer([uv, "--version"]) else None

    def answer(self, command: Sequence[str]) -> str | None:
        """Return what a command prints; None if it is missing, fails or takes 20 s."""
        try:
            done = subprocess.run(command, cwd=self._root, capture_output=True, timeout=20, stdin=subprocess.DEVNULL)
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else None

    def run(self, command: Sequence[str]) -> int:
        """Run a command, which says on stderr what it does; return its exit status."""
        # A person's settings of pip and uv (proxies, mirrors) stay; this one would send packages elsewhere.
        environ = {**os.environ, "PIP_USER": "0"}
        try:  # close_fds hands on the lock, so that an installer that outlives us still keeps others out
            return subprocess.run(
                command, cwd=self._root, env=environ, stdin=subprocess.DEVNULL, stdout=2, close_fds=False, check=False
            ).returncode
        except OSError as error:
            say(str(error))
            return 127

    def complete(self, tiers: Sequence[str]) -> bool:
        """Complete ``.venv`` for `tiers`; return whether it was made anew."""
        began, uv = time.monotonic(), self.uv()
        self._remove_unusable()
        made = not self._venv.exists()
        if made:
            say(f"Setting up .venv with Python {platform.python_version()}: once, about a minute")
            self._make(uv)
        self._install(uv, tiers)
        say(f"Done in {time.monotonic() - began:.0f} s")
        return made

    def _remove_unusable(self) -> None:
        """Remove a ``.venv`` that cannot be used; one that is not ours to remove is named and kept."""
        if not self._venv.is_dir():
            if self._venv.is_symlink():
                raise SetupError(f"{self._venv} is a link to {self._venv.readlink()}, which is gone. Remove the link.")
            if self._venv.exists():
                raise SetupError(f"{self._venv} is a file, where a folder belongs. Move it and try again.")
            return
        ours = self._unfinished.exists()
        reason = "an earlier set-up was interrupted" if ours else self._fault()
        if not reason:
            return
        if not ours and not (self._venv / "pyvenv.cfg").exists() and any(self._venv.iterdir()):
            raise SetupError(f"{self._venv} holds something other than a Python environment. Move it and try again.")
        say(f".venv is made again: {reason}.")
        try:
            self._unfinished.touch()
            shutil.rmtree(self._venv)
        except OSError as error:
            raise SetupError(f"Cannot remove {self._venv}: {error}. Delete that folder and try again.") from error

    def _fault(self) -> str:
        """Return why an existing ``.venv`` must be made again; empty if it can be used."""
        if read_stamps(self._venv).get("place", place(self._venv)) != place(self._venv):
            return "it was made in another folder and then moved"
        version = self.answer([str(self._python), "-Ic", _VERSION]) or ""
        if not re.fullmatch(r"\d+\.\d+\.\d+", version):
            return "its Python does not run; it may have been removed"
        if tuple(map(int, version.split("."))) < (3, 11):
            return f"its Python is {version}, and 3.11 or newer is needed"
        made_from = settings(self._venv)
        if not Path(made_from.get("home", "")).is_dir():
            return f"the Python that it was made from, in {made_from['home']}, is gone"
        noted = made_from.get("version_info") or made_from.get("version") or version
        if noted.split(".")[:2] != version.split(".")[:2]:
            return f"it was made for Python {noted}, which has since become {version}"
        return ""

    def _make(self, uv: str | None) -> None:
        self._unfinished.touch()
        # the running Python, or the one that its own environment came from
        base = str(getattr(sys, "_base_executable", None) or sys.executable)
        if uv and self.run([uv, "venv", "--python", base, str(self._venv)]) == 0:
            return
        shutil.rmtree(self._venv, ignore_errors=True)
        if self.run([base, "-Im", "venv", str(self._venv)]):
            shutil.rmtree(self._venv, ignore_errors=True)
            version = f"{sys.version_info.major}.{sys.version_info.minor}"
            raise SetupError(self._advice("Making .venv failed.", _NO_VENV.format(version)))

    def _install(self, uv: str | None, tiers: Sequence[str]) -> None:
        done = {tier: fingerprint(self._root, tier) for tier in TIERS if stamped(self._root, [tier])}
        if "base" not in done:
            self._unfinished.touch()
            if "base" in tiers and len(tiers) > 1:  # first, by itself: the failure of an extra must leave it usable
                self._install(uv, ["base"])
                done["base"] = fingerprint(self._root, "base")
        tiers = [tier for tier in tiers if tier not in done] or tiers
        files = ", ".join(TIERS[tier] for tier in tiers)
        if done or not self._unfinished.exists():  # a fresh .venv has been announced
            say(f"Adding {files} to .venv")
        if not self._installed_by(uv, tiers):
            self._unfinished.unlink(missing_ok=True)  # it ended by itself, and a second try can continue
            usable = "\nWhat needs requirements.txt alone works: demo, test, show." if "base" in done else ""
            raise SetupError(self._advice(f"Installing {files} failed, as shown above.{usable}", _GENERAL))
        fresh = {tier: fingerprint(self._root, tier) for tier in tiers}
        self._unfinished.unlink(missing_ok=True)
        # Lets every folder import `course`. Relative, so ASCII; and a .venv that is a link leads to its own place.
        for folder in self._venv.glob("Lib/site-packages" if os.name == "nt" else "lib/python*/site-packages"):
            (folder / "course.pth").write_text(os.path.relpath(self._root, folder) + "\n", encoding="ascii")
        write_stamps(self._venv, {**done, **fresh, "place": place(self._venv)})

    def _installed_by(self, uv: str | None, tiers: Sequence[str]) -> bool:
        arguments, python = install_arguments(tiers), str(self._python)
        if uv:
            if self.run([uv, "pip", "install", "--python", python, *arguments]) == 0:
                return True
            say("uv failed; trying with pip")
        if not self.answer([python, "-Ic", "import pip; print('here')"]):  # one made by uv has none
            self.run([python, "-Im", "ensurepip"])
        pip = [python, "-Im", "pip", "install", "--no-input", "--disable-pip-version-check"]
        return self.run([*pip, *arguments]) == 0

    def _advice(self, what: str, general: str) -> str:
        full = shutil.disk_usage(self._root).free < _NEEDED
        return f"{what}\n{_DISK_FULL if full else general}"
