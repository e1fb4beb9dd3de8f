"""``python3 -m course bench maskbench [CHECKOUT]``: first masks, steps and verdicts on the schemas of MaskBench.

MaskBench (guidance-ai/jsonschemabench, in its folder ``maskbench``) has 11,306 real schemas, and with each some values
that satisfy it and some that do not. Nothing of it is in this repository: the command reads a checkout. Every schema
meets every engine in a process of its own, a fork of one in which the vocabulary is ready, so no schema can profit from
another, or end the run. There the engine first compiles and reads ``WARM_UP``, which is none of these schemas. What was
measured is kept line by line: the same command continues where it was stopped.

Before that, and without a checkout alone, come the sources of ``sources.py``.

Our engine may read each schema in several ways (``--reading``), and has a column for each. By default it's "open":
members that the schema does not mention may come, and members come in its order, as those of the other engines do.

Its work is counted as well, in another process: it's the same on every computer, however much else that one does.
"""

import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from course.showcase.bench.adapters import ENGINES, Buffer, Encode, MaskEngine, absent, import_packages, ours
from course.showcase.bench.sources import reads, run_sources, tekken_encode, without_collector
from course.showcase.measuring import name_missing, plain_table, with_progress
from course.showcase.runs import Limits, Record, Says, apart, read_records
from labkit.automata.work import Limit, at_most
from labkit.pictures import quantity
from labkit.vocabulary import Vocabulary

COMPARED = ("llguidance", "xgrammar")
"""The engines beside ours."""

SAMPLE, SEED = 1000, 0
"""How many schemas are drawn, and the seed of the draw."""

CPU_SECONDS, WALL_SECONDS, MEMORY = 60, 300, 4 << 30
"""What one schema may cost one engine: seconds of processor time, seconds in all, and bytes. MaskBench itself allows
900 s and 40 GB."""

MOST_TOKENS = 4_000
"""The most tokens of one value that are walked."""

WARM_UP: dict[str, Any] = {
    "schema": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 2, "pattern": "^[a-z]"},
            "count": {"type": "number", "minimum": 0.5},
            "kind": {"enum": ["a", 1, None]},
            "tags": {"type": "array", "items": {"$ref": "#/$defs/tag"}, "maxItems": 9},
        },
        "required": ["name"],
        "additionalProperties": {"anyOf": [{"type": "integer"}, {"oneOf": [{"const": "x"}, {"type": "array"}]}]},
        "$defs": {"tag": {"type": "object", "properties": {"next": {"$ref": "#/$defs/tag"}}}},
    },
    "tests": [
        {
            "data": {"name": 'up, "so"', "count": 1.5, "kind": None, "tags": [{"next": {}}], "other": ["x", True]},
            "valid": True,
        }
    ],
}
"""What every engine compiles and reads first in each process: the keywords that most schemas have, and a value of it.

A process that was just forked touches its memory for the first time, that of code too, which costs more than the work;
MaskBench's own runner has one process for many schemas, as a server has. No format is named here, since an engine may
keep its automaton: a schema that asks for one pays for it."""

OUTCOMES = (
    "every value judged right",
    "refused as a whole",
    "a valid value refused",
    "an invalid value accepted",
    "stopped by a limit in mid-answer",
    "ended by time, memory or an error",
)


def run_maskbench(
    console: Console,
    checkout: Path | None,
    results: Path,
    sample: int = SAMPLE,
    seed: int = SEED,
    readings: Sequence[str] = ("open",),
    vocabulary: Vocabulary | None = None,
    encode: Encode | None = None,
) -> list[Record]:
    """Measure the labs' sources, then what is not measured yet; print the tables, and return the sample's records.

    Args:
        checkout: a clone of MaskBench's repository, or its folder ``maskbench``; without it, there are no records.
        results: the file of records, one JSON object a line; it is continued.
        readings: of ``OUR_READINGS``, for our engine.

    Raises:
        ValueError: if the checkout has no data, the results are another file, or this is not Linux.
    """
    if checkout and sys.platform != "linux":
        raise ValueError("a checkout needs Linux: each schema meets each engine in a fork with limits")
    files = draw(checkout, sample, seed) if checkout else []
    records = read_records(results) if checkout else []
    vocabulary, encode = vocabulary or Vocabulary.tekken(), encode or tekken_encode()
    engines = ready(console, vocabulary, encode, readings)
    run_sources(console, engines, vocabulary, encode)
    if not checkout:
        return []
    known = {(record["file"], record["engine"]) for record in records}
    todo = [(file, engine) for file in files for engine in engines if (file.name, engine.name) not in known]
    if records:
        console.print(f"{results} has {len(records):,} records; delete it to measure them again.", markup=False)
    results.parent.mkdir(parents=True, exist_ok=True)
    with results.open("a", encoding="utf-8") as lines:

        def job(file: Path, engine: MaskEngine) -> Record:
            record = measured_apart(file, engine, vocabulary, encode)
            lines.write(json.dumps(record) + "\n")
            lines.flush()
            return record

        jobs = [partial(job, *each) for each in todo]
        records += with_progress(console, "schemas by engines", jobs)
    names = {file.name for file in files}
    records = [record for record in records if record["file"] in names]
    show(console, records, [engine.name for engine in engines])
    return records


