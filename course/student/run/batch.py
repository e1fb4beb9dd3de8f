"""Grading many files in one process after another: for the bank, the mutants and the parity of the pipe.

The batch runs in a process of its own (``python -m course.student.run.batch``), so that nothing that a file does to its
process reaches the caller, and pytest's start is paid once.
"""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
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
    pipe: bool = False,
    chain: bool = False,
    most_failures: int = 0,
    seconds: float = 10.0,
) -> list[list[TestResult]]:
    """The results of a lab's tests for each of the files, in order.

    Raises:
        RuntimeError: if the process died; the message names the file it was grading.
    """
    job = {"lab": lab.number, "files": [str(file) for file in files], "pipe": pipe, "most": most_failures, "s": seconds}
    inherited = {key: value for key, value in os.environ.items() if key not in ("PYTEST_ADDOPTS", RECEIPT)}
    chain = chain or edition().name == "closed"  # there are no references to stand on
    environment = inherited | {"LAB_CHAIN": "mine" if chain else "reference", "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "course.student.run.batch"],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env=environment,
        check=False,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    if len(lines) != len(files):
        raise RuntimeError(
            f"grading ended at {files[len(lines)]}, exit status {done.returncode}\n{done.stderr[-2000:]}"
        )
    return [[TestResult(*fields) for fields in line] for line in lines]


class _Collector:
    """A pytest plugin that keeps what each test found."""

    def __init__(self) -> None:
        self.results: list[tuple[str, int, str, str, bool]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep it."""
        found = getattr(report, "course", None)
        if found is not None:
            # pytest escapes a name anew when the same process runs it again.
            name = re.sub(r"\\+", r"\\", report.nodeid.split("::")[1])
            self.results.append((name, found["todo"], found["verdict"], found["message"], found["loaded"]))


def _grade(lab: Lab, file: str, job: dict[str, object]) -> list[tuple[str, int, str, str, bool]]:
    collector = _Collector()
    options = [f"--impl={file}", f"--lab-timeout={job['s']}", "-p", "no:cacheprovider", "-q", "--tb=no"]
    options += ["--pipe"] * bool(job["pipe"]) + [f"--maxfail={job['most']}"]
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main([*options, str(lab.folder / "test_lab.py")], plugins=[collector])
    return collector.results


def main() -> None:
    """Read a job from standard input; write one JSON line for each file."""
    job = json.load(sys.stdin)
    for file in job["files"]:
        print(json.dumps(_grade(find_lab(job["lab"]), file, job)), flush=True)


if __name__ == "__main__":
    main()
