"""Grading many files, one after another, in one process: for commands, the bank and the mutants.

That process (``python -m course.student.run.batch``) is not the caller's, so that nothing that a file does to it
reaches the caller, and pytest starts once.
"""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

from course.student.core.catalog import ROOT, Lab, find_lab
from course.student.core.edition import edition
from course.student.run.testing import RECEIPT


@dataclass(frozen=True)
class TestResult:
    """What one test found: its name, the TODO it is about, ``pass``, ``wrong`` or ``todo``, and what it said."""

    __test__ = False

    test: str
    todo: int
    verdict: str
    message: str
    loaded: bool = True
    """Whether the file could be loaded at all."""


def grade_many(
    lab: Lab,
    files: Sequence[Path],
    *,
    options: Sequence[str] = (),
    chain: bool = False,
    most_failures: int = 0,
    seconds: float = 10.0,
) -> list[list[TestResult]]:
    """Return the results of a lab's tests for each of the files, in order.

    Args:
        lab: the lab whose tests run.
        files: what they run on, one after another.
        options: more arguments for pytest.
        chain: whether earlier labs are the student's own files; where no reference was handed out they always are.
        most_failures: after how many failures the run of a file ends; 0 for never.
        seconds: how long one test may run.

    Raises:
        RuntimeError: if the process died; the message names the file it was grading.
    """
    options = [*options, f"--maxfail={most_failures}", f"--lab-timeout={seconds}"]
    mine = chain or edition().name == "closed"
    inherited = {key: value for key, value in os.environ.items() if key not in ("PYTEST_ADDOPTS", RECEIPT)}
    done = subprocess.run(
        [sys.executable, "-m", "course.student.run.batch"],
        input=json.dumps({"lab": lab.number, "files": [str(file) for file in files], "options": options}),
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env=inherited | {"LAB_CHAIN": "mine" if mine else "reference", "PYTHONUTF8": "1"},
        check=False,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    if len(lines) != len(files):
        status = f"grading ended at {files[len(lines)]}, exit status {done.returncode}"
        raise RuntimeError(f"{status}\n{done.stderr[-2000:]}")
    return [[TestResult(**found) for found in line] for line in lines]


class _Collector:
    """A pytest plugin that keeps what each test found."""

    def __init__(self) -> None:
        self.results: list[TestResult] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the result, if the test is a lab's."""
        if found := getattr(report, "course", None):
            # pytest escapes a name anew when the same process runs it again.
            name = re.sub(r"\\+", r"\\", report.nodeid.split("::")[1])
            self.results.append(TestResult(name, *(found[field] for field in ("todo", "verdict", "message", "loaded"))))


def main() -> None:
    """Read a job from standard input; write one JSON line for each file."""
    job = json.load(sys.stdin)
    tests = str(find_lab(job["lab"]).folder / "test_lab.py")
    for file in job["files"]:
        collector = _Collector()
        options = [f"--impl={file}", "-p", "no:cacheprovider", "-q", "--tb=no", *job["options"], tests]
        with contextlib.redirect_stdout(io.StringIO()):
            pytest.main(options, plugins=[collector])
        print(json.dumps([asdict(result) for result in collector.results]), flush=True)


if __name__ == "__main__":
    main()
