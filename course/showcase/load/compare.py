"""Constrained against free: the same prompts and lengths in turn, on one server in one run.

A round measures each kind for some seconds, so that whatever else this computer does meets all of them. In each, all
clients but one read streams of one kind, and the last reads plain streams, whose first tokens are timed.
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
from course.showcase.load.errands import CHAT, PERSON, PROMPTS
from course.showcase.load.run import metrics, server, settled
from labkit.vocabulary import Vocabulary

LENGTH = 100
"""Tokens that are read of each stream, after which its client leaves."""

LEAST, MOST = 0.98, 1.1
"""How much of the free streams' throughput constrained ones shall have, and how much later a plain stream may begin."""

_numbers = count()


def _people(**more: Any) -> dict[str, Any]:
    """Return a format in which no answer ends within ``LENGTH`` tokens."""
    people = {"type": "array", "items": PERSON | more, "minItems": 12}
    return {"response_format": {"type": "json_schema", "schema": people}}


KINDS: dict[str, Callable[[], dict[str, Any]]] = {
    "free": dict,
    "one schema": _people,
    "a new schema each": lambda: _people(title=f"{time.time_ns()}-{next(_numbers)}"),
}
"""What the streams of each kind ask for besides a prompt."""


@dataclass
class Measured:
    """What was measured of one kind, in each round: tokens a second, and the median time of a first token."""

    speeds: list[float] = field(default_factory=list)
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
                speed, first = _measure(address, kind, seconds / rounds, clients)
                measured.speeds.append(speed)
                measured.firsts.append(first)
    shares = {kind: _ratios(each.speeds, found["free"].speeds) for kind, each in found.items()}
    delays = {kind: _ratios(each.firsts, found["free"].firsts) for kind, each in found.items()}
    drawn = Table("streams", "tokens/s", "to free", "plain first token", "to free", box=box.SIMPLE, show_edge=False)
    for kind, each in found.items():
        first = f"{median(each.firsts) * 1000:.0f} ms"
        drawn.add_row(kind, f"{median(each.speeds):,.0f}", _said(shares[kind]), first, _said(delays[kind]))
    console.print(f"{clients} streams of {LENGTH} tokens, {rounds} rounds of {seconds / rounds:.0f} s for each kind")
    console.print(drawn)
    slow = [kind for kind in KINDS if median(shares[kind]) < LEAST or median(delays[kind]) > MOST]
    for kind in slow:
        console.print(f"too slow: {kind} (at least {LEAST} of the tokens, at most {MOST} of the wait)", style="red")
    return 1 if slow else 0


def _ratios(values: list[float], to: list[float]) -> list[float]:
    return [value / other for value, other in zip(values, to, strict=True)]


def _said(ratios: list[float]) -> str:
    return f"{median(ratios):.3f} ({min(ratios):.2f} to {max(ratios):.2f})"


def _measure(address: str, kind: str, seconds: float, clients: int) -> tuple[float, float]:
    """Return how many tokens a second the server writes, and the median time to a plain stream's first one."""
    settled(address)
    firsts: list[float] = []
    with _reading(address, kind, clients - 1), _reading(address, "free", 1, firsts):
        time.sleep(min(1.0, seconds / 4))  # until all run
        firsts.clear()
        began, before = time.monotonic(), metrics(address)["generation_tokens_total"]
        time.sleep(seconds)
        written = metrics(address)["generation_tokens_total"] - before
        return written / (time.monotonic() - began), median(firsts)


@contextmanager
def _reading(address: str, kind: str, clients: int, firsts: list[float] | None = None) -> Iterator[None]:
    """Have clients read streams of a kind, one after the other; short ones, if their first tokens are timed."""
    over, failed = threading.Event(), list[str]()
    length = LENGTH if firsts is None else 4
    prompt = {
        "messages": [{"role": "user", "content": PROMPTS[0]}],
        "model": "small",
        "stream": True,
        "max_tokens": 950,
    }
    prompt |= {"logit_bias": {str(Vocabulary.small().eos_id): -100}}  # so that free answers are as long

    def work() -> None:
        while not over.is_set():
            connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=TIMEOUT)
            body = json.dumps(prompt | KINDS[kind]())
            began = time.monotonic()
            connection.request("POST", CHAT, body, {"Content-Type": "application/json"})
            response, read = connection.getresponse(), 0
            for line in response:
                if line.startswith(b"data: "):
                    read += 1
                    if read == 1 and firsts is not None:
                        firsts.append(time.monotonic() - began)
                if read == length or over.is_set():
                    break
            else:
                failed.append(f"{kind}: {response.status} after {read} tokens")
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
