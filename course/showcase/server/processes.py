"""Jobs in processes of their own, with limits: what a client asks for may take long, and nobody else may notice.

A guide lives in the server's process and makes its states on demand, so every mask is cheap. Making the guide is not:
a schema can take seconds and hundreds of megabytes to read. So that part runs elsewhere, and what comes back is what a
guide is made of, whatever the vocabulary is: the states of an automaton, or the rules of a grammar.

A job runs in a fork of a process that has everything imported and does nothing else, so it can be ended at any time,
and is held to its limits by the system. A fork takes some milliseconds, and as much again until it has copied the
memory that it changes. So one that has done its job well, in little time and with little memory, gets the next one; all
others end. A thread waits for each job: one of a few, so that few jobs run at a time. The future of a job stays pending
until its result is here. So it can be cancelled while the job runs, and then the job is ended at once.
"""

import os
import pickle
import signal
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, InvalidStateError
from contextlib import suppress
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any, TypeVar

from labkit.errors import LimitExceeded

T = TypeVar("T")

_Worker = tuple[int, Connection]
"""The number of a process, and where it gets its jobs."""

SECONDS = 2.0
"""How much processor time a job may take."""

MEGABYTES = 256
"""How much memory a job may add to what the process has that it is a fork of."""

MOST_BYTES = 4 << 20
"""How large a result may be, without its arrays: while it is read, no other thread runs."""

WAITED = 20.0
"""Seconds, by the clock, after which a job is given up on: a busy computer may give it no processor time."""

NICE, LATER_NICE, LATER = 5, 10, 0.2
"""The engine comes first, then the jobs that have taken little processor time, then those with more than that many
seconds."""

MOST_JOBS, MOST_MORE = 200, 32 << 20
"""After so many jobs, or with so many bytes more than at first, a process ends: what it keeps goes with it."""


class Processes:
    """Runs jobs in threads, and their parts that may take long in processes.

    Make it before other threads are started: it forks.

    Args:
        prepare: what the process does once of which all others are forks, such as filling caches.
        at_once: how many jobs run at a time.
        seconds, megabytes: the limits of a job.

    >>> processes = Processes(at_once=1)
    >>> processes.submit(lambda: processes.call(pow, 2, 100)).result(60) == 2**100
    True
    >>> processes.close()
    """

    def __init__(
        self,
        prepare: Callable[[], object] = bool,
        at_once: int = 4,
        seconds: float = SECONDS,
        megabytes: int = MEGABYTES,
    ) -> None:
        self._limits = seconds, megabytes
        self._jobs: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._own = threading.local()
        self._lock = threading.Lock()
        self._idle: list[_Worker] = []
        self._starter = _start(prepare, self._limits) if hasattr(os, "fork") else None
        self._threads = [threading.Thread(target=self._work, daemon=True, name="compiler") for _ in range(at_once)]
        for thread in self._threads:
            thread.start()

    def submit(self, job: Callable[[], T]) -> "Future[T]":
        """Hand a job to a thread; return its future, which can be cancelled until it is done."""
        future: Future[T] = Future()
        self._jobs.put((future, job))
        return future

    def call(self, function: Callable[..., T], *args: Any) -> T:
        """Return what a function returns, called in a process of its own; all that crosses over is pickled.

        Raises:
            LimitExceeded: if it takes more time or memory than it may, or its result is too large.
            CancelledError: if the future of this thread's job has been cancelled.
            Exception: what the function raises.
        """
        if self._starter is None:  # a system without forks has no limits
            return function(*args)
        process, connection = worker = self._worker(self._starter)
        again = False
        try:
            connection.send((function, args))
            self._wait(connection)
            again, answer = connection.recv(), connection.recv_bytes()
            right, value = pickle.loads(answer)
        except (CancelledError, LimitExceeded):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
            raise
        except (EOFError, ConnectionError):  # the system has ended it
            raise _too_long(self._limits[0]) from None
        finally:
            if again:
                self._idle.append(worker)
            else:
                connection.close()
        if not right:
            raise value
        return value

    def close(self) -> None:
        """End the threads once the jobs that run are done, and then the processes."""
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join()
        for _, connection in self._idle:
            connection.close()
        if self._starter is not None:
            self._starter.close()

    def _worker(self, starter: socket.socket) -> "_Worker":
        """Return a process that waits for a job: one that has done some, or a new one."""
        with suppress(IndexError):
            while True:
                process, connection = self._idle.pop()
                if not connection.poll():  # it has nothing to say, so it has not ended
                    return process, connection
                connection.close()
        mine, theirs = socket.socketpair()
        with self._lock:
            socket.send_fds(starter, [b"!"], [theirs.fileno()])
            process = int.from_bytes(starter.recv(8), "little")
        theirs.close()
        return process, Connection(mine.detach())

    def _wait(self, connection: Connection) -> None:
        end = time.monotonic() + WAITED
        future = getattr(self._own, "future", None)
        while not connection.poll(0.01):
            if future is not None and future.cancelled():
                raise CancelledError
            if time.monotonic() > end:
                raise _too_long(self._limits[0])

    def _work(self) -> None:
        while (item := self._jobs.get()) is not None:
            future, job = item
            self._own.future = future
            if future.cancelled():
                continue
            with suppress(InvalidStateError):  # it was cancelled meanwhile
                try:
                    result = job()
                except BaseException as error:
                    future.set_exception(error)
                else:
                    future.set_result(result)


