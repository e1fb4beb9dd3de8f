"""Watches the engine's thread from outside: a turn that takes too long is noticed, told, and ended where it can be.

Work is counted (``labkit.automata.work``), so no turn should take long. This is for what nobody has counted: one
request's constraint must not keep all the others waiting.
"""

import ctypes
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from labkit.engine import Request
from labkit.errors import TurnTooLong

SECONDS = 1.0
"""How long a turn may take, by the clock, before it is told; and by the processor, before a request is ended for it."""

ANYHOW = 10 * SECONDS
"""After so long by the clock a request is ended however little processor time its thread got."""

LOOKS = 0.1
"""How often the watchdog looks, in seconds."""


@dataclass(frozen=True)
class Stall:
    """A turn that takes too long.

    Attributes:
        since: when it began, in seconds since 1970.
        requests: the ids of those whose constraints are asked; several for a batch's masks, none for the model's pass.
    """

    since: float
    requests: Sequence[str]


class Watchdog:
    """Looks at one thread's turns.

    Args:
        tell: called with the id of a request that is ended, while its turn may still go on.

    Attributes:
        stall: the turn that takes too long; None while none does.
        ended: how often a turn was ended.
    """

    def __init__(self, tell: Callable[[str], object]) -> None:
        self.stall: Stall | None = None
        self.ended = 0
        self._tell = tell
        self._lock = threading.Lock()
        self._thread = 0
        self._turn: tuple[float, float] | None = None
        self._about: Sequence[Request] = ()
        self._asked = self._asked_with = 0.0
        self._fired = False
        self._stopped = threading.Event()

    # In the thread that is watched ----------------------------------------------------------------------

    def begin(self) -> None:
        """Note that a turn begins."""
        self._turn = time.monotonic(), time.time()

    def end(self) -> None:
        """Note that it has ended."""
        self._turn = None
        self.about(())

    def about(self, requests: Sequence[Request]) -> None:
        """Note whose constraints are asked from now on."""
        with self._lock:
            self._about, self._asked = requests, 0.0
            if self._fired:  # perhaps it has not struck: then it must not strike anybody else
                _raise_in(self._thread, None)
                self._fired = False

    # In a thread of its own -----------------------------------------------------------------------------

    def start(self, thread: threading.Thread) -> None:
        """Watch a thread that has been started."""
        assert thread.ident is not None
        self._thread = thread.ident
        threading.Thread(target=self._watch, name="watchdog", daemon=True).start()

    def stop(self) -> None:
        """Look no more."""
        self._stopped.set()

    def _watch(self) -> None:
        while not self._stopped.wait(LOOKS):
            turn = self._turn
            if turn is None or time.monotonic() - turn[0] < SECONDS:
                self.stall = None
                continue
            with self._lock:
                about = self._about
                self.stall = Stall(turn[1], [request.request_id for request in about])
                blamed = bool(about) and self._takes_too_long()
                if blamed:
                    self.ended += 1
                    self._fired, self._asked = True, 0.0
                    _raise_in(self._thread, TurnTooLong)
            if blamed and len(about) == 1:
                self._tell(about[0].request_id)

    def _takes_too_long(self) -> bool:
        """Return whether the constraints that are asked have been asked for too long, since this first looked."""
        now, processor = time.monotonic(), _processor_seconds(self._thread)
        if not self._asked:
            self._asked, self._asked_with = now, processor
        return processor - self._asked_with > SECONDS or now - self._asked > ANYHOW


def _processor_seconds(thread: int) -> float:
    """Return how long a thread has run, without the time for which others did; by the clock where nothing says that."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.monotonic()
    return time.clock_gettime(time.pthread_getcpuclockid(thread))


def _raise_in(thread: int, error: type[Exception] | None) -> None:
    """Raise an error in another thread, where its Python code is; None takes back one that has not struck yet."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), error and ctypes.py_object(error))
