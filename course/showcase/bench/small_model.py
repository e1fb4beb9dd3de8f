"""``python3 -m course bench model``: how fast the small model reads and answers, on one core."""

from functools import partial

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from course.showcase.measuring import paired, plain_table, seconds, with_progress
from labkit.pictures import quantity
from labkit.small_model import KvCache, SmallModel

BATCHES = (1, 8, 32)
SPANS = ((128, 256), (640, 768))
"""The lengths of context, in tokens, from which and to which streams grow while they are timed."""

READ = (1, 8, 32, 128)
"""How many tokens are read in one pass."""

CONTEXT = 128
"""How many tokens of context precede them."""

METHOD = (
    "One process, one thread, medians. Streams: the most likely token is taken at each step, no sampling and no mask."
    f" Reading: k tokens in one pass after {CONTEXT} others, beside k passes of one token, in turn."
)

Figures = dict[str, float]


def run_model(console: Console, model: SmallModel) -> dict[str, object]:
    """Measure, print two tables, tokens a second and the cost of reading, and return the data."""
    streams = [partial(decoding, model, batch, *span) for span in SPANS for batch in BATCHES]
    decoded = with_progress(console, "streams of the small model", streams)
    read = with_progress(console, "reading", [partial(prefill, model, count) for count in READ])
    rates = plain_table("streams", *(f"{start} to {end} tokens" for start, end in SPANS))
    for batch in BATCHES:
        rates.add_row(f"{batch}", *(f"{row['tokens_per_second']:,.0f}" for row in decoded if row["batch"] == batch))
    console.print("\n[bold]tokens a second[/] of the small model, all streams together", rates, sep="\n")
    costs = plain_table("tokens", "in one pass", "one by one", "share")
    for row in read:
        times = (quantity(row["one_pass"], "s"), quantity(row["one_by_one"], "s"))
        costs.add_row(f"{row['tokens']}", *times, f"{row['share']:.0%}")
    console.print(f"\n[bold]reading[/] after a context of {CONTEXT} tokens", costs, sep="\n")
    console.print(f"\n{METHOD}", style="dim", markup=False)
    return {"decoding": decoded, "prefill": read}


def decoding(model: SmallModel, batch: int, start: int, end: int) -> Figures:
    """Time streams that grow from one length to another, at every step the most likely token each.

    The rate is that of all of them together.
    """
    cache = _filled(model, batch, start)

    def decode() -> None:
        _truncate(cache, start)
        tokens = np.zeros((batch, 1), np.intp)
        for _ in range(end - start):
            tokens = model.forward(tokens, cache).argmax(axis=1)[:, None]

    decode()  # The cache is allocated in this call, which is not timed.
    rate = batch * (end - start) / seconds(decode, times=5)
    return {"batch": batch, "start": start, "end": end, "tokens_per_second": rate}


def prefill(model: SmallModel, count: int) -> Figures:
    """Time reading ``count`` tokens in one pass and one by one; the share of the two is the median, turn by turn."""
    cache, tokens = _filled(model, 1, CONTEXT), _tokens(model, 1, count)

    def one_pass() -> None:
        _truncate(cache, CONTEXT)
        model.forward(tokens, cache)

    def one_by_one() -> None:
        _truncate(cache, CONTEXT)
        for column in range(count):
            model.forward(tokens[:, column : column + 1], cache)

    one_by_one()
    slow, fast, ratio = paired(one_by_one, one_pass, times=21)
    return {"tokens": count, "one_pass": fast, "one_by_one": slow, "share": 1 / ratio}


def _filled(model: SmallModel, batch: int, length: int) -> KvCache:
    cache = model.new_cache(batch)
    model.forward(_tokens(model, batch, length), cache)
    return cache


def _tokens(model: SmallModel, batch: int, length: int) -> NDArray[np.int64]:
    """Return some tokens: their meaning does not change how long they take."""
    return np.random.default_rng(0).integers(0, model.config.vocab_size, (batch, length))


def _truncate(cache: KvCache, length: int) -> None:
    for row in range(cache.batch):
        cache.truncate(row, length)
