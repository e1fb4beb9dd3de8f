"""A process that has imported everything, and forks a child for each submission: ``python -m course.….server 0``.

It reads jobs, one a line, and answers each with a line of JSON. It waits for a child no longer than the child may need.
"""

import json
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Any

from course.isolation.sandbox import choose
from course.isolation.sandbox.stage import open_to_all
from course.teaching.grading.attempt import attempt
from course.teaching.grading.job import UNSAFE, Job

_GRACE_S = 60.0
"""Seconds that a child has beyond its rules: to start, to end, and to tell a last test's failure."""

_READ = 64 << 20
"""Bytes that are read of a child's answer."""


def warm_up() -> None:
    """Import what every run imports of other people's, and let hypothesis make its tables."""
    import hypothesis
    import interegular  # noqa: F401
    import jsonschema  # noqa: F401
    import numpy  # noqa: F401
    import regex  # noqa: F401

    hypothesis.given(hypothesis.strategies.text())(
        hypothesis.settings(max_examples=1, database=None)(lambda text: None)
    )()


def serve(job: Job, slot: int, shelf: Path) -> dict[str, Any]:
    """Grade one submission in a child; ``tests`` and what ended it, if it did not end by itself."""
    if job.rules.sandbox != UNSAFE:
        choose(job.rules.sandbox)  # tried once here, not in each child
    with TemporaryFile() as answer:
        pid = os.fork()
        if not pid:
            _be_child(job, slot, shelf, answer.fileno())
        try:
            ended = _wait(pid, job.rules.total_s + job.rules.test_s + _GRACE_S)
        except SystemExit:
            _kill(pid)
            raise
        answer.seek(0)
        return _folded(answer, ended)


def _be_child(job: Job, slot: int, shelf: Path, answer: int) -> None:
    status = 70
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        attempt(job, slot, shelf, os.dup(answer))
        status = 0
    finally:
        os._exit(status)


def _wait(pid: int, seconds: float) -> str:
    """What ended the child, in words; empty if it ended as it should."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        done, state = os.waitpid(pid, os.WNOHANG)
        if done:
            status = os.waitstatus_to_exitcode(state)
            return "" if status == 0 else f"the grader's process ended with status {status}"
        time.sleep(0.01)
    _kill(pid)
    os.waitpid(pid, 0)
    return f"the grader's process was ended after {seconds:g} s"


def _kill(pid: int) -> None:
    """End a child and the process groups of what it started."""
    started: list[int] = []
    with suppress(OSError, ValueError):
        started = [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    for group in started:
        with suppress(OSError):
            os.killpg(group, signal.SIGKILL)
    os.kill(pid, signal.SIGKILL)


def _folded(answer: IO[bytes], ended: str) -> dict[str, Any]:
    """The lines as one record. A test counts as passed if every line about it says so."""
    tests: dict[str, dict[str, Any]] = {}
    record: dict[str, Any] = {
        "tests": tests,
        "misconceptions": {},
        "ended": ended or "the tests did not come to an end",
    }
    for line in answer.read(_READ).splitlines():
        with suppress(ValueError):
            found = json.loads(line)
            if "done" in found:
                said = ended or _bad(found["done"]) or found.get("remark", "")
                record |= {"misconceptions": found["misconceptions"], "ended": said}
            elif tests.get(found["test"], {"verdict": "pass"})["verdict"] == "pass":
                tests[found.pop("test")] = found
    return record


def _bad(status: int) -> str:
    """0 and 1 are what pytest gives where all tests ran."""
    return "" if status in (0, 1) else f"pytest ended with status {status}"


def main() -> None:
    """Serve until standard input ends."""
    slot = int(sys.argv[1])
    warm_up()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this process ends it, and so:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    with TemporaryDirectory(prefix="course-grading-", ignore_cleanup_errors=True) as folder:
        shelf = Path(folder).resolve()
        open_to_all(shelf)
        for line in sys.stdin:
            try:
                found = serve(Job.loads(line), slot, shelf)
            except Exception as error:
                found = {"fault": f"{type(error).__name__}: {error}"}
            try:
                print(json.dumps(found), file=answers, flush=True)
            except BrokenPipeError:  # nobody waits for it any more
                break
    with suppress(BrokenPipeError):
        answers.close()


if __name__ == "__main__":
    main()
