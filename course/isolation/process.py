"""A process with a pipe to it and one from it."""

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Any

from course.student.core.timeouts import processor_time


class Process:
    """A process of the same user, for code that one trusts; all that stays in its group ends with it.

    ``stdin`` and ``stdout`` are unbuffered. What ``Popen`` takes besides is in ``options``.
    """

    killed_for = ""
    limits: Any = None

    def __init__(self, command: Sequence[str], **options: Any) -> None:
        pipe = subprocess.PIPE
        self._popen = subprocess.Popen(command, stdin=pipe, stdout=pipe, bufsize=0, start_new_session=True, **options)
        assert self._popen.stdin and self._popen.stdout
        self.stdin: IO[bytes] = self._popen.stdin
        self.stdout: IO[bytes] = self._popen.stdout

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the exit status and return it: minus the signal's number where a signal ended it.

        Raises:
            subprocess.TimeoutExpired: after ``timeout`` seconds.
        """
        return self._popen.wait(timeout)

    def processor_time(self) -> float:
        """Return the seconds of processor time so far; 0.0 where the system does not say."""
        return processor_time(self._popen.pid)

    def kill(self) -> None:
        """End it, and what it started."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.kill()

    def close(self) -> None:
        """End it, and close the pipes; may be called twice."""
        self.kill()
        self._popen.wait()
        self.stdin.close()
        self.stdout.close()
