"""Timing jobs within one run: medians, and ratios of pairs that took turns."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

Job = Callable[[], object]


@dataclass(frozen=True)
class Pair:
    """Median seconds of two jobs, and the median of their ratio turn by turn: ``slow / fast``."""

    slow: float
    fast: float
    ratio: float


def seconds(job: Job, times: int = 3) -> float:
    """The median time of a job, in seconds."""
    return median(_once(job) for _ in range(times))


def paired(slow: Job, fast: Job, times: int = 3) -> Pair:
    """Time two jobs in turn, so that a machine that changes its speed changes it for both."""
    turns = [(_once(slow), _once(fast)) for _ in range(times)]
    return Pair(
        slow=median(a for a, _ in turns),
        fast=median(b for _, b in turns),
        ratio=median(a / b for a, b in turns),
    )


def _once(job: Job) -> float:
    start = time.perf_counter()
    job()
    return time.perf_counter() - start
