"""``python3 -m course watch 03``: run a lab's tests on every save, with the first failure on the screen."""

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from rich.console import Console
from watchfiles import watch as changes

from course.student.core.catalog import ROOT, Lab
from course.student.core.implementation import Implementation

_LOOK_MS = 200


def watch(lab: Lab, name: str, console: Console) -> int:
    """Run the tests now and after every save of the starter or the tests, until Ctrl-C.

    Args:
        name: what is tested: the lab, or one of its TODOs (``03.2``).

    Raises:
        ValueError: if the lab has no starter.
    """
    if problem := Implementation("starter", "").what_is_missing(lab):
        raise ValueError(problem)
    first = True
    with suppress(KeyboardInterrupt):
        # It says every now and then that nothing has changed, so the first run begins when no save can be missed.
        for saved in changes(
            lab.folder,
            watch_filter=lambda _, path: Path(path).name in ("starter.py", "test_lab.py"),
            yield_on_timeout=True,
            rust_timeout=_LOOK_MS,
        ):
            if saved or first:
                _run(name, console)
            first = False
    return 0


def _run(name: str, console: Console) -> None:
    """Run the tests, and print the start of what they say, as much as fits on the screen, and the last line."""
    command = [sys.executable, "-m", "course", "test", name, f"--color={'yes' if console.color_system else 'no'}"]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    *lines, last = done.stdout.decode("utf-8", "replace").splitlines() or [""]
    console.clear()
    room = console.height - 4
    more = [f"… {len(lines) - room} more lines: python3 -m course test {name}"] * (len(lines) > room)
    console.out("\n".join([*lines[:room], *more, last, "(on every save again; Ctrl-C ends it)"]), highlight=False)
