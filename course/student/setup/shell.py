"""Running other programs: the one place of the set-up that starts processes, so that tests can stand in for it."""

import os
import queue
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

# A person's own settings of pip and uv stay in force (proxies, mirrors); this one would send packages elsewhere.
_OVERRIDES = {"PIP_USER": "0"}


class Shell:
    """Starts programs in the root of the checkout."""

    def __init__(self, root: Path, environ: Mapping[str, str] = os.environ) -> None:
        self._root, self._environ = root, {**environ, **_OVERRIDES}

    def which(self, name: str) -> str | None:
        """The path of a program, if there is one of that name."""
        return shutil.which(name)

    def answer(self, command: Sequence[str], timeout: float = 20.0) -> str | None:
        """What a command prints; None if it is missing, fails or takes too long."""
        try:
            done = subprocess.run(
                command, capture_output=True, timeout=timeout, cwd=self._root, stdin=subprocess.DEVNULL
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else None

    def lines(self, command: Sequence[str], on_line: Callable[[str | None], None]) -> int:
        """Run a command and hand on its lines, or None twice a second while it is silent; its exit status."""
        try:
            process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                cwd=self._root,
                env=self._environ,
                close_fds=False,  # hands on the lock, which is the only handle that can be inherited
            )
        except OSError as error:
            on_line(str(error))
            return 127
        try:
            _follow(process, on_line)
            return process.wait()
        finally:
            _end(process)


def _follow(process: "subprocess.Popen[bytes]", on_line: Callable[[str | None], None]) -> None:
    arrived: queue.Queue[str | None] = queue.Queue()
    threading.Thread(target=_read, args=(process.stdout, arrived), daemon=True).start()
    while True:
        try:
            line = arrived.get(timeout=0.5)
        except queue.Empty:
            on_line(None)
            continue
        if line is None:
            return
        on_line(line)


def _read(stream: Iterable[bytes], arrived: "queue.Queue[str | None]") -> None:
    for line in stream:
        arrived.put(line.decode("utf-8", "replace").rstrip())
    arrived.put(None)


def _end(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is not None:
        if process.stdout:
            process.stdout.close()
        return
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
