"""What one submission may use: the grader's defaults, for a student's own computer too."""

import os
import time

from course.isolation.sandbox import Limits, Sandbox
from course.student.core.timeouts import BUSY, Stopwatch

TEST_S, TOTAL_S, MEMORY_MIB = 10.0, 120.0, 2048
"""Seconds of processor time of one test, and of a submission before its last test begins; MiB of its process."""


def limits(test_s: float = TEST_S, total_s: float = TOTAL_S, memory_mib: int = MEMORY_MIB) -> Limits:
    """Return the limits of a submission's process, which are never reached before the tests' own."""
    seconds = max(1, round(total_s + test_s))
    return Limits(cpu_s=seconds, wall_s=2 * BUSY * seconds, memory_bytes=memory_mib << 20)


def waits_s(total_s: float, *, confined: bool) -> float:
    """Return the seconds that all tests may spend waiting: a file that sleeps must not hold up a class.

    Without a sandbox, what a worker uses is not known before it ends, and looks like waiting.

    >>> waits_s(120.0, confined=True), waits_s(120.0, confined=False)
    (60.0, 360.0)
    """
    return total_s / 2 if confined else BUSY * total_s


def stopwatch(total_s: float, sandbox: Sandbox | None) -> Stopwatch:
    """Return the stopwatch of all that is run of one submission."""

    def used() -> float:
        if sandbox is None:  # the worker that runs counts when it has ended
            return sum(os.times()[:4])
        return time.process_time() + sandbox.processor_time()  # in a namespace it is nobody's child

    return Stopwatch(total_s, used, waits=waits_s(total_s, confined=sandbox is not None))
