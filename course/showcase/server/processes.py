"""Jobs in processes of their own, with limits: what a client asks for may take long, and nobody else may notice.

A guide lives in the server's process and makes its states on demand, so every mask is cheap. Making the guide is not:
a schema can take seconds and hundreds of megabytes to read. So that part runs elsewhere, and what comes back is what a
guide is made of, whatever the vocabulary is: the states of an automaton, or the rules of a grammar.

A thread waits for each job: one of a few, so that few jobs run at a time. Each thread has a process, a fork of
``multiprocessing``'s fork server, which has everything imported. The process keeps its thread's jobs within their
limits; one that has met a limit, or keeps too much memory, ends, and the thread starts another. The future of a job
stays pending until its result is here. So it can be cancelled while the job runs, and then the job is ended at once.
"""

import multiprocessing
import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, InvalidStateError, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from labkit.errors import LimitExceeded

T = TypeVar("T")

SECONDS = 2.0
"""How much processor time a job may take."""

MEGABYTES = 256
"""How much memory a job may add to what its process has."""

MOST_BYTES = 4 << 20
"""How large a result may be, without its arrays: while it is read, no other thread runs."""

WAITED = 20.0
"""Seconds, by the clock, after which a job is given up on: a busy computer may give it no processor time."""

NICE = 5
"""The engine comes first, then the jobs."""

MOST_JOBS, MOST_MORE = 200, 32 << 20
"""After so many jobs, or with so many bytes more than at first, a process ends: what it keeps goes with it."""

NO_MEMORY = 71
"""The exit status of a process whose job needed more memory than it may."""

HAS_FORKS = "forkserver" in multiprocessing.get_all_start_methods()


class Processes:
    """Runs jobs in threads, and their parts that may take long in processes.

    Args:
        prepare: a module that the fork server imports first; empty for none.
        at_once: how many jobs run at a time.
        seconds, megabytes: the limits of a job.

    >>> processes = Processes(at_once=1)
    >>> processes.submit(lambda: processes.call(pow, 2, 100)).result(60) == 2**100  # in a process of its own
    True
    >>> processes.close()
    """

    def __init__(
        self, prepare: str = "", at_once: int = 4, seconds: float = SECONDS, megabytes: int = MEGABYTES
    ) -> None:
        self._limits = seconds, megabytes
        self._threads = ThreadPoolExecutor(at_once, "compiler")
        self._own = threading.local()
        if HAS_FORKS and prepare:
            multiprocessing.set_forkserver_preload([prepare])
            forkserver.ensure_running()

    def submit(self, job: Callable[[], T]) -> "Future[T]":
        """Hand a job to a thread; return its future, which can be cancelled until it is done."""
        future: Future[T] = Future()
        self._threads.submit(self._work, future, job)
        return future

    def call(self, function: Callable[..., T], *args: Any) -> T:
        """Return what a function returns, called in a process of its own; all that crosses over is pickled.

        Raises:
            LimitExceeded: if it takes more time or memory than it may, or its result is too large.
            CancelledError: if the future of this thread's job has been cancelled.
            Exception: what the function raises.
        """
        if not HAS_FORKS:  # such a system has no limits
            return function(*args)
        process, connection = self._worker()
        future, running, again = getattr(self._own, "future", Future[Any]()), [process], False
        future.add_done_callback(lambda _: deque(map(BaseProcess.kill, running)))
        try:
            connection.send((function, args))
            if not connection.poll(WAITED):
                raise self._too_long()
            again, answer = connection.recv()
        except (EOFError, ConnectionError):
            raise self._why_it_ended(process, future) from None
        finally:
            running.clear()
            if not again:
                self._own.worker = None
                process.kill()
        right, value = pickle.loads(answer)
        if not right:
            raise value
        return value

    def close(self) -> None:
        """End the threads once the jobs that run are done; the processes end with them."""
        self._threads.shutdown()

    def _work(self, future: "Future[T]", job: Callable[[], T]) -> None:
        self._own.future = future
        if future.cancelled():
            return
        with suppress(InvalidStateError):  # it was cancelled meanwhile
            try:
                result = job()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)

    def _worker(self) -> tuple[BaseProcess, Connection]:
        """Return this thread's process, which waits for a job, and where it gets it."""
        worker = getattr(self._own, "worker", None)
        if worker is None or not worker[0].is_alive():
            context = multiprocessing.get_context("forkserver")
            mine, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs, *self._limits), daemon=True)
            process.start()
            theirs.close()
            worker = self._own.worker = process, mine
        return worker

    def _why_it_ended(self, process: BaseProcess, future: "Future[Any]") -> Exception:
        """Return the error of a job whose process has ended."""
        process.join()
        if future.cancelled():
            return CancelledError()
        if process.exitcode == NO_MEMORY:
            return LimitExceeded("the constraint takes too much memory, in megabytes", self._limits[1])
        return self._too_long()

    def _too_long(self) -> LimitExceeded:
        milliseconds = int(self._limits[0] * 1000)
        return LimitExceeded("the constraint takes too long, in milliseconds of processor time", milliseconds)


# In other processes -----------------------------------------------------------------------------------------


def _serve(connection: Connection, seconds: float, megabytes: int) -> None:
    """Do jobs until nobody has one, or this process keeps too much."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is for the server, whose end is the end of this
    with suppress(OSError):
        os.nice(NICE)
    with suppress(EOFError):
        function, args = connection.recv()
        most = _bytes_taken() + MOST_MORE  # with the first job come the imports that nobody has prepared
        for n_jobs in range(1, MOST_JOBS + 1):
            answer = _do(function, args, seconds, megabytes)
            again = n_jobs < MOST_JOBS and _bytes_taken() < most
            connection.send((again, answer))
            if not again:
                break
            function, args = connection.recv()


def _do(function: Callable[..., Any], args: Any, seconds: float, megabytes: int) -> bytes:
    """Do one job within its limits; return whether it went well and what came of it, pickled."""
    arrays: list[int] = []

    def note(array: pickle.PickleBuffer) -> bool:
        arrays.append(array.raw().nbytes)
        return True  # it stays in the pickle

    try:
        with _limits(seconds, megabytes):
            answer = pickle.dumps((True, function(*args)), protocol=5, buffer_callback=note)
        if (others := len(answer) - sum(arrays)) > MOST_BYTES:
            raise LimitExceeded(f"the compiled constraint takes {others:,} bytes", MOST_BYTES)
    except MemoryError:
        os._exit(NO_MEMORY)
    except BaseException as error:
        answer = pickle.dumps((False, error))
    return answer


@contextmanager
def _limits(seconds: float, megabytes: int) -> Iterator[None]:
    """Limit this process for now; whoever started it may have set a limit for good, which stays.

    When the time is up, the system ends the process, wherever it is: that's what ``SIGPROF`` does by default.
    """
    import resource  # which not every system has

    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = _bytes_taken() + (megabytes << 20)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        # To say what went wrong may take memory, and so may the next job's imports.
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def _bytes_taken() -> int:
    """Return how much memory this process has asked for; plenty where the system does not say."""
    with suppress(OSError, ValueError), open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
        return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    return 1 << 40
