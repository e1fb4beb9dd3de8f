"""Stopping an endless loop: after a while an exception is raised in it, which names function and line."""

import _thread
import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from course.student.core.trace import innermost_student_frame

TIMEOUT = 10.0
"""Seconds that one test may run."""

_REPEAT = 0.5
"""Seconds between attempts, for a loop that swallows every exception."""

_ATTEMPTS = 20


class TimeLimit(BaseException):
    """A test ran too long. No ``Exception``, so that ``except Exception`` in a loop does not swallow it."""


def _message(seconds: float, frame: FrameType | None) -> str:
    place = innermost_student_frame(frame) or "code outside the file under test"
    return f"stopped after {seconds:g} s, still running at {place}"


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise ``TimeLimit`` in this thread if the block runs longer than ``seconds``; 0 means no limit.

    A debugger's user is never interrupted: the limit is off while a trace function is set.

    >>> with time_limit(0):
    ...     "unhurried"
    'unhurried'
    """
    if not seconds or sys.gettrace() is not None:
        yield
    elif hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        with _alarm(seconds):
            yield
    else:
        with _watchdog(seconds):
            yield


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Limit the block by a signal, which also interrupts a sleep. A limit around this one goes on counting."""
    attempts = 0

    def stop(signum: int, frame: FrameType | None) -> None:
        nonlocal attempts
        if signal.SIGALRM in signal.pthread_sigmask(signal.SIG_BLOCK, ()):
            # This thread blocks the signal, so another one took it, such as a numeric library's. Sent on to this
            # thread, it stays pending until it is unblocked.
            signal.pthread_kill(threading.get_ident(), signal.SIGALRM)
            return
        attempts += 1
        message = _message(seconds, frame)
        if attempts > _ATTEMPTS:
            _give_up(message)
        raise TimeLimit(message)

    before = signal.signal(signal.SIGALRM, stop)
    begun = time.monotonic()
    outer, repeat = signal.setitimer(signal.ITIMER_REAL, seconds, _REPEAT)
    try:
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:  # once more, since the signal may arrive between the block and the line above
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if outer:
            signal.setitimer(signal.ITIMER_REAL, max(outer - (time.monotonic() - begun), 0.001), repeat)


@contextmanager
def _watchdog(seconds: float) -> Iterator[None]:
    """Limit the block by a second thread, where there is no such signal (Windows, or not the main thread)."""
    watched = _thread.get_ident()
    done = threading.Event()

    def watch() -> None:
        wait = seconds
        for _ in range(_ATTEMPTS):
            if done.wait(wait):
                return
            message = _message(seconds, sys._current_frames().get(watched))
            _raise_in(watched, message)
            wait = _REPEAT
        if not done.wait(wait):
            _give_up(message)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
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
