"""Where and when something was measured, and what is not installed there."""

import os
import platform
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console


def environment() -> dict[str, str]:
    """Return the date, the computer and the Python, for the data and for the screen.

    >>> sorted(environment())
    ['date', 'implementation', 'machine', 'python']
    """
    return {
        "date": time.strftime("%Y-%m-%d"),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores of {processor()}",
        "python": platform.python_version(),
        "implementation": sys.implementation.name,
    }


def processor(listing: Path = Path("/proc/cpuinfo")) -> str:
    """Return the processor's name: as Linux lists it, else as Python knows it."""
    try:
        lines = listing.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or "an unnamed processor"


def name_missing(console: Console, names: Sequence[str]) -> bool:
    """Print which of the bench's packages are not installed, and the command that adds them; return whether any is."""
    from course.student.commands.doctor import Machine, install_command

    if names:
        command = install_command(Machine(), "bench")
        console.print(f"Not installed, so not compared: {', '.join(names)}. To add them: {command}", markup=False)
    return bool(names)
