"""Running labs' tests in other processes: for the commands, the bank and the mutants.

Nothing that a file does to such a process reaches the caller. ``python -m course.student.run.batch`` grades many files,
one after another, so that pytest starts once.
"""

import contextlib
import gc
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from course.student.core.catalog import ROOT, Lab, all_labs, edition, find_lab
from course.student.core.timeouts import TIMEOUT

RECEIPT = "COURSE_RECEIPT"
"""The environment variable that names a file in which the plugin notes how far a run has come."""

BEGUN, ENDED = "begun", "ended"
"""What it notes: before a file under test can be loaded, and when the run has printed its last line."""

USAGE_ERROR = 4
"""Pytest's exit status for arguments that it refuses; to import pytest here would take a tenth of a second."""

GRADER, GIVEN = "tests/teaching", "tests/labs"
ENGINE = ("tests/mask_engine", "tests/isolation")
SEEN = tuple(f"tests/{folder}" for folder in ("book", "bridges", "showcase", "upkeep"))
"""What ``make test`` leaves to ``make check``: tests of the grader, of the labs' given code, of the engine and of what
holds a submission; and of what visitors see, and what writes the course's files."""

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}
"""For runs with a process for each core: with one thread, NumPy is imported a quarter faster."""

TELL = "--tb=auto"
"""The option of a run in which each result has the failure message too."""

BROKEN_OFF = """
The run broke off before its last line: the file under test ended the whole process
(os._exit, or a crash in compiled code). Nothing was graded."""


def run_pytest(arguments: Sequence[str]) -> int:
    """Run pytest in another process; return its exit status, or 70 where the run did not come to its end.

    Arguments that pytest refuses are its own to explain: then no file under test has been loaded.
    """
    with tempfile.TemporaryDirectory() as folder:
        receipt = Path(folder) / "receipt"
        environment = os.environ | ONE_THREAD | {RECEIPT: str(receipt)}
        done = subprocess.run([sys.executable, "-m", "pytest", *arguments], cwd=ROOT, env=environment, check=False)
        state = receipt.read_text(encoding="ascii") if receipt.exists() else ""
    if state == ENDED or (not state and done.returncode == USAGE_ERROR):
        return done.returncode
    print(BROKEN_OFF, file=sys.stderr)
    return 70


def test_everything(more: Sequence[str] = ()) -> int:
    """Test the references of all labs, and the course itself, in as many processes as there are cores (at most four).

    What only maintainers need is left to ``make check``. A handout lacks references, and the tests that need them.
    """
    paths = [*(lab.path for lab in all_labs() if lab.has_reference), "tests"] if edition() != "whole" else []
    what = "The references of all labs, and what runs them."
    if paths:
        references = "the references that it holds, " if len(paths) > 1 else ""
        what = f"This copy of the course: {references}the starters, and the course itself."
    print(what, "Your own files: python3 -m course status", flush=True)
    processes = min(os.cpu_count() or 1, 4)
    together = ["-n", str(processes), "--dist=worksteal"] if processes > 1 else []
    left_out = [f"--ignore={path}" for path in (GRADER, GIVEN, *ENGINE, *SEEN)]
    return run_pytest(["-q", "--impl=solution", *together, *left_out, *paths, *more])


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
    ran: Sequence[Sequence[Any]] = ()
    """In a chain: the labs' functions that the test has called, each with its owner and the lab's number."""
    told: str = ""
    """What a student reads about a failure, where the run was asked for it (`TELL`)."""


def grade_many(
    lab: Lab,
    files: Sequence[Path],
    *,
    options: Sequence[str] = (),
    todos: Sequence[int] | None = None,
    chain: bool = False,
    most_failures: int = 0,
    seconds: float = TIMEOUT,
) -> list[list[TestResult]]:
    """Return the results of a lab's tests for each of the files, in order.

    Args:
        options: more arguments for pytest.
        todos: for each file the TODO whose tests are run; None for all tests.
        chain: whether earlier labs are the student's own files; where no reference was handed out they always are.
        most_failures: after how many failures the run of a file ends; 0 for never.
        seconds: how long one test may run.

    Raises:
        RuntimeError: if the process died; the message names the file it was grading.
    """
    options = [*options, f"--maxfail={most_failures}", f"--lab-timeout={seconds}"]
    limited = [[]] * len(files) if todos is None else [[f"--todo={todo}"] for todo in todos]
    mine = chain or edition() == "closed"
    inherited = {key: value for key, value in os.environ.items() if key not in ("PYTEST_ADDOPTS", RECEIPT)}
    done = subprocess.run(
        [sys.executable, "-m", "course.student.run.batch"],
        input=json.dumps(
            {"lab": lab.number, "files": [*zip(map(str, files), limited, strict=True)], "options": options}
        ),
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
        env=inherited | {"LAB_CHAIN": "mine" if mine else "reference", "PYTHONUTF8": "1"},
    )
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    if len(lines) != len(files):
        status = f"grading ended at {files[len(lines)]}, exit status {done.returncode}"
        raise RuntimeError(f"{status}\n{done.stderr[-2000:]}")
    return [[TestResult(**found) for found in line] for line in lines]


class _Collector:
    """A pytest plugin that keeps what each test found."""

    def __init__(self, *, tell: bool) -> None:
        self.results: list[TestResult] = []
        self._tell = tell

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Keep the result, if the test is a lab's."""
        if found := getattr(report, "course", None):
            # pytest escapes a name anew when the same process runs it again.
            name = re.sub(r"\\+", r"\\", report.nodeid.split("::")[1])
            told = str(report.longrepr) if self._tell and report.failed else ""
            fields = {field: found[field] for field in ("todo", "verdict", "message", "loaded", "ran")}
            self.results.append(TestResult(name, told=told, **fields))


def main() -> None:
    """Read a job from standard input; write one JSON line for each file."""
    import pytest  # the commands that only start such a process do without

    job = json.load(sys.stdin)
    tests = str(find_lab(job["lab"]).folder / "test_lab.py")
    for file, limited in job["files"]:
        collector = _Collector(tell=TELL in job["options"])
        options = [f"--impl={file}", "-p", "no:cacheprovider", "-q", "--tb=no", *job["options"], *limited, tests]
        with contextlib.redirect_stdout(io.StringIO()):
            pytest.main(options, plugins=[collector])
        gc.freeze()  # pytest collects garbage twice a run; what this run has imported stays anyway
        print(json.dumps([asdict(result) for result in collector.results]), flush=True)


if __name__ == "__main__":
    main()
