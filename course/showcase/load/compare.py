"""Constrained against free: the same prompts and lengths in turn, on one server in one run.

A round measures each kind for some seconds, so that whatever else this computer does meets all of them. Meanwhile one
client reads plain streams, whose first tokens are timed. In the last two kinds another brings new grammars all the
time: first as often as streams of this length let it, then with streams that end at once, so that there is hardly
anything between one compile and the next.
"""

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from statistics import median
from typing import Any
from urllib.parse import urlsplit

from rich import box
from rich.console import Console
from rich.table import Table

from course.showcase.load.clients import TIMEOUT
from course.showcase.load.errands import CHAT, PERSON, PROMPTS, TICKET
from course.showcase.load.run import metrics, server, settled
from labkit.vocabulary import Vocabulary

LENGTH = 100
"""Tokens that are read of each stream, after which its client leaves."""

LEAST, MOST = 0.98, 1.1
"""How much of the free streams' throughput constrained ones shall have, and how much later a plain stream may begin."""

LOOK: dict[str, Any] = {"box": box.SIMPLE, "show_edge": False, "padding": (0, 1, 0, 0)}

SHORT = 4
"""Tokens that are read of a short stream."""

STRESS = "in a row"
"""The kind for which nothing is asked: it shows what a new grammar costs."""

CPU, HEADERS = "process_cpu_seconds_total", {"Content-Type": "application/json"}

_numbers = count()


def _many(item: dict[str, Any]) -> dict[str, Any]:
    """Return a format in which no answer ends within ``LENGTH`` tokens."""
    return {"response_format": {"type": "json_schema", "schema": {"type": "array", "items": item, "minItems": 12}}}


FORMATS: dict[str, Callable[[], dict[str, Any]]] = {
    "free": dict,
    "one schema": lambda: _many(PERSON),
    "new": lambda: _many(PERSON | {"title": f"{time.time_ns()}-{next(_numbers)}"}),
    "tickets": lambda: _many(TICKET),
}
"""What a stream asks for besides a prompt; "new" is never asked for twice, so it has to be compiled."""

KINDS = {
    "free": ("free", "free", LENGTH),
    "one schema": ("one schema", "one schema", LENGTH),
    "and new ones": ("one schema", "new", LENGTH),
    STRESS: ("one schema", "new", SHORT),
}
"""What is compared: the format of all streams but two, then that of one, and its length. The last one is plain."""

DRAFTED = ("free", "one schema", "tickets")
"""What is compared with drafts and without: free text, values that the model chooses, and hardly any choice."""


@dataclass
class Measured:
    """What was measured of one kind, in each round.

    Attributes:
        speeds, efforts: tokens a second by the clock, and by the server's processor time, which is what to look at if
            the computer has other work.
        turns: tokens that a stream got from a pass.
        compiles: grammars a second that were not there before.
        firsts: the median time of a plain stream's first token, in seconds.
    """

    speeds: list[float] = field(default_factory=list)
    efforts: list[float] = field(default_factory=list)
    turns: list[float] = field(default_factory=list)
    compiles: list[float] = field(default_factory=list)
    firsts: list[float] = field(default_factory=list)


def run_compare(console: Console, url: str | None, seconds: float, clients: int, rounds: int = 6) -> int:
    """Measure and print the report; return 1 if constrained streams, or plain ones beside them, are too slow.

    Args:
        seconds: for each kind, in all rounds together.
    """
    found = {kind: Measured() for kind in KINDS}
    with server(url) as (address, _):
        for _ in range(rounds):
            for kind, measured in found.items():
                _measure(measured, address, kind, seconds / rounds, clients)
    console.print(f"{clients} streams of {LENGTH} tokens, {rounds} rounds of {seconds / rounds:.1f} s for each kind")
    console.print("tokens a second by the clock and by CPU time; a plain stream's first token; each to free")
    drawn = Table("streams", "new/s", "tokens/s", "to free", "by CPU", "first", "to free", **LOOK)
    slow = []
    for kind, each in found.items():
        free = found["free"]
        speeds, efforts = _ratios(each.speeds, free.speeds), _ratios(each.efforts, free.efforts)
        firsts = _ratios(each.firsts, free.firsts)
        tokens, first = f"{median(each.speeds):,.0f}", f"{median(each.firsts) * 1000:.0f} ms"
        new = f"{median(each.compiles):.1f}"
        drawn.add_row(kind, new, tokens, _said(speeds), f"{median(efforts):.2f}", first, _said(firsts))
        slow += [kind] * (kind != STRESS and (median(speeds) < LEAST or median(firsts) > MOST))
    console.print(drawn)
    for kind in slow:
        console.print(f"too slow: {kind} (at least {LEAST} of the tokens, at most {MOST} of the wait)", style="red")
    return 1 if slow else 0


