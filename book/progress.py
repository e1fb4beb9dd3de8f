"""Says how far a build of the book is: on one line that changes in a terminal, else with a line for each step."""

import re
import sys
import time
from collections.abc import Iterator, Sequence
from subprocess import PIPE, Popen

_STATUS = re.compile(r"(reading|writing) (?:sources|output)\.\.\. \[ *(\d+)%\]")


class Steps:
    """The steps of a build, each with what it's doing.

    >>> steps = Steps("explorers", "pages")
    >>> for done in (0, 30):
    ...     steps.begin("pages", "writing", f" {done} of 63")
    2/2  pages: writing
    """

    def __init__(self, *names: str) -> None:
        self.names, self.began, self._shown = names, time.monotonic(), ""

    @property
    def seconds(self) -> float:
        """The time since the first step began."""
        return time.monotonic() - self.began

    def begin(self, name: str, doing: str = "", more: str = "") -> None:
        """Say which step has begun and what it's doing; in a terminal also how far it is."""
        head = f"{self.names.index(name) + 1}/{len(self.names)}  {name}{f': {doing}' if doing else ''}"
        if sys.stdout.isatty():
            print(f"\r{head + more:<{len(self._shown)}}", end="", flush=True)
            self._shown = head + more
        elif head != self._shown:
            print(head, flush=True)
            self._shown = head

    def end(self, said: str) -> None:
        """Replace the line of a terminal by a last one."""
        clear = f"\r{' ' * len(self._shown)}\r" if sys.stdout.isatty() else ""
        print(f"{clear}{said}")


def shares(lines: Iterator[str] | Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield from what Sphinx prints what it does, and how many per cent of that are done.

    >>> [*shares(["building", "reading sources... [  7%] why", "writing output... [100%] why"])]
    [('reading', 7), ('writing', 100)]
    """
    for line in lines:
        if found := _STATUS.match(line):
            yield found[1], int(found[2])


def sphinx(command: Sequence[str], environment: dict[str, str], pages: int, steps: Steps) -> int:
    """Run Sphinx, whose last step this is, and return its exit status. Its warnings go to the terminal."""
    with Popen(command, env={**environment, "PYTHONUNBUFFERED": "1"}, stdout=PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        for doing, share in shares(process.stdout):
            steps.begin(steps.names[-1], doing, f" {pages * share // 100} of {pages} pages")
    return process.returncode
