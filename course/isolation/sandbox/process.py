"""A process in a sandbox, as the trusted side sees it, and how much it may use."""

import os
import signal
import stat
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from course.isolation.process import Process
from course.isolation.sandbox import machine
from course.student.core.timeouts import processor_time

_REMAINS_S = 2.0  # that bubblewrap may take to end when its program is dead
_LOOK_S = 0.2  # between two looks at what a program has written, and started
_MOST_FILES = 1000


@dataclass(frozen=True)
class Limits:
    """The limits of one sandboxed process, all positive; the kernel keeps them, or the process that started it."""

    cpu_s: int = 120
    wall_s: float = 300.0  # from start to end
    memory_bytes: int = 2 << 30  # of address space
    threads: int = 64
    disk_bytes: int = 16 << 20  # of files in its scratch folder
    files: int = 64  # open at once

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value <= 0:
                raise ValueError(f"the limit {name} must be positive, not {value}")

    def words(self) -> list[str]:
        """Return what the kernel keeps, as options of ``prlimit``."""
        kept = {"cpu": self.cpu_s, "as": self.memory_bytes, "nproc": self.threads, "nofile": self.files}
        kept |= {"fsize": self.disk_bytes, "core": 0, "memlock": 0, "msgqueue": 0, "sigpending": 64}
        return [f"--{name}={most}" for name, most in kept.items()]


class ConfinedProcess(Process):
    """A running program in a sandbox; nothing that it started outlives it. What it writes to stderr is dropped.

    Args:
        command: what starts it.
        limits: how much it may use.
        scratch: the folder that it writes to, where it starts.
        uid: the spare user that it becomes; None if it stays this one.
        walled: whether the command starts bubblewrap, which stays outside and starts it in its turn.

    What is on the stack ``ending`` is done when it has ended.
    """

    limits: Limits

    def __init__(self, command: Sequence[str], limits: Limits, scratch: Path, uid: int | None, *, walled: bool) -> None:
        super().__init__(command, env=environment(scratch), cwd=scratch, stderr=subprocess.DEVNULL)
        self.limits, self._scratch, self._uid, self._walled = limits, scratch, uid, walled
        self.ending = ExitStack()
        self._program = 0 if walled else self._popen.pid
        self._used = 0.0
        self._closed = threading.Event()
        self._guarding = threading.Thread(target=self._guard, daemon=True)
        self._guarding.start()

    def _guard(self) -> None:
        """Kill it when it breaks a rule that the kernel doesn't keep: no user has a quota of his own, for one."""
        until, most = time.monotonic() + self.limits.wall_s, self.limits.disk_bytes
        while not self._closed.wait(_LOOK_S):
            if too_much(self._scratch, most):
                self.killed_for = f"it wrote more than {most >> 20} MiB, or {_MOST_FILES} files"
            elif time.monotonic() > until:
                self.killed_for = f"it ran for more than {self.limits.wall_s:g} s"
            elif len(self._inside()) > 1:  # each would have as much memory as the first
                self.killed_for = "it started another process, which no submission may"
            if self.killed_for:
                return self.kill()

    def _inside(self) -> list[int]:
        """Return the numbers of the processes in the sandbox, without bubblewrap's own."""
        if self._uid is not None:
            return machine.processes_of(self._uid)
        return machine.processes_below(self._popen.pid)[1:]

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the exit status and return it, as ``Process`` does."""
        status = super().wait(timeout)
        return 128 - status if 128 < status < 193 else status  # above 128 bubblewrap reports that a signal ended it

    def processor_time(self) -> float:
        """Return the seconds of processor time of the program; 0.0 before it runs, or where the system does not say.

        Of a program that has ended it is what was seen last.
        """
        if self._popen.returncode is not None:  # its number may be another's by now
            return self._used
        if not self._program:  # bubblewrap's child is the first inside, whose child is the program
            self._program = next(iter(machine.processes_below(self._popen.pid)[1:]), 0)
        if self._program:
            self._used = max(self._used, processor_time(self._program))
        return self._used

    def kill(self) -> None:
        """End it, and with it every process that it started."""
        first = machine.processes_below(self._popen.pid)[:1] if self._walled and self._popen.poll() is None else []
        for pid in first:  # the kernel then kills all others in its namespace, and bubblewrap ends by itself
            with suppress(OSError, subprocess.TimeoutExpired):
                os.kill(pid, signal.SIGKILL)
                self._popen.wait(_REMAINS_S)
        if self._uid is not None:
            machine.end_processes_of(self._uid)
        self._popen.kill()

    def close(self) -> None:
        """End it, close the pipes, and remove what it wrote; may be called twice."""
        if self._closed.is_set():  # its user may be another sandbox's by now
            return
        self.processor_time()
        self._closed.set()
        self._guarding.join()
        super().close()
        self.ending.close()


def environment(scratch: Path) -> dict[str, str]:
    """Return the environment of a sandboxed process: with fixed hashes code does the same each time.

    A thread of a numeric library would take 64 MiB of address space for an arena of its own.
    """
    ones = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    fixed = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0", "MALLOC_ARENA_MAX": "2"}
    return fixed | dict.fromkeys(ones, "1") | dict.fromkeys(("HOME", "TMPDIR"), str(scratch))


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
