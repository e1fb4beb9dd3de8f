"""Running pytest for a command: its arguments, and a check that the run came to its end."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from course.student.core.catalog import ROOT, Lab, all_labs
from course.student.core.edition import edition

RECEIPT = "COURSE_RECEIPT"
"""The environment variable that names a file which the plugin creates when a run has printed its last line."""

BROKEN_OFF = """
The run broke off before its last line: the file under test ended the whole process
(os._exit, or a crash in compiled code). Nothing was graded."""


def run_pytest(arguments: Sequence[str]) -> int:
    """Run pytest in another process; return its exit status, or 70 where the run did not come to its end."""
    with tempfile.TemporaryDirectory() as folder:
        receipt = Path(folder) / "receipt"
        environment = os.environ | {RECEIPT: str(receipt)}
        done = subprocess.run([sys.executable, "-m", "pytest", *arguments], cwd=ROOT, env=environment, check=False)
        if receipt.exists():
            return done.returncode
    print(BROKEN_OFF, file=sys.stderr)
    return 70


def test_lab(lab: Lab, implementation: str, more: Sequence[str] = ()) -> int:
    """Grade one lab's file: ``starter``, ``solution`` or a path."""
    return run_pytest(["-q", f"--impl={implementation}", lab.path, *more])


def test_everything(more: Sequence[str] = ()) -> int:
    """Test the references of all labs, and the course itself, in as many processes as there are cores (at most four).

    A handout lacks references, and the tests that need them: the rest is run.
    """
    paths = [*(lab.path for lab in all_labs() if lab.has_reference), "tests"] if edition().handed_out else []
    what = "The references of all labs, and the course itself."
    if paths:
        references = "the references that it holds, " if len(paths) > 1 else ""
        what = f"This copy of the course: {references}the starters, and the course itself."
    print(what, "Your own files: python -m course status", flush=True)
    processes = min(os.cpu_count() or 1, 4)
    together = ["-n", str(processes), "--dist=loadfile"] if processes > 1 else []
    return run_pytest(["-q", "--impl=solution", *together, *paths, *more])
