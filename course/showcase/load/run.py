"""A load test: warm the server up, push it, look at what it still holds, and stop it while it works."""

import http.client
import random
import re
import signal
import subprocess
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from statistics import median

from rich import box
from rich.console import Console
from rich.table import Table

from course.showcase.load.clients import Visit, visit
from course.showcase.load.errands import KINDS
from course.student.core.served import served

OUTCOMES = ("answered", "refused", "busy", "aborted", "told", "invalid", "lost")

GRACE = 5
"""Seconds that running requests have after SIGTERM."""

MORE_MEMORY = 1.1
"""How many times as much memory as after the warm-up the server may hold: the guides that it keeps differ in size."""

MOST_MEMORY = 400e6
"""Bytes that the server may hold, whatever is asked."""

GAUGES = (
    "requests_running",
    "requests_waiting",
    "kv_cache_slots_used",
    "streams",
    "grammars_awaited",
    "grammar_tickets",
)
"""What must be 0 when everybody has gone."""


def run_load(console: Console, url: str | None, seconds: float, clients: int, seed: int, draft: int = 0) -> int:
    """Run the test and print its table; return 1 if an answer was lost or invalid, or something was left behind."""
    problems: list[str] = []
    with server(url, draft) as (address, process):
        push(address, max(seconds, 1), clients, seed + 1)
        settled(address)
        before = metrics(address)
        with weighed(address) as weights:
            visits = push(address, seconds, clients, seed)
        problems += settled(address)
        after = metrics(address)
        console.print(table(visits))
        memory = [values.get("resident_memory_bytes", 0.0) for values in (before, after)]
        tokens = after["generation_tokens_total"] - before["generation_tokens_total"]
        console.print(f"{len(visits)} requests, {clients} at a time; {tokens / seconds:,.0f} tokens a second")
        held = [f"{each / 1e6:.0f} MB" for each in (*memory, max(weights))]
        console.print(f"memory of the server: {held[0]} after the warm-up, {held[1]} after the load, at most {held[2]}")
        if process is not None:
            stopped, ending = stopped_while_working(address, process, clients, seed + 2)
            console.print(ending)
            visits += stopped
    problems += [
        f"{each.outcome}: {each.kind}, {each.manner}: {each.detail}"
        for each in visits
        if each.outcome in ("invalid", "lost")
    ]
    if memory[1] > MORE_MEMORY * memory[0]:
        problems.append(f"the server holds over {MORE_MEMORY - 1:.0%} more memory than before")
    if max(weights) > MOST_MEMORY:
        problems.append(f"the server held more than {MOST_MEMORY / 1e6:.0f} MB")
    for problem in problems[:20]:
        console.print(problem, style="red", markup=False)
    return 1 if problems else 0


@contextmanager
def server(url: str | None, draft: int = 0) -> Iterator[tuple[str, subprocess.Popen[str] | None]]:
    """Give the address of a server: the one that runs already, or one of our own, which ends with this."""
    if url is not None:
        try:
            metrics(url.rstrip("/"))
        except OSError as error:
            raise ValueError(f"no server of this course answers at {url}: {error}") from error
        yield url.rstrip("/"), None
        return
    with served("--grace", str(GRACE), *["--draft", str(draft)] * bool(draft)) as ours:
        yield ours.address, ours.process


@contextmanager
def weighed(address: str) -> Iterator[list[float]]:
    """Look at the server's memory until this ends, and give what it held, in bytes."""
    found, over = [0.0], threading.Event()

    def weigh() -> None:
        while not over.wait(0.5):
            with suppress(OSError, http.client.HTTPException):  # of a server that is busy, or gone
                found.append(metrics(address).get("resident_memory_bytes", 0.0))

    thread = threading.Thread(target=weigh)
    thread.start()
    try:
        yield found
    finally:
        over.set()
        thread.join()


def push(address: str, seconds: float, clients: int, seed: int, stop: threading.Event | None = None) -> list[Visit]:
    """Let clients come one after the other in each of some threads; return all their visits."""
    visits: list[Visit] = []
    end = time.monotonic() + seconds

    def work(number: int) -> None:
        dice = random.Random(seed * 1000 + number)
        while time.monotonic() < end and not (stop and stop.is_set()):
            visits.append(visit(address, dice))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return visits


def metrics(address: str) -> dict[str, float]:
    """Return the server's numbers by name, without those that have labels."""
    with urllib.request.urlopen(f"{address}/metrics", timeout=30) as response:
        text = response.read().decode()
    return {name: float(value) for name, value in re.findall(r"^course_(\w+) (\S+)$", text, re.M)}


def settled(address: str) -> list[str]:
    """Wait until the server holds no request; return what it holds after ten seconds all the same."""
    for _ in range(100):
        values = metrics(address)
        held = [f"{values[name]:.0f} {name} after the end" for name in GAUGES if values.get(name)]
        if not held:
            return []
        time.sleep(0.1)
    return held


def stopped_while_working(
    address: str, process: subprocess.Popen[str], clients: int, seed: int
) -> tuple[list[Visit], str]:
    """Send SIGTERM while clients are served; return their visits up to it, and a line about the end."""
    visits: list[Visit] = []
    stop = threading.Event()
    pushing = threading.Thread(target=lambda: visits.extend(push(address, 60, clients, seed, stop)))
    pushing.start()
    time.sleep(2)
    stop.set()  # nobody comes after this: who is there must be served or told
    time.sleep(0.1)
    process.send_signal(signal.SIGTERM)
    began = time.monotonic()
    pushing.join()
    process.wait(timeout=60)
    counts = Counter(each.outcome for each in visits)
    said = ", ".join(f"{counts[name]} {name}" for name in OUTCOMES if counts[name])
    return visits, f"SIGTERM with {clients} clients: {said}; ended after {time.monotonic() - began:.1f} s"


def table(visits: Sequence[Visit]) -> Table:
    """Return how the requests of each kind came out, and the median time of whole answers."""
    drawn = Table("kind", *OUTCOMES, "median s", box=box.SIMPLE, show_edge=False, padding=(0, 1, 0, 0))
    for kind in (*KINDS, "malformed"):
        ours = [each for each in visits if each.kind == kind]
        counts = Counter(each.outcome for each in ours)
        times = [each.seconds for each in ours if each.outcome in ("answered", "refused") and each.manner == "whole"]
        drawn.add_row(kind, *(str(counts[name]) for name in OUTCOMES), f"{median(times):.2f}" if times else "")
    return drawn