def ready(console: Console, vocabulary: Vocabulary, encode: Encode, readings: Sequence[str]) -> list[MaskEngine]:
    """Return the engines that take part, made ready; print how long each took, and which are not installed."""
    missing = absent(COMPARED)
    import_packages([name for name in COMPARED if name not in missing])
    name_missing(console, missing)
    makers: list[Callable[..., MaskEngine]] = [partial(ours, reading=reading) for reading in dict.fromkeys(readings)]
    makers += [ENGINES[name][0] for name in COMPARED if name not in missing]
    engines = []
    for make in makers:
        start = time.perf_counter()
        engines.append(made := make(vocabulary, encode))
        took = quantity(time.perf_counter() - start, "s")
        console.print(f"{made.name} ({made.version}) made the vocabulary ready in {took}", markup=False)
    return engines


def draw(checkout: Path, sample: int, seed: int = SEED) -> list[Path]:
    """Return the files of a sample, the same one on every computer.

    Raises:
        ValueError: if there are none.
    """
    for folder in (checkout / "maskbench" / "data", checkout / "data"):
        if files := sorted(folder.glob("*.json")):
            return sorted(random.Random(seed).sample(files, min(sample, len(files))))
    raise ValueError(
        f"{checkout} has no schemas: give a clone of guidance-ai/jsonschemabench, with maskbench/data in it"
    )


def measured_apart(file: Path, engine: MaskEngine, vocabulary: Vocabulary, encode: Encode) -> Record:
    """Return the record of one schema and engine, measured in a forked process with limits."""

    def work(says: Says) -> None:
        with without_collector():  # a server lets it look through everything seldom
            measured(WARM_UP, engine, vocabulary, encode)
            says(measured(json.loads(file.read_text(encoding="utf-8")), engine, vocabulary, encode))

    limits = Limits(CPU_SECONDS, WALL_SECONDS, MEMORY)
    said, ended, _ = apart(work, limits)
    record = {"file": file.name, "engine": engine.name} | ({"ended": ended} if ended else said[0])
    if "steps" in record and engine.name.startswith("ours"):
        counted = partial(worked, file, engine, vocabulary, encode)
        record["work"] = next(iter(apart(lambda says: says(counted()), limits).said), None)
    return record


def worked(file: Path, engine: MaskEngine, vocabulary: Vocabulary, encode: Encode) -> list[float]:
    """Return the work (``labkit.automata.work``) that our engine spends from a schema to its first mask, and the mean
    of a mask with its step where all values of the suite are read, and again where they have all been read before.
    """
    content, buffer = json.loads(file.read_text(encoding="utf-8")), Buffer(len(vocabulary))
    read = [tokens for _, tokens in values_read(content, vocabulary, encode)]
    measured(WARM_UP, engine, vocabulary, encode)
    total, leave = [0.0], Limit.__exit__

    def left(limit: Limit, *error: Any) -> None:
        total[-1] += limit.most - limit.left if limit.most < inf else 0
        leave(limit, *error)

    setattr(Limit, "__exit__", left)  # noqa: B010  # blocks within a limit have one of their own, and don't count in it
    with at_most(1 << 60):
        start_walk = engine.compile(content["schema"])
        start_walk(buffer).fill()
    steps = list[float]()
    for _ in range(2):
        total.append(0.0)
        with at_most(1 << 60), suppress(ValueError):
            for tokens in read:
                reads(start_walk(buffer), tokens, vocabulary.eos_id, buffer, steps)
    return [total[0], *(2 * each / max(len(steps), 1) for each in total[1:])]


