"""Frames: two lengths, a JSON header, and the raw bytes that the header refers to."""

import json
import os
import select
import struct
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any


class PipeError(Exception):
    """A value that cannot cross the pipe: cyclic, too large, too deep, or of a kind that has no data form.

    No ``ValueError``, like the errors below: no test must take them for a student's refusal.
    """

    says_all = True
    """The message alone tells a student what happened."""


class WireError(PipeError):
    """Bytes that are no message of the protocol."""


class WorkerEnded(PipeError):
    """The process that held the student's code is gone."""


class Overdue(PipeError):
    """The other end did not answer within the limit."""


FRAME_CAP = 256 << 20  # bytes of one frame; the largest honest one holds logits of a batch
HEADER_CAP = 32 << 20  # bytes of JSON that the test's end takes in one: empty lists need twenty times their text
TEST_CAP = 1 << 30  # bytes that are read during one test, so that an endless iterator ends
_LENGTHS = struct.Struct(">IQ")
_CHUNK = 1 << 16  # what a pipe holds; for more than 128 KiB each read would get fresh pages from the system
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def pack(header: dict[str, Any], blobs: Sequence[bytes] = ()) -> bytes:
    """Return one frame; raise ``PipeError`` if it would be longer than ``FRAME_CAP``."""
    text = _encode(header).encode()
    n_blobs = sum(map(len, blobs))
    if len(text) + n_blobs > FRAME_CAP:
        raise PipeError(f"a message of {len(text) + n_blobs:,} bytes; the limit is {FRAME_CAP:,}")
    return b"".join([_LENGTHS.pack(len(text), n_blobs), text, *blobs])


def parse_header(text: bytes) -> dict[str, Any]:
    """Return the JSON object of a frame; raise ``WireError`` for anything else."""
    try:
        header = json.loads(text.decode())
    except (ValueError, RecursionError) as error:
        raise WireError(f"a message whose header is no JSON: {type(error).__name__}") from None
    if not isinstance(header, dict):
        raise WireError("a message whose header is no JSON object")
    return header


class Channel:
    """Frames over two file descriptors.

    ``bound`` limits every wait. ``header_cap`` bounds the JSON of a frame that is received, in bytes.
    """

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self.read_fd = read_fd
        self.write_fd = write_fd
        self._left: Callable[[], float] | None = None
        self._until = 0.0
        self.header_cap = FRAME_CAP
        self.received = 0
        self._buffer = bytearray()

    def bound(self, left: Callable[[], float], seconds: float = 0.0) -> None:
        """Wait for so many seconds, then for as many as are left, and so on until that is 0."""
        self._until, self._left = time.monotonic() + seconds, left

    def send(self, frame: bytes) -> None:
        """Write a frame; raise ``OSError`` if the other end is gone, ``Overdue`` at the limit."""
        rest = memoryview(frame)
        while rest:
            try:
                rest = rest[os.write(self.write_fd, rest) :]
            except BlockingIOError:
                self._wait(self.write_fd, select.POLLOUT)

    def receive(self) -> tuple[dict[str, Any], bytes]:
        """Return the next frame's header and blobs; ``EOFError`` if the other end is gone, ``Overdue`` at the limit.

        What is no frame, or more than the caps allow, raises ``WireError``.
        """
        n_text, n_blobs = _LENGTHS.unpack(self._take(_LENGTHS.size))
        size = n_text + n_blobs
        if size > FRAME_CAP:
            raise WireError(f"a message that claims {size:,} bytes; the limit is {FRAME_CAP:,}")
        if n_text > self.header_cap:
            raise WireError(f"a message that claims {n_text:,} bytes of values; the limit is {self.header_cap:,}")
        self.received += size
        if self.received > TEST_CAP:
            raise WireError(f"more than {TEST_CAP:,} bytes within one test")
        body = self._take(size)
        return parse_header(body[:n_text]), body[n_text:]

    def close(self) -> None:
        """Close both descriptors, unless somebody has."""
        for fd in (self.read_fd, self.write_fd):
            with suppress(OSError):
                os.close(fd)

    def _take(self, size: int) -> bytes:
        while len(self._buffer) < size:
            if self._left is not None:
                self._wait(self.read_fd, select.POLLIN)
            chunk = os.read(self.read_fd, _CHUNK)
            if not chunk:
                raise EOFError("the other end closed the pipe")
            self._buffer += chunk
        taken = bytes(memoryview(self._buffer)[:size])
        del self._buffer[:size]
        return taken

    def _wait(self, fd: int, event: int) -> None:
        """Wait for the descriptor."""
        poll = select.poll()
        poll.register(fd, event)
        ready: list[tuple[int, int]] = []
        while not ready:
            now = time.monotonic()
            if self._left and now >= self._until:
                left = self._left()
                if not left:  # also where there is something to read: single bytes, as slowly as they like
                    raise Overdue("no answer within the limit")
                self._until = now + left
            ready = poll.poll((self._until - now) * 1000 if self._left else None)
