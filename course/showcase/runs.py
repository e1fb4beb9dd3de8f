"""What a run of hours needs: a process with limits for each job, and lines of results that it goes on from."""

import json
import multiprocessing
import os
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

Record = dict[str, Any]

Says = Callable[[Any], None]
"""Sends what was found so far out of the process, so that it stays known if the next step has no end."""

_START = b'{"file": '
"""How a record's line begins."""


class Limits(NamedTuple):
    """What one job may cost: seconds of processor time, seconds in all, and bytes beside those that it begins with."""

    cpu: int
    wall: int
    memory: int


class Apart(NamedTuple):
    """What a job said, why it ended early if it did, and whether it died of itself, by no limit of ours."""

    said: list[Any]
    ended: str | None
    crashed: bool = False


def apart(work: Callable[[Says], None], limits: Limits) -> Apart:
    """Do a job in a forked process with limits.

    >>> apart(lambda says: says(1 + 1), Limits(9, 9, 1 << 30))
    Apart(said=[2], ended=None, crashed=False)
    >>> apart(lambda says: [says("begun"), 1 / 0], Limits(9, 9, 1 << 30))
    Apart(said=['begun'], ended='ZeroDivisionError: division by zero', crashed=True)
    """
    context = multiprocessing.get_context("fork")
    hears, tells = context.Pipe(duplex=False)
    child = context.Process(target=_limited, args=(work, limits, tells), daemon=True)
    child.start()
    tells.close()
    said, deadline = list[Any](), time.monotonic() + limits.wall
    try:
        while hears.poll(max(0.0, deadline - time.monotonic())):
            what, content = hears.recv()
            if what == "end":
                return Apart(said, content, content is not None and not content.startswith("MemoryError"))
            said.append(content)
        return Apart(said, f"more than {limits.wall} s")
    except EOFError:
        child.join()
        signal = -(child.exitcode or 0)
        if signal == 9:  # the kernel's, for time or for memory
            return Apart(said, f"killed, perhaps after {limits.cpu} s of processor time")
        return Apart(said, f"died of signal {signal}", crashed=True)
    finally:
        child.kill()
        child.join()
        hears.close()


def _limited(work: Callable[[Says], None], limits: Limits, tells: Connection) -> None:
    import resource  # Windows has no such module

    resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu, limits.cpu))
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + limits.memory, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    ended = None
    try:
        work(lambda content: tells.send(("said", content)))
    except BaseException as error:  # the parent must learn of it, whatever it is
        ended = f"{type(error).__name__}: {error}"[:300]
    tells.send(("end", ended))


def read_records(
    results: Path, whose: str = "maskbench: name another --json", whole: Callable[[Record], bool] = lambda record: True
) -> list[Record]:
    """Return what was found before; what a run was ended in the middle of is removed from the file.

    Args:
        whose: what the file belongs to, and how to name another.
        whole: whether a job's last record is this one; what follows the last of them is unfinished.

    Raises:
        ValueError: if a line is no record, so that this may be somebody's other file.
    """
    if not results.exists():
        return []
    content, records, size, kept = results.read_bytes(), list[Record](), 0, (0, 0)
    for number, line in enumerate(content.splitlines(keepends=True), 1):
        if not line.endswith(b"\n") and line[: len(_START)] == _START[: len(line)]:
            break  # the run was ended while it wrote
        try:
            record = json.loads(line)
            record["file"], record["engine"]
        except (ValueError, TypeError, KeyError):
            raise ValueError(f"line {number} of {results} is no record of {whose}") from None
        records.append(record)
        size += len(line)
        if whole(record):
            kept = (len(records), size)
    if kept[1] < len(content):
        os.truncate(results, kept[1])
    return records[: kept[0]]
