"""Turns in which the engines are timed."""

import gc
import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TypeVar

from course.showcase.bench.engines.adapters import Buffer, Compilation, Language, MaskEngine
from course.showcase.bench.engines.work import Tokens

T = TypeVar("T")

TURNS, FEWEST_TURNS = 5, 3
TIME_LIMIT = 10.0
"""An engine takes five turns at a pattern; three where these took more seconds, one where that took more."""

LATER_VISITS = 5

BATCH = 256
"""How many requests are in a batch; request r has written the first r tokens of the walk, or begins anew."""

BATCHES = 3

TRIAL_S, TRIAL_BYTES = 60, 6 << 30
"""An engine that needs more to compile a pattern takes no part in it."""


@dataclass(frozen=True)
class Lap:
    """Seconds, each None where the engine refuses a token of the walk.

    Attributes:
        first_mask: from the source to the first mask.
        generation: from the source to the mask after the last token of a walk.
        batch: warm, for the masks of a batch, each of whose requests has just taken a token.
        advance: warm, for one token: a whole walk's time by its number of tokens.
    """

    first_mask: float
    generation: float | None
    batch: float | None
    advance: float | None


@dataclass(frozen=True)
class StepTimes:
    """Seconds for the mask of each step: in the first walk along it, and the median of later walks."""

    first: tuple[float, ...]
    later: tuple[float, ...]


def refusal(engine: MaskEngine, language: Language) -> str:
    """Return why an engine does not compile a pattern or a schema; nothing if it does.

    It tries in a process of its own, which may need neither more time nor more memory than a trial has.
    """
    if "fork" not in multiprocessing.get_all_start_methods():
        return ""
    with forked(_try, engine, language) as said:
        try:
            return str(said.recv()) if said.poll(TRIAL_S) else f"more than {TRIAL_S} s"
        except EOFError:
            return f"it ends, or needs more than {TRIAL_BYTES >> 30} GiB"


@contextmanager
def forked(job: Callable[..., None], *arguments: object) -> Iterator[Connection]:
    """Do a job in a process of its own, which has the engine's vocabulary at once; yield what it says."""
    context = multiprocessing.get_context("fork")
    said, says = context.Pipe(duplex=False)
    child = context.Process(target=job, args=(*arguments, says), daemon=True)
    child.start()
    says.close()
    try:
        yield said
    finally:
        child.kill()
        child.join()


def _try(engine: MaskEngine, language: Language, says: Connection) -> None:
    limit_memory(TRIAL_BYTES)
    try:
        engine.compile(language)
        says.send("")
    except Exception as error:  # each engine has types of its own
        says.send(str(error).partition("\n")[0] or type(error).__name__)


def limit_memory(more: int) -> None:
    """Let this process take so many bytes more, where the system tells what it has."""
    if (statm := Path("/proc/self/statm")).exists():
        import resource  # Windows has none

        used = int(statm.read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + more, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def take_turns(
    engines: Sequence[MaskEngine],
    language: Language,
    tokens: Tokens,
    vocab_size: int,
    turns: int = TURNS,
    limit: float = TIME_LIMIT,
) -> dict[str, list[Lap]]:
    """Compile a pattern or a schema again and again, each engine once in a turn, another one first each time."""
    found: dict[str, list[Lap]] = {engine.name: [] for engine in engines}
    spent = dict.fromkeys(found, 0.0)
    buffers = Buffer(vocab_size), Buffer(vocab_size, BATCH)
    for number in range(turns):
        for engine in _rotated(engines, number):
            longest = max((turn.first_mask for turn in found[engine.name]), default=0)
            if spent[engine.name] < limit or (number < FEWEST_TURNS and longest < limit):
                turn = _take_turn(engine, language, tokens, *buffers)
                spent[engine.name] += max(turn.first_mask, turn.generation or 0)
                found[engine.name].append(turn)
    return found


def _take_turn(engine: MaskEngine, language: Language, tokens: Tokens, buffer: Buffer, batch: Buffer) -> Lap:
    with without_collector():
        start = perf_counter()
        compiled = engine.compile(language)
        walk = compiled.start(buffer)
        walk.fill()
        first = perf_counter() - start
        followed = True
        for token_id in tokens:
            followed = followed and walk.advance(token_id)
            walk.fill()
        generation = perf_counter() - start
    if not followed:
        return Lap(first, None, None, None)
    return Lap(first, generation, batch_seconds(compiled, tokens, batch), _advance(compiled, tokens, buffer))


def batch_seconds(compiled: Compilation, tokens: Tokens, batch: Buffer) -> float:
    """Time a batch whose requests are made anew each time: an engine may keep the mask that a request had last."""
    written = [tokens[: row % (len(tokens) + 1)] for row in range(len(batch.words))]
    times = []
    for _ in range(BATCHES):
        fill = compiled.batch(written, batch)
        with without_collector():
            start = perf_counter()
            fill()
            times.append(perf_counter() - start)
    return median(times)


def _advance(compiled: Compilation, tokens: Tokens, buffer: Buffer) -> float | None:
    if not tokens:
        return None
    walk = compiled.start(buffer)
    with without_collector():
        start = perf_counter()
        for token_id in tokens:
            walk.advance(token_id)
        return (perf_counter() - start) / len(tokens)


def time_steps(
    compiled: Mapping[str, Compilation], walks: Sequence[Tokens], buffer: Buffer, later: int = LATER_VISITS
) -> dict[str, StepTimes]:
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
        name: StepTimes(tuple(first), tuple(median(step) for step in zip(*rest, strict=True)))
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


def _walk(compiled: Compilation, tokens: Tokens, buffer: Buffer) -> list[float]:
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
