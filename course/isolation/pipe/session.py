"""One worker process, and the test's end of the conversation with it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from course.isolation.advice import advise
from course.isolation.pipe.objects import Handle
from course.isolation.pipe.peer import Peer
from course.isolation.pipe.wire import HEADER_CAP, Channel, Overdue, PipeError, WireError, WorkerEnded
from course.isolation.process import Process
from course.student.core.catalog import ROOT
from course.student.core.timeouts import Stopwatch, TimeLimit
from course.student.core.trace import student_trace

GRACE = 2.0  # seconds beyond a limit, either of the two, before a worker that does not heed it is ended


def trusted_worker(folder: Path | None = None) -> Process:
    """Return a worker for a file that one trusts, started in a folder, or where this process is."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    command = (sys.executable, "-P", "-m", "course.isolation.pipe.worker")
    return Process(command, env={**os.environ, "PYTHONPATH": path}, cwd=folder)


class PipeSession:
    """One worker process, which has so many seconds for a request; 0 for no limit.

    They are of processor time, the worker's and this thread's together. The worker keeps the limit itself, so that it
    can name the student's line; whatever it does instead, this end reads its processor time and ends it. Where the
    system does not tell that, this end has the clock alone.
    """

    def __init__(self, process: Process, seconds: float) -> None:
        self._process = process
        self.channel = Channel(process.stdout.fileno(), process.stdin.fileno())
        os.set_blocking(self.channel.write_fd, False)
        self.channel.header_cap = HEADER_CAP
        self.watch: Stopwatch | None = None
        """Of the test that runs; between tests each request has its own."""
        self.ended: PipeError | None = None
        self.in_place = False
        """Whether calls may change the test's own values, see ``Peer``."""
        self._seconds = seconds
        self.peer = Peer(self.channel, _label, lambda label: Handle(self.ask, label), is_worker=False)
        self._fresh = True
        self._depth = 0
        self._current = self._stopwatch()
        self._before = 0.0  # the worker's processor time when the test began

    def processor_time(self) -> float:
        """Return the seconds of processor time of the worker and this thread."""
        return time.thread_time() + self._process.processor_time()

    def renew(self, watch: Stopwatch | None) -> None:
        """Begin or end a test: forget its objects, and count bytes and time anew."""
        self._fresh = True
        self.peer.table.end_test()
        self.watch, self._before = watch, self._process.processor_time()
        self.channel.received = 0

    def ask(self, operation: str, target: Handle | None, *operands: Any) -> Any:
        """Have the worker do something with an object; None is the student's module."""
        if target is None or operation == "get":
            doing = f"reading {operands[0]}"
        else:
            label = object.__getattribute__(target, "_label")
            doing = f"running {label}()" if operation == "call" else f"running {operation}() of a {label}"
        return self.request("request", (operation, target, *operands), doing)

    def request(self, kind: str, value: Any, doing: str) -> Any:
        """Send a request, serve the worker's callbacks, return its answer or raise what it raised."""
        if self.ended is not None:
            raise self.ended
        outermost = self._depth == 0
        limit = self._start_clock(doing, outermost=outermost)
        if outermost:
            self.peer.table.in_place = self.in_place
        self._depth += 1
        try:
            with self._ending_on_failure(doing):
                header = {"limit": limit, "fresh": self._fresh, "in_place": self.peer.table.in_place}
                self.peer.send(kind, value, everything=outermost, **header)
            self._fresh = False
            while True:
                with self._ending_on_failure(doing, reading=True):
                    message = self.peer.receive()
                    if message["is"] == "returned":
                        return message["value"]
                    if message["is"] == "raised":
                        error = self._credible(self.peer.ledger.rebuild(message["value"]))
                        if outermost and self._process.limits is not None:
                            advise(error, self._process.limits)
                        break
                    if message["is"] != "callback":
                        raise WireError("a message that is no answer")
                    call = self._called(message)
                self._serve(call, doing)
        finally:
            self._depth -= 1
            if outermost:
                self.peer.table.end_call()
        raise error

    def _credible(self, error: BaseException) -> BaseException:
        """Return what the worker raised; its ``TimeLimit`` as an error like any other if no limit is reached here."""
        known = self._process.processor_time()  # the system tells it, and so this end's measure is no less
        # The worker counts less processor time, and so less time that a busy computer explains: it stops sooner.
        waited = self._current.spent()[1] >= self._current.waits
        if not isinstance(error, TimeLimit) or not known or (self._seconds and (waited or not self._current.left())):
            return error
        forged: BaseException = type("TimeLimit", (Exception,), {"__module__": "builtins"})(str(error))
        forged.__student_trace__ = student_trace(error)  # type: ignore[attr-defined]
        return forged

    def _stopwatch(self) -> Stopwatch:
        return Stopwatch(self._seconds, self.processor_time)

    def _start_clock(self, doing: str, *, outermost: bool) -> tuple[float, ...]:
        """Return what the worker's ``time_limit`` takes: the limit, and what of it is used."""
        if outermost:
            self.peer.ledger.clear()
            self._current = self.watch or self._stopwatch()
        watch = self._current
        if not self._seconds:
            return (0.0,)
        spent = watch.spent()
        if outermost and not watch.left(spent=spent):
            its, whose = self._process.processor_time() - self._before, ""
            if watch.is_busy():
                own = its < watch.seconds / 2
                whose = "the test itself was busy, not your code" if own else "most of it in your code"
            raise TimeLimit(", ".join(filter(None, (watch.stopped(), whose, f"before {doing}"))))
        self.channel.bound(partial(watch.left, GRACE), watch.left(GRACE, spent))
        return watch.seconds, *spent

    def _called(self, message: dict[str, Any]) -> Callable[[], Any]:
        """Return the call of a test's function that a callback asks for."""
        try:
            entry = self.peer.table.entries[message["number"]]
            args, kwargs = message["value"][0], dict(message["value"][1])
            if entry.kind != "own":
                raise WireError("a request for something that was not passed to it")
            if type(args) is not tuple or not all(type(name) is str for name in kwargs):
                raise WireError("a callback with broken arguments")
        except (KeyError, TypeError, ValueError) as error:
            raise WireError(f"a callback that makes no sense: {error!s:.200}") from None
        return partial(entry.value, *args, **kwargs)

    def _serve(self, call: Callable[[], Any], doing: str) -> None:
        """Call a function of the test and answer with its result, or with what it raised."""
        fault: BaseException
        try:
            value = call()
            if self._seconds and not self._current.left():
                raise TimeLimit(f"{self._current.stopped()} while {doing}")
        except KeyboardInterrupt:
            self.end()
            raise
        except BaseException as error:  # whatever it is, it passes through the student's code first
            fault = error
        else:
            try:
                with self._ending_on_failure(doing):
                    return self.peer.send("returned", value, everything=False)
            except PipeError as error:
                fault = error
        if self.ended is not None:  # the worker is gone, perhaps through a request of the callback's own
            raise fault
        with self._ending_on_failure(doing):
            self.peer.send_fault(fault, everything=False)

    @contextmanager
    def _ending_on_failure(self, doing: str, *, reading: bool = False) -> Iterator[None]:
        """End the worker on whatever leaves the conversation in the middle of a message, and say why."""
        try:
            yield
        except Overdue:
            self._fail(f"{self._current.stopped()} while {doing}; it did not heed the stop", TimeLimit)
        except TimeLimit:  # this end's own, which strikes while it reads what the worker sends
            self._fail(f"{self._current.stopped()} while {doing}", TimeLimit)
        except (EOFError, OSError):
            late = self._seconds and not self._current.left(GRACE)
            self._fail(f"your program ended: {self._how_it_ended()} while {doing}", TimeLimit if late else WorkerEnded)
        except WireError as error:
            self._fail(f"your program answered with {error}, while {doing}", WorkerEnded)
        except PipeError as error:
            if reading:
                self._fail(f"{error}, while {doing}", WorkerEnded)
            raise
        except BaseException:
            self.end()
            raise

    def _fail(self, message: str, kind: type[BaseException]) -> NoReturn:
        self.end()
        self.ended = WorkerEnded(message)
        raise self.ended if kind is WorkerEnded else kind(message) from None

    def _how_it_ended(self) -> str:
        """Return the exit status in words. A worker that only closed its pipe is given a moment, and then ended."""
        try:
            status = self._process.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            return "it cut the connection to the tests"
        if self._process.killed_for:
            return f"it was ended, since {self._process.killed_for}"
        names = {-each.value: each.name for each in signal.Signals}
        return f"exit status {status}" if status >= 0 else f"killed by {names.get(status, f'signal {-status}')}"

    def end(self) -> None:
        """End the process, and all that it started in its own group."""
        self.ended = self.ended or WorkerEnded("your program was ended before this call")
        self._process.close()


def _label(value: object) -> str:
    """Let a test pass callables on besides data; raise ``PipeError`` for anything else."""
    if isinstance(value, Handle):
        label = object.__getattribute__(value, "_label")
        raise PipeError(f"the student's {label} belongs to an earlier test, or to a program that has ended")
    if not callable(value):
        raise PipeError(
            f"a test cannot hand a {type(value).__name__} through the pipe: only plain data, arrays, "
            "the data types of labkit, and callables"
        )
    return "callable"
