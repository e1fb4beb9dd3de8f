"""A process in a sandbox, as the trusted side sees it."""

import json
import os
import signal
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

from course.isolation.sandbox.limits import Limits

_REMAINS_S = 2.0
"""Seconds that a launcher may take to end when its program is dead."""


class Process:
    """A running program, its pipes, and one method to end it with all that it started.

    Attributes:
        stdin, stdout: unbuffered binary files.
        pid: of the outermost process.

    A launcher that stays outside of a namespace writes to ``info_fd`` which process is the first inside. Killing that
    one makes the kernel kill all others there; then the launcher cleans up and ends by itself.

    Its stderr is read at once, so that it never waits; the first ``output_bytes`` are kept.
    """

    def __init__(self, command: Sequence[str], limits: Limits, *, info: tuple[int, int] | None = None) -> None:
        self._info_fd: int | None
        write_fd: int | None
        self._info_fd, write_fd = info or (None, None)
        self._popen = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env={"PATH": "/usr/bin:/bin"},
            cwd="/",
            pass_fds=() if write_fd is None else (write_fd,),
            start_new_session=True,
        )
        if write_fd is not None:
            os.close(write_fd)
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr
        self.stdin: IO[bytes] = self._popen.stdin
        self.stdout: IO[bytes] = self._popen.stdout
        self.pid = self._popen.pid
        self._said = bytearray()
        self._reader = threading.Thread(target=self._read, args=(self._popen.stderr, limits.output_bytes), daemon=True)
        self._reader.start()
        self._timer = threading.Timer(limits.wall_s, self.kill)
        self._timer.daemon = True
        self._timer.start()

    def _read(self, pipe: IO[bytes], keep: int) -> None:
        with suppress(OSError, ValueError):
            while chunk := pipe.read(1 << 16):
                self._said += chunk[: max(0, keep - len(self._said))]

    def said(self) -> str:
        """Return the start of what it wrote to stderr, control characters included: escape it before showing it."""
        return self._said.decode("utf-8", "replace")

    def poll(self) -> int | None:
        """Return the exit status, or None while it runs; minus the signal's number where a signal ended it."""
        return _as_signal(self._popen.poll())

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the exit status and return it.

        Raises:
            subprocess.TimeoutExpired: after ``timeout`` seconds.
        """
        status = _as_signal(self._popen.wait(timeout))
        assert status is not None
        return status

    def kill(self) -> None:
        """End it, and with it every process that it started."""
        first = self._first_inside()
        if first and self._popen.poll() is None:
            with suppress(ProcessLookupError, PermissionError, subprocess.TimeoutExpired):
                os.kill(first, signal.SIGKILL)
                self._popen.wait(_REMAINS_S)
        self._popen.kill()

    def _first_inside(self) -> int | None:
        """Return the number of the namespace's first process, if there is one; read it at most once."""
        fd, self._info_fd = self._info_fd, None
        if fd is None:
            return None
        os.set_blocking(fd, False)
        try:
            return int(json.loads(os.read(fd, 4096))["child-pid"])
        except (OSError, ValueError, KeyError):
            return None
        finally:
            os.close(fd)

    def close(self) -> None:
        """End it, wait for its end, and close the pipes. May be called twice."""
        self._timer.cancel()
        self.kill()
        self._popen.wait()
        for pipe in (self.stdin, self.stdout):
            pipe.close()
        self._reader.join(1)
        if self._popen.stderr is not None and not self._reader.is_alive():
            self._popen.stderr.close()

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()


def _as_signal(status: int | None) -> int | None:
    """Return minus the signal's number for a status above 128, by which a launcher reports that a signal ended it."""
    return 128 - status if status is not None and 128 < status < 193 else status
