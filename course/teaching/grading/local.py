"""Grading on this machine: each submission in a process of its own, forked off one that has imported everything."""

import json
import os
import shutil
import signal
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import chdir, closing, suppress
from functools import cache
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from unittest.mock import patch

from course.isolation.rules import waits_s
from course.isolation.sandbox import Backend, Sandbox, choose
from course.isolation.sandbox.stage import open_to_all
from course.student.core.catalog import ROOT
from course.student.core.timeouts import BUSY, WAITS
from course.teaching.grading.attempt import attempt, isolate
from course.teaching.grading.job import PROPERTIES, UNSAFE, Job, Record

if TYPE_CHECKING:  # Windows has none, and no grader
    from multiprocessing.context import ForkServerContext

WARM = "course.teaching.grading.warm"
"""What the fork server imports."""

LAB = "COURSE_GRADED_LAB"
"""The variable that tells it which lab's tests to run first."""

_WORTH_IT = 4
"""Submissions from which on it costs less to run the tests first, once."""

_GRACE_S = 60.0
"""Seconds that a child has beyond its rules: to start, to end, and to report a last test's failure."""


def fault(what: str) -> Record:
    """Return the record of a submission on which the grader itself failed. It is not kept: the next run tries again."""
    return {"tests": {}, "misconceptions": {}, "ended": f"the grader failed: {what}", "fault": True}


class Local:
    """Runs jobs on this machine, some at a time."""

    def __init__(self, jobs: int | None = None) -> None:
        self.jobs = jobs or cores()
        self._folder = TemporaryDirectory(prefix="course-grading-", ignore_cleanup_errors=True)
        self._shelf = Path(self._folder.name).resolve()
        self._children = set[BaseProcess]()
        open_to_all(self._shelf)

    def run(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, Record]]:
        """Yield each job with its record, as they are done. Where it is left early, no child stays."""
        if not jobs:
            return
        first = jobs[0].rules
        warm = len(jobs) >= _WORTH_IT and first.exercise != PROPERTIES
        with patch.dict(os.environ, {LAB: str(first.lab)} if warm else {}):
            forks()
        pool = ThreadPoolExecutor(self.jobs)
        ending = threading.Thread(target=pool.shutdown, kwargs={"cancel_futures": True})
        try:
            for done in as_completed([pool.submit(self._one, job) for job in jobs]):
                yield done.result()
        finally:
            ending.start()
            while ending.is_alive():  # until the last thread has seen its child end
                for child in list(self._children):
                    _kill(child)
                ending.join(0.05)

    def _one(self, job: Job) -> tuple[Job, Record]:
        try:
            return job, grade(job, self._shelf, self._children)
        except Exception as error:
            return job, fault(f"{type(error).__name__}: {error}")

    def close(self) -> None:
        """Remove the files that the gradings shared."""
        self._folder.cleanup()


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def forks() -> "ForkServerContext":
    """Return where children come from: a process that has imported what they need, and has no threads.

    It imports from the folder that it is started in. So the first call, which starts it, must not come from a thread.
    """
    from multiprocessing.forkserver import ensure_running  # Windows has none

    context = get_context("forkserver")
    context.set_forkserver_preload([WARM])
    with chdir(ROOT):
        ensure_running()
    return context


def grade(job: Job, shelf: Path, children: set[BaseProcess]) -> Record:
    """Grade one submission in a child.

    Args:
        shelf: a folder that every user may read, for copies of what workers read.
        children: holds the child while it runs.

    Raises:
        NoSandbox, OSError: if the child cannot be started.
    """
    backend = None if job.rules.sandbox == UNSAFE else choose(job.rules.sandbox)  # tried here, not in each child
    answers, answer = forks().Pipe(duplex=False)
    child = forks().Process(target=_be_child, args=(job, backend, shelf, answer))
    children.add(child)
    with closing(answers):
        with closing(answer):
            child.start()
        busy = BUSY * (job.rules.total_s + job.rules.test_s)
        waiting = waits_s(job.rules.total_s, confined=backend is not None)
        lines, ended = hear(child, answers, busy + waiting + WAITS + _GRACE_S)
    children.discard(child)
    return fold(lines, ended)


def _be_child(job: Job, backend: Backend | None, shelf: Path, answer: Connection) -> None:
    os.setsid()  # a Ctrl-C is for the grader, which ends its children itself
    isolate()

    def say(**found: object) -> None:
        answer.send_bytes(json.dumps(found).encode())

    try:
        with TemporaryDirectory(dir=shelf, prefix="job-") as folder:
            sandbox = Sandbox(backend, job.rules.limits, shelf, dict(job.beside)) if backend else None
            attempt(job, sandbox, Path(folder), say)
            if sandbox:
                sandbox.close()
    finally:
        parent = parent_process()
        if parent is not None and not parent.is_alive():  # the grader was killed, and can remove nothing
            shutil.rmtree(shelf, ignore_errors=True)


def hear(child: BaseProcess, answers: Connection, seconds: float) -> tuple[list[Record], str]:
    """Return what a child says, and what ended it in words; no words if it ended as it should. It has ended then."""
    until = time.monotonic() + seconds
    lines: list[Record] = []
    with suppress(EOFError, OSError):
        while (left := until - time.monotonic()) > 0 and answers.poll(left):
            lines.append(json.loads(answers.recv_bytes()))
    child.join(max(0.0, until - time.monotonic()))
    status = child.exitcode
    _kill(child)
    child.join()
    if status is None:
        return lines, f"the grader's process was ended after {seconds:g} s"
    return lines, f"the grader's process ended with status {status}" if status else ""


def _kill(child: BaseProcess) -> None:
    """End a child and the process groups of what it started."""
    if child.pid is None or not child.is_alive():
        return
    with suppress(OSError, ValueError):
        for word in Path(f"/proc/{child.pid}/task/{child.pid}/children").read_text().split():
            with suppress(OSError):
                os.killpg(int(word), signal.SIGKILL)
    child.kill()


def fold(lines: Iterable[Record], ended: str) -> Record:
    """Return what a child said as one record. A test counts as passed if every line about it says so."""
    tests: dict[str, Record] = {}
    record: Record = {"tests": tests, "misconceptions": {}, "ended": _broken(ended or "no end was reported")}
    for found in lines:
        if "done" in found:
            # 0 and 1 are the statuses of pytest for runs to the end.
            bad = "" if found["done"] in (0, 1) else f"pytest ended with status {found['done']}"
            said = _broken(ended or bad) if ended or bad else found.get("remark", "")
            record |= {"misconceptions": found["misconceptions"], "ended": said}
        elif tests.get(found["test"], {"verdict": "pass"})["verdict"] == "pass":
            tests[found.pop("test")] = found
    return record


def _broken(how: str) -> str:
    return f"not all of the tests ran, because the grader broke down on this file ({how}): tell your instructor"
