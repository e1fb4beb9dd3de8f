"""Grading on this machine: a server process for each core, each fed by a thread."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, suppress
from queue import SimpleQueue
from typing import Any

from course.student.core.catalog import ROOT
from course.teaching.grading.job import Job
from course.teaching.grading.slots import leased

_MOMENT_S = 5.0

Record = dict[str, Any]
"""What one grading found: ``tests`` by name, ``misconceptions`` by TODO, ``ended``; see ``server``."""


def fault(what: str) -> Record:
    """The record of a submission on which the grader itself failed. It is not kept: the next run tries again."""
    return {"tests": {}, "misconceptions": {}, "ended": f"the grader failed: {what}", "fault": True}


class Server:
    """A server process, started when it is first needed, and anew where it has died."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._process: subprocess.Popen[str] | None = None
        self._ended = False

    def grade(self, job: Job) -> Record:
        """The record of a job; a fault if the server tells of one, or dies twice."""
        for _ in range(2):
            line = self._ask(job)
            if line:
                found: Record = json.loads(line)
                return fault(found["fault"]) if "fault" in found else found
            self.close()
            if self._ended:
                return fault("it was interrupted")
        return fault("its process died twice on this submission")

    def _ask(self, job: Job) -> str:
        if self._process is None:
            self._process = self._start()
        process = self._process
        assert process.stdin and process.stdout
        with suppress(OSError):
            process.stdin.write(job.dumps() + "\n")
            process.stdin.flush()
            return process.stdout.readline()
        return ""

    def _start(self) -> subprocess.Popen[str]:
        slot, lock = self._stack.enter_context(leased())
        command = [sys.executable, "-m", "course.teaching.grading.server", str(slot)]
        return subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=True,
            pass_fds=(lock,),
        )

    def close(self) -> None:
        """End the process, when it has done what it is at."""
        process, self._process = self._process, None
        if process is not None:
            assert process.stdin and process.stdout
            with suppress(OSError):
                process.stdin.close()
            process.wait()
            process.stdout.close()
        self._stack.close()

    def kill(self) -> None:
        """End the process and what it is at, now; it is given a moment to remove its files."""
        self._ended = True
        process = self._process
        if process is not None:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(_MOMENT_S)
            with suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)


class Local:
    """Runs jobs on this machine, some at a time."""

    def __init__(self, jobs: int | None = None) -> None:
        self.jobs = jobs or cores()
        self._servers = [Server() for _ in range(self.jobs)]

    def run(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, Record]]:
        """Each job with its record, as they are done."""
        free: SimpleQueue[Server] = SimpleQueue()
        for server in self._servers:
            free.put(server)

        def one(job: Job) -> tuple[Job, Record]:
            server = free.get()
            try:
                return job, server.grade(job)
            finally:
                free.put(server)

        pool = ThreadPoolExecutor(self.jobs)
        try:
            for done in as_completed([pool.submit(one, job) for job in jobs]):
                yield done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for server in self._servers:
                server.kill()
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def close(self) -> None:
        """End the servers."""
        for server in self._servers:
            server.close()


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