def values_read(content: dict[str, Any], vocabulary: Vocabulary, encode: Encode) -> Iterator[tuple[int, list[int]]]:
    """Yield the number of each value that isn't too long, with its tokens and EOS."""
    for number, test in enumerate(content["tests"]):
        tokens = [*encode(json.dumps(test["data"], ensure_ascii=False)), vocabulary.eos_id]
        if len(tokens) <= MOST_TOKENS:
            yield number, tokens


def measured(content: dict[str, Any], engine: MaskEngine, vocabulary: Vocabulary, encode: Encode) -> Record:
    """Return what one schema cost, in seconds, and the verdicts on its values.

    Returns:
        ``refused``, the engine's error; or ``first``, from the schema to the first mask, ``steps``, a mask with its
        step for each token, and ``wrong``: the numbers of the values that were judged otherwise than MaskBench does.
        ``stopped`` is the engine's error beside them, if it came in the middle of a value.
    """
    buffer = Buffer(len(vocabulary))
    # Ours says no with a ValueError alone; other engines have errors of their own for it.
    refusal = ValueError if engine.name.startswith("ours") else Exception
    start = time.perf_counter()
    try:
        start_walk = engine.compile(content["schema"])
        start_walk(buffer).fill()
    except MemoryError:
        raise  # it met the limit, which is no answer
    except refusal as error:
        return {"refused": str(error)[:300], "first": time.perf_counter() - start}
    first, steps, wrong = time.perf_counter() - start, list[float](), list[int]()
    record: Record = {"first": first, "wrong": wrong, "valid": [test["valid"] for test in content["tests"]]}
    try:
        for number, tokens in values_read(content, vocabulary, encode):
            if reads(start_walk(buffer), tokens, vocabulary.eos_id, buffer, steps) != record["valid"][number]:
                wrong.append(number)
    except MemoryError:
        raise
    except refusal as error:
        record["stopped"] = str(error)[:300]
    return record | {"steps": [round(step, 7) for step in steps]}


def outcome(record: Record) -> str:
    """Return what became of one schema: one of ``OUTCOMES``.

    >>> outcome({"wrong": [0, 1], "valid": [True, False]}), outcome({"wrong": [0], "valid": [True, False]})
    ('an invalid value accepted', 'a valid value refused')
    """
    if "refused" in record:
        return "refused as a whole"
    if "ended" in record:
        return "ended by time, memory or an error"
    if "stopped" in record:
        return "stopped by a limit in mid-answer"
    wrong = [record["valid"][number] for number in record["wrong"]]
    return (
        "every value judged right"
        if not wrong
        else "a valid value refused"
        if all(wrong)
        else "an invalid value accepted"
    )


def show(console: Console, records: Sequence[Record], engines: Sequence[str]) -> None:
    """Print a column for each engine: outcomes, then times."""
    of = {name: [record for record in records if record["engine"] == name] for name in engines}
    table = plain_table("", *[name.replace(", ", ",\n") for name in engines])
    counts = {name: Counter(map(outcome, of[name])) for name in engines}
    for line in OUTCOMES:
        table.add_row(line, *[f"{counts[name][line]:,}" for name in engines])
    compiled = {name: [record for record in of[name] if "steps" in record] for name in engines}
    times = {
        "source to first mask": {name: [record["first"] for record in compiled[name]] for name in engines},
        "a mask with its step": {name: [s for record in compiled[name] for s in record["steps"]] for name in engines},
        "refusal": {name: [record["first"] for record in of[name] if "refused" in record] for name in engines},
    }
    for title, found in times.items():
        for what, figure in FIGURES.items():
            cells = [quantity(figure(found[name]), "s") if found[name] else "" for name in engines]
            table.add_row(f"{title}, {what}", *cells)
    for place, title in enumerate(("work to first mask", "work of a mask with its step", "the same, met before")):
        work = [[record["work"][place] for record in of[name] if record.get("work")] for name in engines]
        for what in ("median", "mean", "99th percentile"):
            table.add_row(f"{title}, {what}", *[f"{FIGURES[what](each):,.0f}" if each else "" for each in work])
    console.print(f"\n[bold]MaskBench[/], {len({record['file'] for record in records}):,} schemas")
    console.print(table)
    console.print("Times are of each engine's own: first masks and steps where it compiled the schema.")


FIGURES: dict[str, Callable[[Sequence[float]], float]] = {
    "median": lambda times: float(np.median(times)),
    "90th percentile": lambda times: float(np.percentile(times, 90)),
    "99th percentile": lambda times: float(np.percentile(times, 99)),
    "longest": max,
    "mean": lambda times: float(np.mean(times)),
}
