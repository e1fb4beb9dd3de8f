"""The labs' own sources, before MaskBench's: what engines take for a hex number, a date, an order, and any JSON."""

import gc
import json
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from statistics import mean, median

from rich.console import Console

from course.showcase.bench.adapters import Buffer, Encode, Language, MaskEngine, Walk
from course.showcase.measuring import plain_table
from labkit.pictures import quantity
from labkit.vocabulary import Vocabulary, data_file

ORDER = {
    "type": "object",
    "properties": {"item": {"type": "string"}, "count": {"type": "integer"}, "paid": {"type": "boolean"}},
    "required": ["item", "count"],
    "additionalProperties": False,
}
SOURCES: dict[str, tuple[Language, str]] = {
    "a hex number": ("0x[0-9a-f]+", "0xdeadbeef"),
    "a date": ("[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])", "2024-05-17"),
    "an order": (ORDER, json.dumps({"item": "a cup of tea", "count": 2, "paid": True})),
    "any JSON": ({}, json.dumps({"users": [{"name": "Ada", "tags": ["math", "poetry"], "ok": True}], "n": [[1]]})),
}
"""By name, what an engine compiles, and a text that it then reads."""

FIGURES = ("source to first mask", "a mask with its step", "the same, met before")

TURNS = 9
"""How often an engine compiles each source, in turn with the others."""


def run_sources(console: Console, engines: Sequence[MaskEngine], vocabulary: Vocabulary, encode: Encode) -> None:
    """Print a column for each engine, and three rows for each source: medians of turns.

    Raises:
        ValueError: if an engine refuses a token of a text.
    """
    table, buffer = plain_table("", *[engine.name for engine in engines]), Buffer(len(vocabulary))
    for name, (language, text) in SOURCES.items():
        tokens = [*encode(text), vocabulary.eos_id]
        turns = [[_turn(engine, language, tokens, buffer) for engine in engines] for _ in range(TURNS)]
        for place, figure in enumerate(FIGURES):
            columns = zip(*turns, strict=True)
            table.add_row(f"{name}: {figure}", *[quantity(median(t[place] for t in each), "s") for each in columns])
    console.print(f"\n[bold]Sources of the labs[/], {len(vocabulary):,} tokens")
    console.print(table)


def _turn(engine: MaskEngine, language: Language, tokens: Sequence[int], buffer: Buffer) -> tuple[float, float, float]:
    with without_collector():
        began = time.perf_counter()
        start = engine.compile(language)
        start(buffer).fill()
        first, steps = time.perf_counter() - began, list[float]()
        if not all(reads(start(buffer), tokens, tokens[-1], buffer, steps) for _ in range(2)):
            raise ValueError(f"{engine.name} refuses a token of a text that matches {language}")
    return first, mean(steps[: len(tokens)]), mean(steps[len(tokens) :])


def reads(walk: Walk, tokens: Iterable[int], eos_id: int, buffer: Buffer, steps: list[float]) -> bool:
    """Return whether all tokens were allowed, EOS last, and note what each mask with its step cost."""
    for token in tokens:
        start = time.perf_counter()
        walk.fill()
        allowed = bool(buffer.words[0, token >> 5] >> (token & 31) & 1) and (token == eos_id or walk.advance(token))
        steps.append(time.perf_counter() - start)
        if not allowed:
            return False
    return True


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


def tekken_encode() -> Encode:
    """Return the tokenizer of ``Vocabulary.tekken()``: mistral-common's own, which takes a second to import."""
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

    tokenizer = Tekkenizer.from_file(str(data_file("tekken_240911.json", "the Tekken vocabulary")))
    return lambda text: list(tokenizer.encode(text, bos=False, eos=False))
