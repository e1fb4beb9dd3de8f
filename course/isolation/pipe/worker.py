"""The process that holds the student's code: ``python -m course.isolation.pipe.worker``.

It may do to itself whatever it likes. It keeps nothing that a verdict depends on.
"""

import os
import random
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

import numpy as np

from course.isolation.pipe.errors import WireError
from course.isolation.pipe.handles import Callback, CallbackIterator
from course.isolation.pipe.peer import Message, Peer
from course.isolation.pipe.table import Table
from course.isolation.pipe.wire import Channel
from course.student.core.catalog import Lab
from course.student.core.submission import Loader
from course.student.core.timeouts import TimeLimit, time_limit

_HEADROOM = 60
"""Frames that a callback needs. A student's deep recursion must fail before a message is half sent."""

OPERATIONS: dict[str, Callable[..., Any]] = {
    "get": getattr,
    "call": lambda target, args, kwargs: target(*args, **dict(kwargs)),
    "len": len,
    "repr": repr,
    "bool": bool,
    "item": lambda target, key: target[key],
    "contains": lambda target, value: value in target,
    "iter": iter,
    "next": next,
    "isinstance": lambda target, instance: isinstance(instance, target),
}
"""What a test may do with a student's object."""


class Worker:
    """Serves the requests of the test's end, one inside another where callbacks are under way."""

    def __init__(self, channel: Channel) -> None:
        self._peer = Peer(channel, Table(1), self, notes_traces=False)
        self._turn = threading.RLock()
        self._depth = 0
        self._pid = os.getpid()
        self._module: Any = None

    def serve_for_ever(self) -> None:
        """Serve until the other end is gone. Threads that the student left may only speak while a request runs."""
        with self._turn:
            while True:
                message = self._receive()
                self._peer.ledger.clear()
                self._serve(message)

    def describe(self, value: object) -> tuple[str, str]:
        """Any object of the student's may stay here; its label is what a failing test will call it."""
        if isinstance(value, (FunctionType, MethodType, BuiltinFunctionType, type)):
            return "object", f"{value.__qualname__:.80}"
        return "object", f"{type(value).__name__:.80} object"

    def make_stub(self, number: int, flavour: str, label: str) -> object:
        """What the student's code gets for a callable or an iterator of the test's."""
        return Callback(self._ask) if flavour == "callable" else CallbackIterator(self._ask)

    def _serve(self, message: Message) -> None:
        outermost = self._depth == 0
        self._depth += 1
        value, fault = self._attempt(message) if outermost else self._attempt_within(message)
        self._depth -= 1
        self._answer(value, fault, everything=outermost)

    def _attempt(self, message: Message) -> tuple[Any, BaseException | None]:
        """The result of a request, or what it raised: nothing that the student raises ends this process."""
        seconds, of = message.header["seconds"]
        self._turn.release()
        _disarm()
        try:
            with _alarm_let_through(), time_limit(seconds):
                return self._run(message), None
        except TimeLimit as error:
            return None, _tell_whole_time(error, seconds, of)
        except BaseException as error:
            return None, error
        finally:
            self._turn.acquire()

    def _attempt_within(self, message: Message) -> tuple[Any, BaseException | None]:
        """The same for a request that a callback makes: the limit of the call goes on."""
        try:
            with _alarm_let_through():
                return self._run(message), None
        except BaseException as error:
            return None, error

    def _run(self, message: Message) -> Any:
        if message.kind == "load":
            return self._load(message.value)
        operation, target, operands = message.value
        return OPERATIONS[operation](self._module if target is None else target, *operands)

    def _load(self, wanted: dict[str, Any]) -> None:
        lab = Lab(wanted["number"], Path(wanted["folder"]))
        files = {number: Path(path) for number, path in wanted["files"].items()}
        _draw_alike()
        self._module = Loader(files, chain=wanted["chain"]).load(lab)

    def _answer(self, value: Any, fault: BaseException | None, *, everything: bool) -> None:
        with suppress(Exception):
            sys.stdout.flush()
        try:
            if fault is None:
                return self._send("returned", value, everything=everything)
        except Exception as error:  # the value cannot cross; nothing was sent
            fault = error
        with _leaving():
            self._peer.send_fault(fault, everything=everything)

    def _ask(self, stub: object, operation: str, args: tuple[Any, ...], kwargs: tuple[tuple[str, Any], ...]) -> Any:
        """Call back, and serve what the test asks meanwhile."""
        _need_headroom(_HEADROOM)
        entry = self._peer.table.find(stub)
        if entry is None:
            raise RuntimeError("a callable that was handed over is used after its time")
        with self._turn, _alarm_held_back():
            self._send("callback", (args, kwargs), everything=False, number=entry.number, operation=operation)
            while (message := self._receive()).kind == "request":
                self._serve(message)
        if message.kind == "raised":
            raise self._peer.ledger.rebuild(message.value)
        return message.value

    def _send(self, kind: str, value: Any, *, everything: bool, **header: Any) -> None:
        if os.getpid() != self._pid:
            os._exit(0)  # a fork of the student's: the conversation is its parent's
        with _leaving():
            self._peer.send(kind, value, everything=everything, **header)

    def _receive(self) -> Message:
        if os.getpid() != self._pid:
            os._exit(0)
        with _leaving():
            return self._peer.receive()


