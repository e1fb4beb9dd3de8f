"""A process in a sandbox, as the trusted side sees it, and how much it may use."""

import json
import os
import signal
import stat
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from course.student.core.timeouts import processor_time

_REMAINS_S = 2.0  # that a launcher may take to end when its program is dead
_LOOK_S = 0.2  # between two looks at what a program has written
_MOST_FILES = 1000


@dataclass(frozen=True)
class Limits:
    """The limits of one sandboxed process, all positive; the kernel keeps them, or the process that started it."""

    cpu_s: int = 120
    wall_s: float = 300.0  # from start to end
    memory_bytes: int = 2 << 30  # of address space
    processes: int = 64  # and threads; 1 means that it can start no other
    disk_bytes: int = 16 << 20  # of files in its scratch folder
    files: int = 64  # open at once
    output_bytes: int = 64 << 10  # kept of what it prints; the rest is read and thrown away

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value <= 0:
                raise ValueError(f"the limit {name} must be positive, not {value}")


class Process:
    """A running program, its pipes (unbuffered ``stdin`` and ``stdout``), and one method to end it with all it started.

    A launcher that stays outside of a namespace writes to the pipe ``info`` which process is the first inside. Killing
    that one makes the kernel kill all others there; then the launcher cleans up and ends by itself.

    Its stderr is read at once, so that it never waits; the first ``output_bytes`` are kept.
    """

    def __init__(
        self, command: Sequence[str], limits: Limits, scratch: Path, *, info: tuple[int, int] | None = None
    ) -> None:
        self._info_fd = info[0] if info else None
        self._popen = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env={"PATH": "/usr/bin:/bin"},
            cwd="/",
            pass_fds=info[1:] if info else (),
            start_new_session=True,
        )
        if info:
            os.close(info[1])
        self._program = 0 if info else self._popen.pid
        self._used = 0.0
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr
        self.stdin: IO[bytes] = self._popen.stdin
        self.stdout: IO[bytes] = self._popen.stdout
        self._said = bytearray()
        self._reader = threading.Thread(target=self._read, args=(self._popen.stderr, limits.output_bytes), daemon=True)
        self._reader.start()
        self.killed_for = ""  # the limit that it went beyond, in words
        self._scratch, self._closed, self.limits = scratch, threading.Event(), limits
        threading.Thread(target=self._guard, args=(limits,), daemon=True).start()

    def _guard(self, limits: Limits) -> None:
        """Kill it when its time is up, or when it has written too much: no user has a quota of his own."""
        until = time.monotonic() + limits.wall_s
        while not self._closed.wait(_LOOK_S):
            if too_much(self._scratch, limits.disk_bytes):
                self.killed_for = f"it wrote more than {limits.disk_bytes >> 20} MiB, or {_MOST_FILES} files"
            elif time.monotonic() > until:
                self.killed_for = f"it ran for more than {limits.wall_s:g} s"
            if self.killed_for:
                return self.kill()

    def _read(self, pipe: IO[bytes], keep: int) -> None:
        with suppress(OSError, ValueError):
            while chunk := pipe.read(1 << 16):
                self._said += chunk[: max(0, keep - len(self._said))]

    def said(self) -> str:
        """Return the start of what it wrote to stderr, control characters included: escape it before showing it."""
        return self._said.decode("utf-8", "replace")

    def poll(self) -> int | None:
        """Return the exit status as ``wait`` does, or None while it runs."""
        return None if self._popen.poll() is None else self.wait()

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the exit status and return it: minus the signal's number where a signal ended it.

        Raises:
            subprocess.TimeoutExpired: after ``timeout`` seconds.
        """
        status = self._popen.wait(timeout)
        return 128 - status if 128 < status < 193 else status  # above 128 a launcher reports that a signal ended it

    def processor_time(self) -> float:
        """Return the seconds of processor time of the program; 0.0 before it runs, or where the system does not say.

        Of a program that has ended it is what was seen last.
        """
        if self._popen.returncode is not None:  # its number may be another's by now
            return self._used
        with suppress(OSError, IndexError):
            if not self._program:
                pid = self._popen.pid
                for _ in range(2):  # the launcher's child is the first inside, whose child is the program
                    pid = int(Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()[0])
                self._program = pid
        if self._program:
            self._used = max(self._used, processor_time(self._program))
        return self._used

    def kill(self) -> None:
        """End it, and with it every process that it started."""
        fd, self._info_fd = self._info_fd, None
        if fd is not None:
            os.set_blocking(fd, False)
            with suppress(OSError, ValueError, KeyError, subprocess.TimeoutExpired):
                first = int(json.loads(os.read(fd, 4096))["child-pid"])
                if self._popen.poll() is None:
                    os.kill(first, signal.SIGKILL)
                    self._popen.wait(_REMAINS_S)
            os.close(fd)
        self._popen.kill()

    def close(self) -> None:
        """End it, wait for its end, close the pipes, and remove what it wrote. May be called twice."""
        self._closed.set()
        self.processor_time()
        self.kill()
        self._popen.wait()
        for pipe in (self.stdin, self.stdout):
            pipe.close()
        self._reader.join(1)
        if self._popen.stderr is not None and not self._reader.is_alive():
            self._popen.stderr.close()
        remove(self._scratch)

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()


def too_much(folder: Path, most_bytes: int) -> bool:
    """Return whether a program has filled its folder, or hides what is in it."""
    waiting, files, used = [folder], 0, 0
    while waiting:
        try:
            for name in os.listdir(place := waiting.pop()):  # noqa: PTH208
                with suppress(FileNotFoundError):  # it removes files while they are counted
                    state = (place / name).lstat()
                    files, used = files + 1, used + max(state.st_size, 512 * state.st_blocks)
                    waiting += [place / name] if stat.S_ISDIR(state.st_mode) else []
        except FileNotFoundError:
            continue
        except OSError:
            return True
        if files > _MOST_FILES or used > most_bytes:
            return True
    return False


def remove(folder: Path) -> None:
    """Remove a folder whatever is in it: too deep for Python, or closed to its owner."""
    for words in (["rm", "-rf"], ["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
        if folder.exists():
            subprocess.run([*words, "--", str(folder)], check=False, capture_output=True)
