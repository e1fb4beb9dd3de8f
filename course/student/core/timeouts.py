"""Stopping an endless loop: after a while an exception is raised in it, which names function and line.

A limit counts processor time, so that a busy computer fails nobody. What waits is stopped too, by the clock: it may
last as long as a busy computer needs for the processor time that was used, and some seconds more. On Linux, the time in
which a thread was ready and got no processor counts as none.
"""

import _thread
import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType

from course.student.core.trace import innermost_student_frame

TIMEOUT = 3.0
"""Seconds of processor time that one test may use, unless it names more: so long a student waits for a loop."""

WAITS = 10.0
"""Seconds that a test may spend waiting, for a lock, a future or a slow disk."""

BUSY = 3.0
"""How many seconds may pass for each second of processor time: a busy computer lends a test little."""

_SOONEST = 0.01
"""Seconds between two looks at a limit that is nearly reached."""

_REPEAT = 0.5
"""Seconds between attempts, for a loop that swallows every exception."""

_ATTEMPTS = 20


class TimeLimit(BaseException):
    """A test ran too long. No ``Exception``, so that ``except Exception`` in a loop does not swallow it."""


class Stopwatch:
    """Measures how much of a limit is used: of processor time, and of the time that may be spent waiting.

    By the clock there are ``BUSY`` seconds for each second of processor time that was used, and ``waits`` more. So what
    sleeps is stopped soon, and what runs is not, however little the computer lends it.

    Args:
        seconds: the limit.
        clock: gives the processor time of what is limited, in seconds; None where the system does not say, and the
            limit is by the clock alone.
        used: seconds of processor time that count as used at the start.
        passed: seconds that count as passed by the clock.
        waits: the seconds that may be spent waiting; 0 for ``WAITS``.
        thread: what the system calls the thread that is limited, if it's one; its time without a processor is no wait.

    >>> Stopwatch(10.0, lambda: 3.0, used=4.0).left(), Stopwatch(10.0, lambda: 3.0, used=10.0).left()
    (6.0, 0.0)
    """

    def __init__(
        self,
        seconds: float,
        clock: Callable[[], float] | None,
        used: float = 0.0,
        passed: float = 0.0,
        waits: float = 0.0,
        thread: int = 0,
    ) -> None:
        self.seconds, self._clock, self._thread = seconds, clock, thread
        self.waits = waits or WAITS
        self.restart(used, passed)

    def restart(self, used: float, passed: float) -> None:
        """Go on from these values of ``spent``, as if nothing had come after them."""
        self._from = (self._clock() if self._clock else 0.0) - used, time.monotonic() - passed
        self._without = without_processor(self._thread)

    def spent(self) -> tuple[float, float]:
        """Return the seconds of processor time that are used, and those that have passed by the clock."""
        used_from, passed_from = self._from
        return (self._clock() if self._clock else 0.0) - used_from, time.monotonic() - passed_from

    def left(self, grace: float = 0.0, spent: tuple[float, float] | None = None) -> float:
        """Return for how many seconds one thread cannot reach the limit and ``grace``; 0.0 where it is reached."""
        used, passed = spent or self.spent()
        may_pass = self.waits + BUSY * used if self._clock else self.seconds
        if self._thread and passed >= may_pass:
            may_pass += without_processor(self._thread) - self._without
        left = min(self.seconds - used, may_pass - passed) + grace
        return max(left, _SOONEST) if left > 0 else 0.0

    def is_busy(self) -> bool:
        """Return whether the processor time is used up; otherwise the limit is reached by waiting."""
        return self._clock is not None and self.spent()[0] >= self.seconds

    def stopped(self) -> str:
        """Return the start of a message that says which limit was reached."""
        if self.is_busy():
            return f"stopped after {self.seconds:g} s of processor time"
        return f"stopped after {self.waits:g} s of waiting" if self._clock else f"stopped after {self.seconds:g} s"

    def stopped_at(self, frame: FrameType | None) -> str:
        """Return the message for code that was stopped here: the student's line, or that it was not the student's."""
        does = "running" if self._clock is None or self.is_busy() else "waiting"
        if place := innermost_student_frame(frame):
            return f"{self.stopped()}, still {does} at {place}"
        return f"{self.stopped()}: the test itself was {'busy' if does == 'running' else does}, not your code"


def without_processor(thread: int) -> float:
    """Return for how many seconds a thread of this process was ready to run and the system, or the host of a virtual
    computer, gave it no processor; 0.0 where the system does not say.
    """
    try:
        queued = Path(f"/proc/self/task/{thread}/schedstat").read_text(encoding="ascii").split()[1]
        stolen = Path("/proc/stat").read_text(encoding="ascii").split(maxsplit=9)[8]
        return int(queued) / 1e9 + int(stolen) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError, ValueError):
        return 0.0


def processor_time(pid: int) -> float:
    """Return the seconds of processor time of a process and its threads; 0.0 where the system does not say.

    Its clock is read as ``clock_getcpuclockid`` names it, which Python does not have.
    """
    try:
        return time.clock_gettime((~pid << 3) | 2) if sys.platform == "linux" else 0.0
    except OSError:
        return 0.0


