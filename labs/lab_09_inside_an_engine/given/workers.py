"""Who compiles the grammars? A worker: ``submit`` hands it a job and returns a future at once.

A server passes ``ThreadPoolExecutor(1).submit``. The tests pass a ``Worker`` that works only when it's told to, so that
they can count the engine's steps, and don't depend on seconds.
"""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

Submit = Callable[[Callable[[], Any]], "Future[Any]"]
"""Hands a job to a worker. When it's done, the future has its result, or the error that it raised."""


class Driven(Future[Any]):
    """A future that never waits. Where others would, it raises an error, because nobody would do the job meanwhile.

    >>> Driven().result()
    Traceback (most recent call last):
    RuntimeError: this compile is not done, and nothing in the engine may wait for it: ask done() first
    """

    def result(self, timeout: float | None = None) -> Any:
        """Return what the job returned, or raise what it raised."""
        self._refuse_to_wait()
        return super().result(timeout)

    def exception(self, timeout: float | None = None) -> BaseException | None:
        """Return what the job raised, or None."""
        self._refuse_to_wait()
        return super().exception(timeout)

    def _refuse_to_wait(self) -> None:
        if not self.done():
            raise RuntimeError("this compile is not done, and nothing in the engine may wait for it: ask done() first")


class Worker:
    """A worker that does nothing until it is told to.

    >>> worker = Worker()
    >>> future = worker.submit(lambda: 7)
    >>> future.done(), worker.work(), future.result()
    (False, True, 7)
    """

    def __init__(self) -> None:
        self._jobs: list[tuple[Future[Any], Callable[[], Any]]] = []

    def submit(self, job: Callable[[], Any]) -> "Future[Any]":
        """Put a job at the end of the queue; return its future."""
        if not callable(job):
            raise TypeError(f"submit takes a function, which the worker calls later, and not its result: {job!r:.80}")
        future = Driven()
        self._jobs.append((future, job))
        return future

    def begin(self) -> bool:
        """Take up the first job that was not cancelled: from now on it can no longer be. Return whether there is one.

        >>> worker = Worker()
        >>> future = worker.submit(list)
        >>> worker.begin(), future.cancel(), worker.begin(), worker.work(), worker.begin()
        (True, False, True, True, False)
        """
        while self._jobs and not self._jobs[0][0].running() and not self._jobs[0][0].set_running_or_notify_cancel():
            self._jobs.pop(0)
        return bool(self._jobs)

    def work(self) -> bool:
        """Do the first job to its end; return whether there was one."""
        if not self.begin():
            return False
        future, job = self._jobs.pop(0)
        try:
            future.set_result(job())
        except Exception as error:
            future.set_exception(error)
        return True


def at_once(job: Callable[[], Any]) -> "Future[Any]":
    """Do a job here and now, for programs that have nothing else to do meanwhile.

    >>> at_once(lambda: 7).result()
    7
    """
    worker = Worker()
    future = worker.submit(job)
    worker.work()
    return future
