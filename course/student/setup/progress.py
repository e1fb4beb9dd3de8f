"""What a person sees while ``.venv`` is made: steps, a counter, and signs of life. ASCII only."""

import re
import shutil
import time
from collections.abc import Callable
from typing import TextIO


class Screen:
    """Lines for a person: rewritten in place on a terminal, plain and rare elsewhere.

    `live` says whether a line can be rewritten; found out from the stream where it is not given.
    """

    def __init__(
        self, stream: TextIO, live: bool, clock: Callable[[], float] = time.monotonic, every: float = 5.0
    ) -> None:
        self._stream, self._live, self._clock, self._every = stream, live, clock, every
        self._width = 0
        self._start = self._last = clock()

    def say(self, text: str) -> None:
        """A line that stays."""
        self._clear()
        self._write(text + "\n")

    def step(self, text: str) -> None:
        """A line that stays and starts the clock of a step."""
        self.say(text)
        self._start = self._last = self._clock()

    def tick(self, status: str) -> None:
        """What is going on now: in place on a terminal, else one line in `every` seconds."""
        now = self._clock()
        text = f"      {status}, {now - self._start:.0f} s"
        if self._live:
            self._rewrite(text)
        elif now - self._last >= self._every:
            self._last = now
            self._write(text + "\n")

    def _rewrite(self, text: str) -> None:
        text = text[: shutil.get_terminal_size().columns - 1]
        self._write("\r" + text.ljust(self._width))
        self._width = len(text)

    def _clear(self) -> None:
        if self._width:
            self._write("\r" + " " * self._width + "\r")
            self._width = 0

    def _write(self, text: str) -> None:
        self._stream.write(text.encode("ascii", "backslashreplace").decode())
        self._stream.flush()


class Counter:
    """Condenses what pip or uv prints into a short status.

    >>> counter = Counter()
    >>> counter.feed("Collecting rich")
    >>> counter.feed("Processing ./numpy-2.3.5-cp311-cp311-linux_x86_64.whl")
    >>> counter.status
    '2 packages collected, now numpy'
    >>> counter.feed("Installing collected packages: rich, numpy")
    >>> counter.status
    'putting 2 packages in place'
    """

    _named = re.compile(r"\s*(?:Collecting|Requirement already satisfied:|Downloading) ([A-Za-z0-9][\w.-]*)")
    _wheel = re.compile(r"Processing .*?([^/\\-]+)-[^/\\]*$")
    _placing = re.compile(r"Installing collected packages: (.*)")
    _chosen = re.compile(r"(?:Resolved|Prepared) (\d+) packages?")

    def __init__(self) -> None:
        self.status = "starting"
        self._names: set[str] = set()

    def feed(self, line: str) -> None:
        """Take in one line of the installer's output."""
        if found := self._placing.match(line):
            self.status = f"putting {len(found[1].split(','))} packages in place"
        elif found := self._chosen.match(line):
            self.status = f"{found[1]} packages chosen, fetching them"
        elif found := self._named.match(line) or self._wheel.match(line):
            self._count(found[1])

    def _count(self, file_or_name: str) -> None:
        name = re.sub(r"-\d.*", "", file_or_name)
        self._names.add(name.lower().replace("_", "-"))
        self.status = f"{len(self._names)} packages collected, now {name}"
