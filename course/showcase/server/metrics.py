"""``/metrics`` in Prometheus' text format."""

import os
import time
from collections.abc import Iterator
from typing import Any

from course.showcase.server.journal import Journal
from course.showcase.server.worker import EngineWorker


def exposition(worker: EngineWorker, journal: Journal) -> str:
    """Return the numbers of the engine and the process, a metric to a paragraph."""
    return "".join(_lines(worker, journal))


def _lines(worker: EngineWorker, journal: Journal) -> Iterator[str]:
    engine = worker.engine
    scheduler, runner = engine.scheduler, engine.runner
    plain = {
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
        "tool_calls_unread_total": ("answers with a call that could not be read", journal.unread),
        **_grammars(engine.structured_outputs),
        "process_cpu_seconds_total": ("processor time of the process, without its compiles", time.process_time()),
        **_memory(),
    }
    for name, (text, value) in plain.items():
        yield f"{_head(name, text)}course_{name} {value}\n"
    for name, text, label, counts in (
        ("requests_finished_total", "requests that ended, by reason", "finish_reason", dict(worker.finished)),
        ("http_responses_total", "answers over HTTP, by status", "status", dict(journal.responses)),
    ):
        yield _head(name, text)
        yield from (f'course_{name}{{{label}="{key}"}} {count}\n' for key, count in counts.items())
    for name, text, seconds in (
        ("compile_seconds", "from a request to its grammar, where that was not there already", journal.compiles),
        ("first_token_seconds", "from a request to its first token, the compile included", journal.first_tokens),
    ):
        yield _head(name, text, "histogram")
        yield from seconds.lines(f"course_{name}")


def _head(name: str, text: str, kind: str = "") -> str:
    kind = kind or ("counter" if name.endswith("_total") else "gauge")
    return f"# HELP course_{name} {text}\n# TYPE course_{name} {kind}\n"


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
