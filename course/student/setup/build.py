"""Makes or repairs ``.venv`` and installs tiers of packages into it.

The order of writing is what makes an interruption harmless: before anything in ``.venv`` changes, the
stamp goes and a note "unfinished" is left; the note goes, and the stamp comes, when all is done.
"""

import os
import platform
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from course.student.setup import SetupError
from course.student.setup.backends import Backend, backends
from course.student.setup.faults import explain, fault, refuse_foreign
from course.student.setup.lock import locked
from course.student.setup.packages import install_arguments
from course.student.setup.progress import Counter, Screen
from course.student.setup.shell import Shell
from course.student.setup.stamp import (
    TIERS,
    fingerprint,
    interpreter,
    place,
    read_stamps,
    stamp_file,
    stamped,
    write_stamps,
)

_WAITING = "Another run is setting up .venv; waiting until it has finished."


class _Failed(Exception):
    """A command of one backend failed; the next backend may do better."""

    def __init__(self, what: str, lines: Sequence[str]) -> None:
        super().__init__(explain(lines, what))
        errors = [line for line in lines if line.lower().startswith("error")]
        self.reason = (errors or list(lines[-1:]) or ["it said nothing"])[0]


def build(root: Path, tiers: Sequence[str], shell: Shell | None = None, screen: Screen | None = None) -> bool:
    """Complete ``.venv`` for `tiers`; True if it was made anew, so that a process running in it must start again.

    Raises:
        SetupError: if it cannot be done; the text says why and what to do.
    """
    screen = screen or Screen(sys.stderr, live=sys.stderr.isatty() and os.environ.get("TERM") != "dumb")
    with locked(_state_folder(root) / "setup.lock", lambda: screen.say(_WAITING)):
        if stamped(root, tiers):  # the run that we waited for has done it
            return True
        return _Job(root, tiers, shell or Shell(root), screen).run()


def _state_folder(root: Path) -> Path:
    missing = [name for name in ("constraints.txt", *TIERS.values()) if not (root / name).is_file()]
    if missing:
        raise SetupError(f"{root} lacks {', '.join(missing)}: this is no complete copy of the course. Clone it again.")
    try:
        (root / ".course").mkdir(exist_ok=True)
    except OSError as error:
        raise SetupError(f"Cannot write in {root}: {error}. Check who owns the folder.") from error
    return root / ".course"


class _Job:
    def __init__(self, root: Path, tiers: Sequence[str], shell: Shell, screen: Screen) -> None:
        self._root, self._tiers, self._shell, self._screen = root, tiers, shell, screen
        self._venv = root / ".venv"
        self._unfinished = root / ".course" / "setup-unfinished"
        self._steps = 1
        self._made = False

    def run(self) -> bool:
        began = time.monotonic()
        self._clear_the_way()
        candidates = backends(self._shell)
        for backend in candidates:
            try:
                self._complete(backend)
                break
            except _Failed as failure:
                if backend is candidates[-1]:
                    raise SetupError(str(failure)) from failure
                self._screen.say(f"      {backend.name} failed ({failure.reason[:160]}); trying with pip")
        self._screen.say(f"      done in {time.monotonic() - began:.0f} s")
        return self._made

    def _clear_the_way(self) -> None:
        """Remove a ``.venv`` that cannot be used, and count the steps that this leaves."""
        refuse_foreign(self._venv)
        if self._venv.exists():
            reason = fault(self._venv, self._shell, interrupted=self._unfinished.exists())
            if reason:
                self._screen.say(f".venv is made again: {reason}.")
                self._remove()
        self._steps = 1 if self._venv.exists() else 2

    def _remove(self) -> None:
        try:
            _check_is_environment(self._venv, ours=self._unfinished.exists())
            self._unfinished.touch()
            shutil.rmtree(self._venv)
        except OSError as error:
            raise SetupError(f"Cannot remove {self._venv}: {error}. Delete that folder and try again.") from error

    def _complete(self, backend: Backend) -> None:
        if not self._venv.exists():
            self._make(backend)
        prepare = backend.prepare(interpreter(self._venv))
        if prepare and not self._shell.answer([str(interpreter(self._venv)), "-Ic", "import pip; print('here')"]):
            self._run(prepare, "Adding pip to .venv")
        self._install(backend)

    def _make(self, backend: Backend) -> None:
        self._screen.step(f"[1/{self._steps}] making .venv with Python {platform.python_version()}")
        self._unfinished.touch()
        self._made = True
        try:
            self._run(backend.make(self._venv), f"Making .venv with {_maker(backend)}")
        except _Failed:
            shutil.rmtree(self._venv, ignore_errors=True)
            raise
        self._unfinished.unlink()

    def _install(self, backend: Backend) -> None:
        files = ", ".join(TIERS[tier] for tier in self._tiers)
        first = f" (first time only: {backend.duration})" if self._made else ""
        self._screen.step(f"[{self._steps}/{self._steps}] installing {files} with {backend.name}{first}")
        done = read_stamps(self._venv)
        command = backend.install(interpreter(self._venv), install_arguments(self._tiers))
        try:
            self._run(command, f"Installing {files} with {backend.name}", backend)
        except _Failed:
            if not self._unfinished.exists():
                write_stamps(self._venv, done)
            raise
        fresh = {tier: fingerprint(self._root, tier) for tier in self._tiers}
        self._unfinished.unlink(missing_ok=True)
        write_stamps(self._venv, {**done, **fresh, "place": place(self._venv)})

    def _run(self, command: Sequence[str], what: str, writer: Backend | None = None) -> None:
        """Run a command under the eyes of the person; for a `writer`, note when and whether it changes ``.venv``."""
        counter, lines = Counter(), list[str]()

        def on_line(line: str | None) -> None:
            if line:
                lines.append(line)
                counter.feed(line)
                if writer and writer.may_write.match(line):
                    self._unfinished.touch()
                    stamp_file(self._venv).unlink(missing_ok=True)
            self._screen.tick(counter.status)

        if self._shell.lines(command, on_line) == 0:
            return
        if writer and not any(writer.has_written.match(line) for line in lines):
            self._unfinished.unlink(missing_ok=True)
        raise _Failed(what, lines)


def _maker(backend: Backend) -> str:
    return "venv" if backend.name == "pip" else backend.name


def _check_is_environment(venv: Path, ours: bool) -> None:
    if not ours and not (venv / "pyvenv.cfg").exists() and any(venv.iterdir()):
        raise SetupError(f"{venv} holds something else than a Python environment. Move it away and try again.")
