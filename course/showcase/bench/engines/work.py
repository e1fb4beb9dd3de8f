"""The work of the engines: patterns, walks, which are sequences of tokens, and turns in which they are timed."""

import gc
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import TypeVar

from course.showcase.bench.engines.adapters import Buffer, Compiled, Encode, Engine
from labkit.vocabulary import Vocabulary, data_file

Tokens = tuple[int, ...]
T = TypeVar("T")

TURNS, FEWEST_TURNS = 5, 3
TIME_LIMIT = 10.0
"""An engine takes five turns at a pattern; three where those took longer than this many seconds."""

LATER_VISITS = 5

SAMPLES, LENGTH = 4, 24
"""Sampled walks a pattern, and the most tokens in one."""


@dataclass(frozen=True)
class Work:
    """A pattern, and texts that it matches, which become walks in the vocabulary's own tokens."""

    name: str
    regex: str
    texts: tuple[str, ...]


_OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_DAY = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_HOUR = "([01][0-9]|2[0-3]):[0-5][0-9]"
_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
_SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "xu", "za")


def work_set() -> list[Work]:
    """Return twelve patterns: literals, numbers, formats, strings of any characters, and a long choice.

    >>> [work.name for work in work_set()][:4]
    ['hex', 'decimal', 'choice', 'date-time']
    """
    names = choices(500)
    return [
        Work("hex", "0x[0-9a-f]+", ("0x1fe0", "0xdeadbeef")),
        Work("decimal", r"([0-9]+)?\.[0-9]+", ("3.14159", ".5")),
        Work("choice", "yes|no|maybe", ("yes", "no", "maybe")),
        Work(
            "date-time",
            rf"{_DAY}T{_HOUR}:[0-5][0-9](\.[0-9]+)?(Z|[+-]{_HOUR})",
            ("2024-05-17T12:30:00Z", "1999-12-31T23:59:59.25+02:00"),
        ),
        Work("IPv4", rf"({_OCTET}\.){{3}}{_OCTET}", ("192.168.17.4", "8.8.8.255")),
        Work(
            "e-mail",
            r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}",
            ("ada.lovelace@mail.example.org", "x_1@a-b.co"),
        ),
        Work("UUID", _UUID, ("123e4567-e89b-12d3-a456-426614174000", "deadbeef-0000-4bad-9ace-0123456789ab")),
        Work(
            "JSON string",
            r'"([^"\\\x00-\x1f]|\\(["\\/bfnrt]|u[0-9a-fA-F]{4}))*"',
            ('"café \\u00e9 \\"hi\\" 世界 🦜"', '"The quick brown fox\\njumps, 12 times: over/under."'),
        ),
        Work(
            "phone",
            r"(\+[0-9]{1,3} )?\(?[0-9]{3}\)?[ .-]?[0-9]{3}[ .-]?[0-9]{4}",
            ("+44 (020) 555-0199", "5551234567"),
        ),
        Work(r"\w+", r"\w+", ("Grüße_世界9", "constrained")),
        Work(".{0,200}", ".{0,200}", ("Hello, world! 🦜 Ça va?", "a line of plain English text, and nothing more")),
        Work("500 strings", "|".join(names), (names[0], names[250], names[499])),
    ]


def choices(count: int) -> list[str]:
    """Return different made-up words of two to five syllables, always the same, in order.

    >>> choices(3)
    ['gutipu', 'tilegunole', 'zakaxufo']
    """
    draw, found = random.Random(0), set[str]()
    while len(found) < count:
        found.add("".join(draw.choices(_SYLLABLES, k=draw.randint(2, 5))))
    return sorted(found)


def walks(work: Work, compiled: Compiled, vocabulary: Vocabulary, encode: Encode) -> list[Tokens]:
    """Return the pattern's texts as their tokenizer writes them, and walks sampled from a compiled pattern's masks."""
    texts = [tuple(encode(text)) for text in work.texts]
    sampled = [sampled_walk(compiled, vocabulary, random.Random(seed)) for seed in range(SAMPLES)]
    return list(dict.fromkeys([*texts, *sampled]))


def sampled_walk(compiled: Compiled, vocabulary: Vocabulary, draw: random.Random, length: int = LENGTH) -> Tokens:
    """Draw a token from each mask, EOS never; stop where nothing but EOS may follow.

    Raises:
        ValueError: if the engine refuses a token of its own mask.
    """
    buffer = Buffer(len(vocabulary))
    walk, tokens = compiled.start(buffer), list[int]()
    while len(tokens) < length:
        walk.fill()
        allowed = [int(i) for i in buffer.bits().nonzero()[0] if i != vocabulary.eos_id]
        if not allowed:
            break
        tokens.append(draw.choice(allowed))
        if not walk.advance(tokens[-1]):
            raise ValueError(f"token {tokens[-1]} is in the mask after {tokens[:-1]}, and refused")
    return tuple(tokens)


def tekken_encode() -> Encode:
    """Return the tokenizer of ``Vocabulary.tekken()``: mistral-common's own, which takes a second to import."""
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

    tokenizer = Tekkenizer.from_file(str(data_file("tekken_240911.json", "the Tekken vocabulary")))
    return lambda text: list(tokenizer.encode(text, bos=False, eos=False))


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