def run_drafts(console: Console, draft: int, seconds: float, clients: int, rounds: int = 6) -> int:
    """Measure the same streams on two servers in turn, one of which drafts, and print a table; return 0."""
    found = {kind: (Measured(), Measured()) for kind in DRAFTED}
    with server(None) as (plain, _), server(None, draft) as (drafting, _):
        for _ in range(rounds):
            for kind, both in found.items():
                for address, measured in zip((plain, drafting), both, strict=True):
                    settled(address)
                    with _reading(address, kind, clients):
                        time.sleep(min(1.0, seconds / rounds / 4))
                        _count(measured, address, seconds / rounds / 2)
    console.print(
        f"{clients} streams of {LENGTH} tokens, {rounds} rounds of {seconds / rounds / 2:.1f} s for each server"
    )
    console.print(f"drafts of {draft} tokens; tokens a second by the clock and by CPU time, to those without drafts")
    drawn = Table("streams", "tokens/s", "with drafts", "to without", "by CPU", "tokens a pass", **LOOK)
    for kind, (without, drafts) in found.items():
        speeds = [f"{median(each.speeds):,.0f}" for each in (without, drafts)]
        ratios = _ratios(drafts.speeds, without.speeds), _ratios(drafts.efforts, without.efforts)
        drawn.add_row(kind, *speeds, *map(_said, ratios), f"{median(drafts.turns):.2f}")
    console.print(drawn)
    return 0


def _ratios(values: list[float], to: list[float]) -> list[float]:
    return [value / other for value, other in zip(values, to, strict=True)]


def _said(ratios: list[float]) -> str:
    return f"{median(ratios):.2f} ({min(ratios):.1f}-{max(ratios):.1f})"


def _measure(measured: Measured, address: str, kind: str, seconds: float, clients: int) -> None:
    """Measure a kind for some seconds, once all clients read."""
    settled(address)
    firsts: list[float] = []
    asked, beside, length = KINDS[kind]
    with (
        _reading(address, asked, clients - 2),
        _reading(address, beside, 1, length),
        _reading(address, "free", 1, SHORT, firsts),
    ):
        time.sleep(min(1.0, seconds / 4))
        firsts.clear()
        _count(measured, address, seconds)
    measured.firsts.append(median(firsts))


def _count(measured: Measured, address: str, seconds: float) -> None:
    """Note what a server writes meanwhile."""
    began, before = time.monotonic(), metrics(address)
    time.sleep(seconds)
    took, after = time.monotonic() - began, metrics(address)
    names = "generation_tokens_total", CPU, "turns_total", "grammar_misses_total"
    written, worked, turns, new = (after.get(name, 0.0) - before.get(name, 0.0) for name in names)
    written = max(written, 1.0)  # a server that has no time at all has a ratio, too
    measured.speeds.append(written / took)
    measured.efforts.append(written / max(worked, 0.01))
    measured.turns.append(written / max(turns, 1))
    measured.compiles.append(new / took)


@contextmanager
def _reading(
    address: str, asked: str, clients: int, length: int = LENGTH, firsts: list[float] | None = None
) -> Iterator[None]:
    """Have clients read streams of a format, one after the other, and note when the first token came."""
    over, failed = threading.Event(), list[str]()
    prompt = {"model": "small", "messages": [{"role": "user", "content": PROMPTS[0]}], "stream": True}
    # Free answers shall be as long.
    prompt |= {"max_tokens": 950, "logit_bias": {str(Vocabulary.small().eos_id): -100}}

    def work() -> None:
        while not over.is_set():
            connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=TIMEOUT)
            began, read = time.monotonic(), 0
            connection.request("POST", CHAT, json.dumps(prompt | FORMATS[asked]()), HEADERS)
            response = connection.getresponse()
            for line in response:
                read += line.startswith(b"data: ")
                if read == 1 and firsts is not None and line.strip():
                    firsts.append(time.monotonic() - began)
                if read == length or over.is_set():
                    break
            else:
                failed.append(f"{asked}: {response.status} after {read} tokens")
                over.set()
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(clients)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()
    if failed:
        raise ValueError(f"a stream ended early: {failed[0]}")
