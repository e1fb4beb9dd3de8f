"""A progress bar for an installer, from the lines that it prints and from what is there already.

Standard library only: this runs before anything is installed.
"""

import queue
import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

_WIDTH, _LINE = 24, 70
_LOOK = 0.2
"""Seconds between two looks at what has been installed: pip says nothing while it installs."""

_FOUND = re.compile(r"(?:Collecting|Requirement already satisfied:) ")
_FETCHED = re.compile(r"\s*(?:Downloading|Using cached) (?!.*\.metadata)")
_ALL = re.compile(r"Installing collected packages: (.*)")
_BY_UV = re.compile(r"(Resolved|Prepared|Installed) (\d+) package")
_USUAL = 12
"""While packages are being found nobody knows how many there will be: this many make half of that part."""


class Progress:
    """How far an installer is: finding packages, fetching them, installing them, each a third of the bar.

    >>> progress = Progress()
    >>> for line in ["Collecting numpy", "  Downloading numpy-2.3.5.whl (16 MB)"]:
    ...     progress.hear(line)
    >>> progress.hear("Installing collected packages: numpy, rich")
    >>> progress.installed = 1
    >>> print(progress.bar())
    [####################----] installing 1 of 2
    """

    def __init__(self) -> None:
        self.found = self.fetched = self.installed = self.total = 0
        self._installing, self._most = False, 0.0

    def hear(self, line: str) -> None:
        """Take a line of the installer's output into account."""
        if by_uv := _BY_UV.match(line):
            self.found = self.total = int(by_uv[2])
            self._installing = by_uv[1] != "Resolved"
        elif named := _ALL.match(line):
            self.total, self._installing = named[1].count(",") + 1, True
        elif _FETCHED.match(line):
            self.fetched += 1
        elif _FOUND.match(line):
            self.found += 1

    def share(self) -> float:
        """Return the part that is done, between 0 and 1; it never shrinks."""
        if self._installing:
            now = (2 + min(1.0, self.installed / self.total)) / 3
        else:
            now = (self.found / (self.found + _USUAL) + self.fetched / max(self.found, self.fetched, 1)) / 3
        self._most = max(self._most, now)
        return self._most

    def bar(self) -> str:
        """Return the bar and what is being done, in ASCII."""
        full = int(_WIDTH * self.share())
        doing = "making the environment"
        if self._installing:
            doing = f"installing {min(self.installed, self.total)} of {self.total}"
        elif self.found:
            doing = f"{self.found} packages found, {self.fetched} fetched"
        return f"[{'#' * full}{'-' * (_WIDTH - full)}] {doing}"


def watched(output: IO[bytes], venv: Path) -> list[str]:
    """Read an installer's output to its end and draw a bar on stderr, where that is a terminal; return the lines."""
    lines, progress, before = list[str](), Progress(), _installed(venv)
    is_terminal = sys.stderr.isatty()
    for line in _lines_or_pauses(output):
        if line is not None:
            lines.append(line)
            progress.hear(line)
        if is_terminal:
            progress.installed = _installed(venv) - before
            print(f"\r{progress.bar():{_LINE}}", end="", file=sys.stderr, flush=True)
    if is_terminal:
        print(f"\r{'':{_LINE}}\r", end="", file=sys.stderr, flush=True)
    return lines


def _lines_or_pauses(output: IO[bytes]) -> Iterator[str | None]:
    """Yield each line, and None whenever none has come for a while."""
    heard: queue.Queue[str | None] = queue.Queue()

    def listen() -> None:
        with output:
            for line in output:
                heard.put(line.decode("utf-8", "replace").rstrip())
        heard.put(None)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        try:
            line = heard.get(timeout=_LOOK)
        except queue.Empty:
            yield None
            continue
        if line is None:
            return
        yield line


def _installed(venv: Path) -> int:
    """Return how many packages the environment holds."""
    return sum(1 for where in ("lib/python*", "Lib") for _ in venv.glob(f"{where}/site-packages/*.dist-info"))
