"""``/metrics`` in Prometheus' text format."""

import os
from collections.abc import Iterator, Mapping

from course.showcase.server.worker import EngineWorker


def exposition(worker: EngineWorker, responses: Mapping[int, int]) -> str:
    """Return the numbers of the engine and the process, a metric to a paragraph.

    Args:
        responses: how many answers were given, by HTTP status.
    """
    return "".join(_lines(worker, responses))


def _lines(worker: EngineWorker, responses: Mapping[int, int]) -> Iterator[str]:
    engine = worker.engine
    scheduler, runner = engine.scheduler, engine.runner
    gauges = {
        "requests_running": ("requests that are decoded or whose prompt is read", len(scheduler.running)),
        "requests_waiting": ("requests in the queue", len(scheduler.waiting)),
        "kv_cache_slots_used": ("rows of the KV cache that a request owns", runner.num_slots - len(runner.free_slots)),
        "kv_cache_slots": ("rows of the KV cache", runner.num_slots),
        "streams": ("answers that a client still reads", worker.num_streams),
        **_memory(),
    }
    for name, (text, value) in gauges.items():
        yield f"# HELP course_{name} {text}\n# TYPE course_{name} gauge\ncourse_{name} {value}\n"
    counters = {
        "steps_total": ("passes of the model", {"": engine.num_steps}),
        "generation_tokens_total": ("tokens that were generated", {"": worker.tokens}),
        "requests_finished_total": (
            "requests that ended, by reason",
            {f'{{finish_reason="{reason}"}}': count for reason, count in sorted(worker.finished.items())},
        ),
        "http_responses_total": (
            "answers over HTTP, by status",
            {f'{{status="{status}"}}': count for status, count in sorted(responses.items())},
        ),
    }
    for name, (text, series) in counters.items():
        yield f"# HELP course_{name} {text}\n# TYPE course_{name} counter\n"
        yield from (f"course_{name}{labels} {value}\n" for labels, value in series.items())


def _memory() -> dict[str, tuple[str, int]]:
    """Return the memory that the process holds, where the system tells it without a library."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
            pages = int(file.read().split()[1])
    except OSError:
        return {}
    return {"resident_memory_bytes": ("memory of the process", pages * os.sysconf("SC_PAGE_SIZE"))}
