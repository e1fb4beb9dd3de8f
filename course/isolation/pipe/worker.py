"""The process that holds the student's code: ``python3 -m course.isolation.pipe.worker``.

It may do to itself whatever it likes: no verdict depends on what it keeps.
"""

import os
import random
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from io import TextIOWrapper
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

import numpy as np

from course.isolation.pipe.peer import Peer
from course.isolation.pipe.wire import Channel, PipeError, WireError
from course.student.core.catalog import Lab
from course.student.core.submission import Loader
from course.student.core.timeouts import Alarm, time_limit
from labs.own_files import InPlace

OPERATIONS: dict[str, Callable[..., Any]] = {
    "get": getattr,
    "call": lambda target, args, kwargs: target(*args, **dict(kwargs)),
    "repr": repr,
}
"""What a test may do with a student's object."""


class PipeWorker:
    """Serves the requests of the test's end, one inside another while a callback runs."""

    def __init__(self, channel: Channel) -> None:
        self._peer = Peer(channel, _label, self._stub, is_worker=True)
        self._turn = threading.RLock()
        self._depth = 0
        self._talking = _Talking()
        self._alarm = Alarm()
        self._module: Any = None

    def serve_for_ever(self) -> None:
        """Serve until the other end is gone. Threads that the student left may only speak while a request runs."""
        with self._turn:
            while True:
                message = self._receive()
                self._peer.ledger.clear()
                self._serve(message)
                self._peer.table.end_call()

    def _serve(self, message: dict[str, Any]) -> None:
        """Run a request and answer it."""
        outermost = self._depth == 0
        self._depth += 1
        value, fault = self._attempt(message, outermost=outermost)
        self._depth -= 1
        with suppress(Exception):
            sys.stdout.flush()
        if fault is None:
            try:
                with self._talking:
                    self._peer.send("returned", value, everything=outermost)
                if message["is"] == "request" and message["value"][1] is None:
                    self._peer.table.keep(value)
                return
            except Exception as error:  # the value cannot cross; nothing was sent
                fault = PipeError(f"the tests cannot read what your code returned: {error}")
        with self._talking:
            self._peer.send_fault(fault, everything=outermost)

    def _attempt(self, message: dict[str, Any], *, outermost: bool) -> tuple[Any, BaseException | None]:
        """Return the result of a request, or what it raised: nothing that the student raises ends this process.

        A request that a callback makes runs within the limit of the outermost one.
        """
        if outermost:
            self._turn.release()
            self._alarm.begin(None)  # cancel any timer that an earlier call, or the student, has left armed
            if message["fresh"]:  # an earlier test may have taken the signal away
                signal.signal(signal.SIGALRM, self._alarm)
        try:
            limit = time_limit(*message["limit"], alarm=self._alarm) if outermost else nullcontext()
            with _alarm(signal.SIG_UNBLOCK), limit:
                if message["is"] == "load":
                    self._load(message["value"])
                    return None, None
                operation, target, *operands = message["value"]
                return OPERATIONS[operation](self._module if target is None else target, *operands), None
        except BaseException as error:
            return None, error
        finally:
            if outermost:
                self._turn.acquire()

    def _load(self, wanted: dict[str, Any]) -> None:
        lab = Lab(wanted["number"], Path(wanted["folder"]))
        files = {number: Path(path) for number, path in wanted["files"].items()}
        random.seed(0)  # the same file should get the same grade, also if it draws numbers and names no seed
        np.random.seed(0)
        if len(files) > 1:  # in a copy of the course without references, for good
            InPlace(files).__enter__()
        self._module = Loader(files).load(lab)

    def _stub(self, label: str) -> Callable[..., Any]:
        """Return a callable of the test, as the student's code sees it."""

        def callback(*args: Any, **kwargs: Any) -> Any:
            return self._ask(callback, args, tuple(kwargs.items()))

        return callback

    def _ask(self, stub: object, args: tuple[Any, ...], kwargs: tuple[tuple[str, Any], ...]) -> Any:
        """Call a function of the test, and serve what it asks meanwhile."""
        _need_frames(60)  # a student's deep recursion must fail before a message is half sent
        with self._turn, _alarm(signal.SIG_BLOCK):
            entry = self._peer.table.find(stub)
            if entry is None:
                raise RuntimeError("a function of an earlier test is called after that test has ended")
            with self._talking:
                self._peer.send("callback", (args, kwargs), everything=False, number=entry.number)
            while (message := self._receive())["is"] == "request":
                self._serve(message)
        if message["is"] == "raised":
            raise self._peer.ledger.rebuild(message["value"])
        return message["value"]

    def _receive(self) -> dict[str, Any]:
        with self._talking:
            return self._peer.receive()


class _Talking:
    """Ends the process at once where the pipe is broken, and in a student's fork: the pipe is the parent's."""

    def __init__(self) -> None:
        self._pid = os.getpid()

    def __enter__(self) -> None:
        if os.getpid() != self._pid:
            os._exit(0)

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if kind and issubclass(kind, (OSError, EOFError, WireError)):
            os._exit(0)


def _label(value: object) -> str:
    """Let any object of the student's stay here; return what a failing test will call it."""
    if isinstance(value, (FunctionType, MethodType, BuiltinFunctionType, type)):
        return f"{value.__qualname__:.80}"
    return f"{type(value).__name__:.80} object"


@contextmanager
def _alarm(how: int) -> Iterator[None]:
    """Block or unblock the time limit's signal in this thread: ``SIG_BLOCK`` or ``SIG_UNBLOCK``.

    No limit may strike while a message is half sent or half read; it strikes while the student's code runs.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(how, {signal.SIGALRM})  # delivers a pending signal before it returns
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _need_frames(frames: int) -> None:
    if frames:
        _need_frames(frames - 1)


def take_over_stdio() -> Channel:
    """Move the protocol to descriptors of its own. The student's prints go to stderr, and their input is empty."""
    channel = Channel(os.dup(0), os.dup(1))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)
    os.register_at_fork(after_in_child=channel.close)  # the conversation is the parent's
    return channel


def main() -> None:
    """Be a worker."""
    with _alarm(signal.SIG_BLOCK):
        PipeWorker(take_over_stdio()).serve_for_ever()


if __name__ == "__main__":
    main()
