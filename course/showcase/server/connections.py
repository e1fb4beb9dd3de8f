"""One client's connection: uvicorn's, with a limit for a request's head, and answers for clients that only read on."""

import asyncio
import json
from http import HTTPStatus
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from course.showcase.server.errors import ApiError

HEAD_SECONDS = 10.0
"""How long a client may take to send the head of a request. Uvicorn's own limit begins anew with every byte."""

PROBE_SECONDS = 0.5
"""How often a client that sends nothing more is asked whether it still reads."""


class Connection(H11Protocol):
    """Uvicorn's connection over h11, with what uvicorn leaves out.

    A head that does not arrive in time ends the connection with a 408, and no HTTP at all with a 400, both in OpenAI's
    shape. A client that has sent a whole request may close its side (``shutdown(SHUT_WR)``) and still gets the answer.

    Args:
        head_seconds: how long a head may take, from the connection's start or from the head's first byte.
        options: uvicorn's.
    """

    def __init__(self, head_seconds: float = HEAD_SECONDS, **options: Any) -> None:
        super().__init__(**options)
        self._head_seconds = head_seconds
        self._head_timer: asyncio.TimerHandle | None = None
        self._half_closed = False

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Wait for the first head."""
        super().connection_made(transport)
        self._time_head()

    def data_received(self, data: bytes) -> None:
        """Read on; what follows an answer is the next head, or the rest of a body that nobody reads."""
        super().data_received(data)
        self._time_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        super().connection_lost(exc)
        self._time_head()

    def eof_received(self) -> bool:
        """Return whether the connection stays open, although the client sends nothing more."""
        if not self._is_answering() or self.cycle.more_body:
            return False
        if not self._half_closed:
            self._half_closed = True
            self.loop.call_later(PROBE_SECONDS, self._probe)
        return True

    def on_response_complete(self) -> None:
        """Close the connection after the last answer to a client that sends nothing more."""
        super().on_response_complete()
        if self._half_closed and not self._is_answering():
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP."""
        self._refuse(ApiError(400, msg, None, "invalid_http"))

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _time_head(self) -> None:
        """Start the timer where a head is awaited and it does not run; stop it where none is."""
        awaited = not self._is_answering() and not self.transport.is_closing()
        if awaited and self._head_timer is None:
            said = f"the head of the request did not arrive within {self._head_seconds:g} s"
            self._head_timer = self.loop.call_later(
                self._head_seconds, lambda: self._refuse(ApiError(408, said, None, "timeout"))
            )
        elif not awaited and self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _refuse(self, error: ApiError) -> None:
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):  # otherwise an answer was begun, or is complete
            content = json.dumps(error.body()).encode()
            headers = {"Content-Type": "application/json", "Content-Length": str(len(content)), "Connection": "close"}
            reason = HTTPStatus(error.status).phrase
            response = h11.Response(status_code=error.status, headers=[*headers.items()], reason=reason)
            for event in (response, h11.Data(data=content), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _probe(self) -> None:
        """Write what a client skips, until its answer begins.

        A client that has gone looks like one that has closed its own side alone, until something is written to it: its
        system then refuses the bytes, and the next write fails, which ends the request.
        """
        if self.transport.is_closing():
            return
        # HTTP/1.0 knows no such lines: there, who has gone is noticed when the answer is written.
        if self.conn.our_state is h11.SEND_RESPONSE and self.scope["http_version"] == "1.1":
            event = h11.InformationalResponse(status_code=100, headers=[], reason="Continue")
            self.transport.write(self.conn.send(event) or b"")
        self.loop.call_later(PROBE_SECONDS, self._probe)
