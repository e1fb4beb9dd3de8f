"""``/metrics`` in Prometheus' text format."""

import os
import time
from collections.abc import Iterator
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from course.showcase.server.worker import EngineWorker


def exposition(worker: EngineWorker, answers: CollectorRegistry) -> bytes:
    """Return the numbers of the engine, the process and the answers, a metric to a paragraph."""
    engine = CollectorRegistry()
    engine.register(_Numbers(worker))
    return generate_latest(engine) + generate_latest(answers)


class _Numbers(Collector):
    """What the engine counts anyway."""

    def __init__(self, worker: EngineWorker) -> None:
        self._worker = worker

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics as they are now."""
        for name, (text, value) in (_plain(self._worker) | _memory()).items():
            family = CounterMetricFamily if name.endswith("_total") else GaugeMetricFamily
            yield family(f"course_{name}", text, value=value)
        finished = CounterMetricFamily(
            "course_requests_finished_total", "requests that ended, by reason", labels=["finish_reason"]
        )
        for reason, count in dict(self._worker.finished).items():
            finished.add_metric([reason], count)
        yield finished


def _plain(worker: EngineWorker) -> dict[str, tuple[str, float]]:
    engine = worker.engine
    scheduler, runner = engine.scheduler, engine.runner
    return {
        "requests_running": ("requests that are decoded or whose prompt is read", len(scheduler.running)),
        "requests_waiting": ("requests in the queue", len(scheduler.waiting)),
        "kv_cache_slots_used": ("rows of the KV cache that a request owns", runner.num_slots - len(runner.free_slots)),
        "kv_cache_slots": ("rows of the KV cache", runner.num_slots),
        "streams": ("answers that a client still reads", worker.num_streams),
        "steps_total": ("passes of the model", engine.num_steps),
        "turns_total": ("passes of the model, counted once for each answer that got tokens", engine.num_turns),
        "generation_tokens_total": ("tokens that were generated", worker.tokens),
        "drafted_tokens_total": ("tokens of drafts that were in a pass", engine.num_drafted),
        "accepted_tokens_total": ("tokens of drafts that were kept", engine.num_accepted),
        "process_cpu_seconds_total": ("processor time of the process, without its compiles", time.process_time()),
        **_grammars(engine.structured_outputs),
    }


def _grammars(structured_outputs: Any) -> dict[str, tuple[str, int]]:
    """Return the numbers of lab 09's compile cache, where there is one."""
    cache = getattr(structured_outputs, "cache", None)
    if cache is None:
        return {}
    return {
        "grammars": ("guides in the cache, and those that are compiled", len(cache.keys())),
        "grammars_compiling": ("compiles that wait or run", cache.num_compiling()),
        "grammars_awaited": ("requests that wait for a compile", cache.num_waiting()),
        "grammar_tickets": ("requests that have not got their guide", len(structured_outputs.tickets)),
        "grammar_hits_total": ("how often a guide was there", cache.hits),
        "grammar_misses_total": ("how often it had to be compiled", cache.misses),
    }


def _memory() -> dict[str, tuple[str, int]]:
    """Return the memory that the process holds, where the system tells it without a library."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
            pages = int(file.read().split()[1])
    except OSError:
        return {}
    return {"resident_memory_bytes": ("memory of the process", pages * os.sysconf("SC_PAGE_SIZE"))}