def _too_long(seconds: float) -> LimitExceeded:
    return LimitExceeded("the constraint takes too long, in milliseconds of processor time", int(seconds * 1000))


# In other processes -----------------------------------------------------------------------------------------


def _start(prepare: Callable[[], object], limits: tuple[float, int]) -> socket.socket:
    """Fork the process of which all others are forks; return the socket on which it takes their connections."""
    mine, theirs = socket.socketpair()
    if os.fork() == 0:
        with suppress(BaseException):
            mine.close()
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is for the server, whose end is the end of this
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            with suppress(OSError):
                os.nice(NICE)
            with suppress(Exception):  # a job that does the same meets the same error, and says so
                prepare()
            while (received := socket.recv_fds(theirs, 1, 1))[1]:
                (connection,) = received[1]
                process = os.fork()
                if process == 0:
                    theirs.close()
                    _serve(Connection(connection), *limits)
                    os._exit(0)
                os.close(connection)
                theirs.sendall(process.to_bytes(8, "little"))
        os._exit(0)
    theirs.close()
    return mine


class _TimeIsUp(BaseException):
    """Raised where the job is; no ``except Exception`` catches it."""


def _serve(connection: Connection, seconds: float, megabytes: int) -> None:
    """Do jobs until nobody has one, or one was heavy."""
    began = _bytes_taken()
    for n_jobs in range(1, MOST_JOBS + 1):
        function, args = connection.recv()
        answer, light = _do(function, args, seconds, megabytes)
        again = light and n_jobs < MOST_JOBS and _bytes_taken() - began < MOST_MORE
        connection.send(again)
        connection.send_bytes(answer)
        if not again:
            break


def _do(function: Callable[..., Any], args: Any, seconds: float, megabytes: int) -> tuple[bytes, bool]:
    """Do one job within its limits.

    Returns:
        Whether it went well and what came of it, pickled; and whether it took little time, and met no limit of memory.
    """
    import resource  # which not every system has

    began, light = time.process_time(), True
    arrays: list[int] = []

    def note(array: pickle.PickleBuffer) -> bool:
        arrays.append(array.raw().nbytes)
        return True  # it stays in the pickle

    try:
        _limit(seconds, megabytes)
        answer = pickle.dumps((True, function(*args)), protocol=5, buffer_callback=note)
        if (others := len(answer) - sum(arrays)) > MOST_BYTES:
            raise LimitExceeded(f"the compiled constraint takes {others:,} bytes", MOST_BYTES)
    except _TimeIsUp:
        answer = pickle.dumps((False, _too_long(seconds)))
    except MemoryError:
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))  # even to say so takes memory
        error = LimitExceeded("the constraint takes too much memory, in megabytes", megabytes)
        answer, light = pickle.dumps((False, error)), False
    except BaseException as error:
        answer = pickle.dumps((False, error))
    signal.setitimer(signal.ITIMER_PROF, 0)
    return answer, light and time.process_time() - began < LATER  # with more it has a lower priority, for good


def _limit(seconds: float, megabytes: int) -> None:
    """Set the limits of a job; the time begins now."""
    import resource

    def look(number: int, frame: object) -> None:
        if time.process_time() - began >= seconds:
            raise _TimeIsUp
        with suppress(OSError):
            os.nice(LATER_NICE - NICE if os.nice(0) < LATER_NICE else 0)

    began = time.process_time()
    signal.signal(signal.SIGPROF, look)
    signal.setitimer(signal.ITIMER_PROF, min(LATER, seconds), min(LATER, seconds))
    # A call of C code that does not return to Python is ended by the system.
    _lower(resource.RLIMIT_CPU, int(began + seconds) + 2)
    if taken := _bytes_taken():
        with suppress(OSError, ValueError):
            _lower(resource.RLIMIT_AS, taken + (megabytes << 20))


def _lower(kind: int, most: int) -> None:
    """Set a limit of this process for now; whoever started it may have set one for good, which stays."""
    import resource

    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _bytes_taken() -> int:
    """Return how much memory this process has asked for; 0 where the system does not say."""
    with suppress(OSError, ValueError), open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
        return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    return 0