class Alarm:
    """The handler of a limit's signal: it raises ``TimeLimit`` in this thread when its limit is reached.

    The timer runs by the clock, which no thread's processor time overtakes: a look at what is used sets it anew. A
    timer of processor time would count the threads of numeric libraries too.
    """

    def __init__(self) -> None:
        self._watch: Stopwatch | None = None
        self._attempts = 0

    def begin(self, watch: Stopwatch | None) -> tuple[float, float]:
        """Watch this; None for nothing. Return how the timer was set before."""
        self._watch, self._attempts = watch, 0
        return signal.setitimer(signal.ITIMER_REAL, (watch.left() or _SOONEST) if watch else 0.0, _REPEAT)

    def __call__(self, signum: int, frame: FrameType | None) -> None:
        """Stop what runs, unless there is time left."""
        if signal.SIGALRM in signal.pthread_sigmask(signal.SIG_BLOCK, ()):
            # This thread blocks the signal, so another one took it, such as a numeric library's. Sent on to this
            # thread, it stays pending until it is unblocked.
            signal.pthread_kill(threading.get_ident(), signal.SIGALRM)
        elif self._watch is None:
            return
        elif left := self._watch.left():
            signal.setitimer(signal.ITIMER_REAL, left, _REPEAT)
        else:
            self._attempts += 1
            message = self._watch.stopped_at(frame)
            if self._attempts > _ATTEMPTS:
                _give_up(message)
            raise TimeLimit(message)


@contextmanager
def time_limit(
    seconds: float, used: float = 0.0, passed: float = 0.0, *, waits: float = 0.0, alarm: Alarm | None = None
) -> Iterator[None]:
    """Raise ``TimeLimit`` in this thread if it uses ``seconds`` of processor time in the block; 0 means no limit.

    What waits is stopped too; ``used`` and ``passed`` count from the start, and ``waits`` is how long it may wait, all
    as in ``Stopwatch``. On Windows, and beside the main thread on macOS, ``seconds`` are by the clock. An ``alarm``
    must be the signal's handler already; without one the block has its own.

    A debugger's user is never interrupted: the limit is off while a trace function is set.

    >>> with time_limit(0):  # no limit
    ...     "unhurried"
    'unhurried'
    """
    if not seconds or sys.gettrace() is not None:
        yield
    elif hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        watch = Stopwatch(seconds, time.thread_time, used, passed, waits, threading.get_native_id())
        with _alarmed(watch, alarm):
            yield
    else:
        clock: Callable[[], float] | None = None
        if hasattr(time, "pthread_getcpuclockid"):  # of this thread's processor time, which another one may read
            clock = partial(time.clock_gettime, time.pthread_getcpuclockid(threading.get_ident()))
        with _watchdog(Stopwatch(seconds, clock, used, passed, waits, threading.get_native_id() if clock else 0)):
            yield


@contextmanager
def _alarmed(watch: Stopwatch, alarm: Alarm | None) -> Iterator[None]:
    """Limit the block by a signal, which also interrupts a sleep. A limit around this one goes on counting."""
    before = None
    if alarm is None:
        alarm = Alarm()
        before = signal.signal(signal.SIGALRM, alarm)
    begun = time.monotonic()
    outer, repeat = alarm.begin(watch)
    try:
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:  # once more, since the signal may arrive between the block and the line above
        alarm.begin(None)
        if before is not None:
            signal.signal(signal.SIGALRM, before)
        if outer:
            signal.setitimer(signal.ITIMER_REAL, max(outer - (time.monotonic() - begun), 0.001), repeat)


@contextmanager
def _watchdog(watch: Stopwatch) -> Iterator[None]:
    """Limit the block by a second thread, where there is no such signal (Windows, or not the main thread)."""
    watched = _thread.get_ident()
    done = threading.Event()

    def keep() -> None:
        while left := watch.left():
            if done.wait(left):
                return
        for _ in range(_ATTEMPTS):
            message = watch.stopped_at(sys._current_frames().get(watched))
            _raise_in(watched, message)
            if done.wait(_REPEAT):
                return
        if not done.wait(_REPEAT):
            _give_up(message)

    thread = threading.Thread(target=keep, daemon=True)
    try:
        thread.start()  # a short limit may strike in here
        yield
    finally:
        done.set()
        thread.join()


def _raise_in(thread_id: int, message: str) -> None:
    """Raise in another thread. The interpreter makes the exception there, so its message is put in a class."""

    def describe(self: TimeLimit) -> str:
        return message

    kind: Callable[..., object] = type("TimeLimit", (TimeLimit,), {"__str__": describe})
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread_id), ctypes.py_object(kind))


def _give_up(message: str) -> None:
    """End the process with a message: the code swallows every exception, or none reaches it."""
    print(f"\n{message}; no exception ends it, so the whole run ends here", file=sys.__stderr__, flush=True)
    os._exit(70)
