"""Timing jobs within one run: medians, and ratios of jobs that took turns."""

import time
from collections.abc import Callable, Mapping
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
    """Return the median time of a job, in seconds."""
    return median(_once(job) for _ in range(times))


def in_turns(jobs: Mapping[str, Job], times: int) -> dict[str, list[float]]:
    """Return the seconds of each job, turn by turn: a computer that changes its speed changes it for all."""
    turns = [{name: _once(job) for name, job in jobs.items()} for _ in range(times)]
    return {name: [turn[name] for turn in turns] for name in jobs}


def paired(slow: Job, fast: Job, times: int = 3) -> Pair:
    """Time two jobs in turn."""
    turns = in_turns({"slow": slow, "fast": fast}, times)
    ratio = median(a / b for a, b in zip(turns["slow"], turns["fast"], strict=True))
    return Pair(median(turns["slow"]), median(turns["fast"]), ratio)


def _once(job: Job) -> float:
    start = time.perf_counter()
    job()
    return time.perf_counter() - start
