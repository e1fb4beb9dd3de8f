"""Timing engines that take turns in one process."""

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import TypeVar

from course.showcase.bench.engines.adapters import Buffer, Compiled, Engine
from course.showcase.bench.engines.work import Tokens

TURNS, FEWEST_TURNS = 5, 3
TIME_LIMIT = 10.0
"""An engine takes five turns at a pattern; three where those took longer than this many seconds."""

LATER_VISITS = 5

T = TypeVar("T")


@dataclass(frozen=True)
class Turn:
    """Seconds from a pattern to its first mask, and to the masks of all states where the engine has these."""

    first_mask: float
    all_masks: float | None


@dataclass(frozen=True)
class Steps:
    """Seconds for the mask of each step: in the first walk along it, and the median of later walks."""

    first: tuple[float, ...]
    later: tuple[float, ...]


def take_turns(
    engines: Sequence[Engine], regex: str, buffer: Buffer, turns: int = TURNS, limit: float = TIME_LIMIT
) -> dict[str, list[Turn]]:
    """Compile the pattern again and again, each engine once in a turn, another one first each time."""
    found: dict[str, list[Turn]] = {engine.name: [] for engine in engines}
    spent = dict.fromkeys(found, 0.0)
    for number in range(turns):
        for engine in _rotated(engines, number):
            if number < FEWEST_TURNS or spent[engine.name] < limit:
                with without_collector():
                    start = perf_counter()
                    compiled = engine.compile(regex)
                    compiled.start(buffer).fill()
                    first = perf_counter() - start
                    whole = perf_counter() - start if compiled.complete() else None
                spent[engine.name] += max(first, whole or 0)
                found[engine.name].append(Turn(first, whole))
    return found


def time_steps(
    compiled: Mapping[str, Compiled], walks: Sequence[Tokens], buffer: Buffer, later: int = LATER_VISITS
) -> dict[str, Steps]:
    """Walk all walks 1 + ``later`` times, the engines taking turns; a refused token ends an engine's walk.

    A later turn starts with a walk that is not timed: what the engine before left in the processor's caches is no part
    of an engine's steady state, and costs up to 40 microseconds.
    """
    visits: dict[str, list[list[float]]] = {name: [] for name in compiled}
    for number in range(1 + later):
        for name in _rotated(list(compiled), number):
            if number:
                _walk(compiled[name], walks[0], buffer)
            visits[name].append([seconds for walk in walks for seconds in _walk(compiled[name], walk, buffer)])
    return {
        name: Steps(tuple(first), tuple(median(step) for step in zip(*rest, strict=True)))
        for name, (first, *rest) in visits.items()
    }


@contextmanager
def without_collector() -> Iterator[None]:
    """Keep Python's garbage collector, which may start at any time, out of the timing, as ``timeit`` does."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _walk(compiled: Compiled, tokens: Tokens, buffer: Buffer) -> list[float]:
    """Return the seconds for the mask at each step of a walk, the one after the last token included."""
    walk, times = compiled.start(buffer), list[float]()
    with without_collector():
        for token_id in (*tokens, None):
            start = perf_counter()
            walk.fill()
            times.append(perf_counter() - start)
            if token_id is None or not walk.advance(token_id):
                break
    return times


def _rotated(items: Sequence[T], by: int) -> list[T]:
    by %= len(items)
    return [*items[by:], *items[:by]]
