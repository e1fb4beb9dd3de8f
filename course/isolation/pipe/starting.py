"""A worker's process as a session holds it, and the plain one, which nothing confines."""

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Protocol

from course.student.core.catalog import ROOT


class WorkerProcess(Protocol):
    """A process that speaks the protocol on its standard streams; a sandbox has one of its own."""

    @property
    def stdin(self) -> IO[bytes]:
        """Where its requests are written."""

    @property
    def stdout(self) -> IO[bytes]:
        """Where its answers are read."""

    def wait(self, timeout: float | None = None) -> int:
        """The exit status, or minus a signal's number; ``subprocess.TimeoutExpired`` if it does not come."""

    def kill(self) -> None:
        """End it and what it started."""

    def close(self) -> None:
        """The same, and close the pipes; may be called twice."""


class PlainProcess:
    """A process of the same user, for code that one trusts; all that stays in its group ends with it."""

    def __init__(self, launcher: Sequence[str]) -> None:
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        self._popen = subprocess.Popen(
            launcher,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=os.name == "posix",
        )
        assert self._popen.stdin and self._popen.stdout
        self.stdin: IO[bytes] = self._popen.stdin
        self.stdout: IO[bytes] = self._popen.stdout

    def wait(self, timeout: float | None = None) -> int:
        """See ``WorkerProcess``."""
        return self._popen.wait(timeout)

    def kill(self) -> None:
        """See ``WorkerProcess``."""
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.kill()

    def close(self) -> None:
        """See ``WorkerProcess``."""
        self.kill()
        self._popen.wait()
        self.stdin.close()
        self.stdout.close()
