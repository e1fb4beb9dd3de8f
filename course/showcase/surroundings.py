"""Where and when something was measured."""

import os
import platform
import sys
import time
from pathlib import Path


def surroundings() -> dict[str, str]:
    """The day, the machine and the Python, for the data and for the screen.

    >>> sorted(surroundings())
    ['date', 'implementation', 'machine', 'python']
    """
    return {
        "date": time.strftime("%Y-%m-%d"),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores of {processor()}",
        "python": platform.python_version(),
        "implementation": sys.implementation.name,
    }


def processor(listing: Path = Path("/proc/cpuinfo")) -> str:
    """The processor's name: as Linux lists it, else as Python knows it."""
    try:
        lines = listing.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or "an unnamed processor"
