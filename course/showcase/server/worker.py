"""The engine in a thread of its own, and its outputs on the event loop: the only place where the two meet."""

import asyncio
import logging
import queue
import threading
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from concurrent.futures import Future
from typing import Any, TypeVar

from course.showcase.server.constraints import Asked
from course.showcase.server.journal import Entry
from course.showcase.server.watchdog import Watchdog
from labkit.engine import Engine, RequestOutput, SamplingParams
from labkit.errors import TurnTooLong

T = TypeVar("T")

STOP_SECONDS = 1.0
"""How long the end of the server waits for the thread's last step."""

IDLE_SECONDS = 0.002
"""How long the thread sleeps when every request waits for its grammar."""


class EngineWorker:
    """Runs steps while there are requests. Its public methods are called on the event loop alone.

    Attributes:
        finished: how many requests ended for each reason.
        tokens: how many tokens were generated.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.finished: Counter[str] = Counter()
        self.tokens = 0
        self._commands: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._streams: dict[str, asyncio.Queue[RequestOutput]] = {}
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)
        self.watchdog = Watchdog(self._too_long)
        engine.about = self.watchdog.about
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """Start the thread; its outputs go to the event loop that runs now."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()
        self.watchdog.start(self._thread)

    async def stop(self) -> None:
        """End the thread after the step that it is in; one that is stuck there ends with the process."""
        self._commands.put(None)
        await asyncio.to_thread(self._thread.join, STOP_SECONDS)
        self.watchdog.stop()

    @property
    def num_streams(self) -> int:
        """How many answers are still read, or about to be."""
        return len(self._streams)

    async def ask(self, question: Callable[[], T]) -> T:
        """Return what a function returns that is called in the engine's thread, between two steps."""
        answer: Future[T] = Future()

        def call() -> None:
            try:
                answer.set_result(question())
            except Exception as error:
                answer.set_exception(error)

        self._commands.put(call)
        heard = asyncio.wrap_future(answer)
        # Looked at in any case: asyncio logs an error that nobody has looked at.
        heard.add_done_callback(lambda done: done.cancelled() or done.exception())
        # Shielded, so that the result arrives and is dropped if the one who asked has gone.
        return await asyncio.shield(heard)

    async def stream(
        self,
        choices: Mapping[str, tuple[list[int], SamplingParams]],
        response_format: Asked | None,
        entry: Entry | None = None,
    ) -> AsyncGenerator[RequestOutput, None]:
        """Yield the outputs of some requests as they come; leaving early, for whatever reason, aborts them.

        Args:
            choices: the prompt and the settings of each, by the ids that the requests will have.
            entry: notes them.

        Raises:
            ValueError, QueueFull: see ``Engine.add_request``.
        """
        # A client may read more slowly than the engine writes: what waits for it is at most max_tokens outputs.
        outputs: asyncio.Queue[RequestOutput] = asyncio.Queue()
        entry = entry or Entry("")
        running = set(choices)
        self._streams |= dict.fromkeys(choices, outputs)
        try:
            await self.ask(lambda: self._add(choices, response_format, entry))
            while running:
                output = await outputs.get()
                entry.note(output)
                if output.finish_reason is not None:
                    running.discard(output.request_id)
                yield output
        finally:
            for name in choices:
                del self._streams[name]
            if running:
                self._commands.put(lambda: self._abort(running))

    def abort_all(self) -> None:
        """End every request; each stream gets an output with the reason ``"abort"``."""

        def abort() -> None:
            names = [*self.engine.requests]
            self._abort(names)
            self._publish([RequestOutput(name, finish_reason="abort") for name in names])

        self._commands.put(abort)
        if self.watchdog.stall is not None:  # the thread may never come to it
            self._deliver([RequestOutput(name, finish_reason="abort") for name in self._streams])

    # In the engine's thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        n_ended = 0
        while True:
            wait = None if not self.engine.requests else 0 if self.engine.scheduled else IDLE_SECONDS
            try:
                command = self._commands.get(timeout=wait) if wait != 0 else self._commands.get_nowait()
            except queue.Empty:
                command = lambda: self._publish(self.engine.step())  # noqa: E731
            if command is None:
                return
            self.watchdog.begin()
            try:
                command()
            except Exception as error:
                self._fail(error)
            finally:
                self.watchdog.end()
            if self.watchdog.ended > n_ended:
                n_ended = self.watchdog.ended
                self._forget_guides()

    def _add(
        self, choices: Mapping[str, tuple[list[int], SamplingParams]], response_format: Asked | None, entry: Entry
    ) -> None:
        cache: Any = getattr(self.engine.structured_outputs, "cache", None)
        began, misses = time.monotonic(), cache.misses if cache else 0
        for name, (prompt, params) in choices.items():
            self.engine.add_request(prompt, params, response_format=response_format, request_id=name)
        # All choices wait for one grammar.
        _, future = getattr(self.engine.structured_outputs, "tickets", {}).get(next(iter(choices)), (None, None))

        def compiled(done: Future[Any]) -> None:
            if not done.cancelled():
                entry.compiled(time.monotonic() - began)

        if future and (cache.misses > misses or not future.done()):  # otherwise the grammar was there
            future.add_done_callback(compiled)

    def _forget_guides(self) -> None:
        """Have the next requests compile again: a guide was interrupted anywhere, and may be left half made."""
        cache: Any = getattr(self.engine.structured_outputs, "cache", None)
        for key, future in list(cache.entries.items()) if cache else ():
            if future.done():
                del cache.entries[key]

    def _fail(self, error: Exception) -> None:
        """End everything after a fault that is not one request's: nobody may wait forever."""
        logging.getLogger("uvicorn.error").error("the engine failed", exc_info=error)
        self._abort([*self.engine.requests])
        self._call(
            lambda: self._deliver([RequestOutput(name, finish_reason="error", error=error) for name in self._streams])
        )

    def _abort(self, names: Iterable[str]) -> None:
        for name in names:
            try:
                self.finished["abort"] += self.engine.abort(name)
            except Exception as error:  # of a constraint, which is asked last: the engine has forgotten the request
                logging.getLogger("uvicorn.error").error("an abort failed", exc_info=error)

    def _publish(self, outputs: list[RequestOutput]) -> None:
        for output in outputs:
            self.tokens += output.token_id is not None
            if output.finish_reason not in (None, "abort"):
                self.finished[str(output.finish_reason)] += 1
        if outputs:
            self._call(lambda: self._deliver(outputs))

    def _too_long(self, name: str) -> None:
        """Tell a request's client that it has ended, from the watchdog's thread: the engine's may be stuck for good."""
        output = RequestOutput(name, finish_reason="error", error=TurnTooLong())
        self._call(lambda: self._deliver([output]))

    def _call(self, function: Callable[[], None]) -> None:
        """Call a function on the event loop, if it still runs."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function)

    def _deliver(self, outputs: list[RequestOutput]) -> None:
        for output in outputs:
            if stream := self._streams.get(output.request_id):
                stream.put_nowait(output)
