"""What an operator is told of each request: a line in the log at its end, and numbers for ``/metrics``."""

import json
import logging
import re
import time
import uuid
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Histogram

from course.showcase.server.answers import Counted
from course.showcase.server.errors import ApiError
from labkit.engine import RequestOutput
from labkit.errors import shortened

if TYPE_CHECKING:  # the examples below run where no server is installed
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOG = logging.getLogger("course.showcase.server")

QUIET = ("/health", "/metrics")
"""Paths that are asked every few seconds: a line says so only if they are refused."""

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25)
"""The upper ends of a histogram's buckets, in seconds."""

SECONDS = {
    "compile": "from a request to its grammar, where that was not there already",
    "first_token": "from a request to its first token, the compile included",
}
"""What is timed."""


@dataclass
class Entry:
    """What is known of one request over HTTP, and said of it at its end.

    Attributes:
        whole: whether all of the answer was sent.
        began: when its head was read; the body's time counts in ``total_ms`` alone.
        read: when its body was read, from where the first token's time counts.
        compile_seconds: how long it waited for its grammar; None if it was there, or none was asked for.
        first_seconds: to the first token, the compile included.
        counted: its tokens, and those that were drafted.
        ends: how each choice ended that did.
        error: what the client was told.
        unread: returns whether a call in the answer could not be read.

    >>> entry = Entry("req-1", "POST", "/v1/completions", status=400, error=ApiError(400, "no", "n", "invalid_value"))
    >>> print(entry.line().partition(" total_ms")[0])
    request_id=req-1 method=POST path=/v1/completions status=400 param=n code=invalid_value
    """

    request_id: str
    method: str = "GET"
    path: str = "/"
    status: int = 0
    whole: bool = False
    format: str | None = None
    prompt_tokens: int | None = None
    counted: Counted = field(default_factory=Counted)
    compile_seconds: float | None = None
    first_seconds: float | None = None
    ends: list[str] = field(default_factory=list)
    error: ApiError | None = None
    metadata: dict[str, str] | None = None
    unread: Callable[[], bool] = bool
    began: float = field(default_factory=time.monotonic)
    read: float = field(default_factory=time.monotonic)

    def compiled(self, seconds: float) -> None:
        """Note how long the grammar took; any thread may say so."""
        self.compile_seconds = seconds

    def note(self, output: RequestOutput) -> None:
        """Note an output of one of the choices."""
        self.counted.note(output)
        if self.first_seconds is None and output.token_id is not None:
            self.first_seconds = time.monotonic() - self.read
        if output.finish_reason:
            self.ends.append(output.finish_reason)

    def line(self) -> str:
        """Return the line: ``key=value``, as JSON where a value has other characters than a word's."""
        gone = self.status == 499 or not self.whole
        values = {
            "request_id": self.request_id,
            "method": self.method,
            "path": shortened(self.path, 200),
            "status": self.status or 499,
            "param": self.error and self.error.param,
            "code": self.error and self.error.code,
            "format": self.format,
            "prompt_tokens": self.prompt_tokens,
            "tokens": self.counted.tokens if self.prompt_tokens is not None else None,
            "drafted": self.counted.drafted or None,
            "accepted": self.counted.accepted if self.counted.drafted else None,
            "compile_ms": _milliseconds(self.compile_seconds),
            "first_token_ms": _milliseconds(self.first_seconds),
            "total_ms": _milliseconds(time.monotonic() - self.began),
            "end": ",".join(self.ends) or ("abort" if gone and self.prompt_tokens is not None else None),
            "client": "gone" if gone else "served",
            "metadata": self.metadata and json.dumps(self.metadata),
        }
        texts = {key: str(value) for key, value in values.items() if value is not None}
        plain = re.compile(r"[\w.,:/+-]+", re.A)
        return " ".join(f"{key}={text if plain.fullmatch(text) else json.dumps(text)}" for key, text in texts.items())


class Journal:
    """Gives each request of an application an id and an ``Entry``, in ``scope["entry"]``, and writes it at the end.

    The id is the client's ``x-request-id``, if it is a word of at most 128 characters, and goes back with the answer.

    Attributes:
        registry: the numbers of all answers, for Prometheus.
    """

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self._responses = Counter(
            "course_http_responses", "answers over HTTP, by status", ["status"], registry=registry
        )
        self._unread = Counter(
            "course_tool_calls_unread", "answers with a call that could not be read", registry=registry
        )
        self._compile, self._first_token = (
            Histogram(f"course_{name}_seconds", text, buckets=BUCKETS, registry=registry)
            for name, text in SECONDS.items()
        )

    def around(self, app: "ASGIApp") -> "ASGIApp":
        """Return the application with a journal."""

        async def answer(scope: "Scope", receive: "Receive", send: "Send") -> None:
            if scope["type"] != "http":
                return await app(scope, receive, send)
            entry = scope["entry"] = Entry(request_id(scope["headers"]), scope["method"], scope["path"])

            async def sent(message: "Message") -> None:
                if message["type"] == "http.response.start":
                    entry.status = message["status"]
                    message["headers"] = [*message.get("headers", ()), (b"x-request-id", entry.request_id.encode())]
                await send(message)
                entry.whole |= message["type"] == "http.response.body" and not message.get("more_body", False)

            try:
                await app(scope, receive, sent)
            finally:
                self._end(entry)

        return answer

    def _end(self, entry: Entry) -> None:
        self._responses.labels(str(entry.status or 499)).inc()  # 499 to clients that had gone
        self._unread.inc(entry.unread())
        for seconds, histogram in (
            (entry.compile_seconds, self._compile),
            (entry.first_seconds, self._first_token),
        ):
            if seconds is not None:
                histogram.observe(seconds)
        if LOG.isEnabledFor(logging.INFO) and (entry.path not in QUIET or entry.status != 200):
            LOG.info(entry.line())


def request_id(headers: Collection[tuple[bytes, bytes]]) -> str:
    """Return the id that a client has given its request, or a new one.

    >>> request_id([(b"x-request-id", b"order-7")]), len(request_id([(b"x-request-id", b"two words")]))
    ('order-7', 36)
    """
    given = next((value for name, value in headers if name == b"x-request-id"), b"").decode("latin-1")
    return given if re.fullmatch("[!-~]{1,128}", given) else f"req-{uuid.uuid4().hex}"


def log_to_stderr() -> None:
    """Write the lines to stderr, each with the time."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)


def _milliseconds(seconds: float | None) -> str | None:
    return None if seconds is None else f"{seconds * 1000:.1f}"