def _draw_alike() -> None:
    """The same file should get the same grade, also if it draws numbers and names no seed."""
    random.seed(0)
    np.random.seed(0)


@contextmanager
def _leaving() -> Iterator[None]:
    """A broken pipe ends the process at once, whatever threads the student has left."""
    try:
        yield
    except (OSError, EOFError, WireError):
        os._exit(0)


def _mask_alarm(how: str) -> Callable[[], None]:
    """Block or unblock the time limit's signal in this thread; returns what undoes it. Windows has none."""
    if not hasattr(signal, "pthread_sigmask"):
        return lambda: None
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())

    def undo() -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    try:
        signal.pthread_sigmask(getattr(signal, how), {signal.SIGALRM})
    except BaseException:  # a signal that waited strikes in the very call that lets it through
        undo()
        raise
    return undo


@contextmanager
def _alarm_held_back() -> Iterator[None]:
    """No limit strikes while a message is half sent or half read; it strikes right behind."""
    undo = _mask_alarm("SIG_BLOCK")
    try:
        yield
    finally:
        undo()


@contextmanager
def _alarm_let_through() -> Iterator[None]:
    """The student's code runs, and may be stopped."""
    undo = _mask_alarm("SIG_UNBLOCK")
    try:
        yield
    finally:
        undo()


def _disarm() -> None:
    """Nothing that an earlier call, or the student, left armed may strike in this one."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_IGN)


def _need_headroom(frames: int) -> None:
    if frames:
        _need_headroom(frames - 1)


def _tell_whole_time(error: TimeLimit, seconds: float, of: float) -> TimeLimit:
    """The limit's message, naming the time of the whole test rather than what was left of it for this call."""
    told = TimeLimit(str(error).replace(f"stopped after {seconds:g} s", f"stopped after {of:g} s", 1))
    return told.with_traceback(error.__traceback__)


def take_over_stdio() -> Channel:
    """Move the protocol to descriptors of its own. The student's prints go to stderr, and its input is empty."""
    channel = Channel(os.dup(0), os.dup(1))
    if sys.platform == "win32":
        import msvcrt

        for fd in (channel.read_fd, channel.write_fd):
            msvcrt.setmode(fd, os.O_BINARY)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=lambda: _close(channel))
    return channel


def _close(channel: Channel) -> None:
    """In a fork of the student's: its parent's conversation is none of its business."""
    for fd in (channel.read_fd, channel.write_fd):
        with suppress(OSError):
            os.close(fd)


def main() -> None:
    """Be a worker."""
    _mask_alarm("SIG_BLOCK")
    Worker(take_over_stdio()).serve_for_ever()


if __name__ == "__main__":
    main()
