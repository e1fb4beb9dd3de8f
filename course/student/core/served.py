"""A server of the course's own, for as long as something needs one."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile

from course.student.core.catalog import ROOT


@contextmanager
def served(*options: str) -> Iterator[str]:
    """Start ``python3 -m course serve`` with these options on a free port, and give its address; it ends with this.

    Raises:
        ValueError: if the server doesn't start, with its own words.
    """
    command = [sys.executable, "-m", "course", "serve", "--port", "0", "--no-log", *options]
    with TemporaryFile("w+", encoding="utf-8") as complaints:
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=complaints, text=True)
        try:
            assert process.stdout is not None
            for line in process.stdout:
                if found := re.search(r"http://[0-9.:]+", line):
                    yield found[0]
                    return
            process.wait(timeout=30)
            complaints.seek(0)
            raise ValueError(complaints.read().strip().removeprefix("error: ") or "the server did not start")
        finally:
            process.kill()
            process.communicate()
