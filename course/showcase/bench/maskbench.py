"""``python3 -m course bench maskbench CHECKOUT``: first masks, steps and verdicts on the schemas of MaskBench.

MaskBench (guidance-ai/jsonschemabench, in its folder ``maskbench``) has 11,306 real schemas, and with each some values
that satisfy it and some that do not. Nothing of it is in this repository: the command reads a checkout. Every schema
meets every engine in a process of its own, a fork of one in which the vocabulary is ready, so no schema can profit from
another, or end the run. What was measured is kept line by line: the same command continues where it was stopped.
"""

import json
import os
import random
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from course.showcase.bench.engines.adapters import ENGINES, Buffer, Encode, Engine, Walk, absent, import_packages
from course.showcase.bench.engines.work import tekken_encode
from course.showcase.measuring import name_missing, plain_table, with_progress
from labkit.pictures import quantity
from labkit.vocabulary import Vocabulary

COMPARED = ("ours", "llguidance", "xgrammar")
"""The engines that take part. outlines-core takes minutes for some schemas, and MaskBench's own figures have it."""

SAMPLE, SEED = 1000, 0
"""How many schemas are drawn, and the seed of the draw."""

CPU_SECONDS, MEMORY = 60, 4 << 30
"""What one schema may cost one engine, in processor time and in bytes. MaskBench itself allows 900 s and 40 GB."""

MOST_TOKENS = 4_000
"""The most tokens of one value that are walked."""

WARM_UP: dict[str, Any] = {
    "schema": {"type": "object", "properties": {"warm": {"type": "array", "items": {}}}, "required": ["warm"]},
    "tests": [{"data": {"warm": ["\u00fcp", 1.5, True, None]}, "valid": True}],
}
"""What every engine compiles and reads first in each process. A process that was just forked touches its memory for the
first time, which costs more than the work; MaskBench's own runner has one process for many schemas."""

PERCENTILES = (50, 90, 99)

Record = dict[str, Any]

OUTCOMES = (
    "passed",
    "refused",
    "refused something valid",
    "accepted something invalid",
    "ended by a limit or an error",
)


def run_maskbench(
    console: Console, checkout: Path, results: Path, sample: int = SAMPLE, vocabulary: Vocabulary | None = None
) -> list[Record]:
    """Measure what is not measured yet, print the table, and return the records of the sample.

    Args:
        checkout: a clone of MaskBench's repository, or its folder ``maskbench``.
        results: the file of records, one JSON object a line; it is continued.

    Raises:
        ValueError: if the checkout has no data.
    """
    files = draw(checkout, sample)
    vocabulary, encode = vocabulary or Vocabulary.tekken(), tekken_encode()
    import_packages()
    missing = [name for name in absent() if name in COMPARED]
    name_missing(console, missing)
    makers = [partial(ENGINES[name][0], vocabulary, encode) for name in COMPARED if name not in missing]
    engines = with_progress(console, "making engines ready", makers)
    known = {(record["file"], record["engine"]) for record in read_records(results)}
    todo = [(file, engine) for file in files for engine in engines if (file.name, engine.name) not in known]
    results.parent.mkdir(parents=True, exist_ok=True)
    with results.open("a", encoding="utf-8") as lines:

        def job(file: Path, engine: Engine) -> None:
            lines.write(json.dumps(measured_apart(file, engine, vocabulary, encode)) + "\n")
            lines.flush()

        with_progress(console, "schemas by engines", [partial(job, *each) for each in todo])
    names = {file.name for file in files}
    records = [record for record in read_records(results) if record["file"] in names]
    show(console, records, [engine.name for engine in engines])
    return records


def draw(checkout: Path, sample: int, seed: int = SEED) -> list[Path]:
    """Return the files of a sample, the same one on every computer.

    Raises:
        ValueError: if there are none.
    """
    for folder in (checkout / "maskbench" / "data", checkout / "data", checkout):
        if files := sorted(folder.glob("*---*.json")):
            return sorted(random.Random(seed).sample(files, min(sample, len(files))))
    raise ValueError(
        f"{checkout} has no schemas: give a clone of guidance-ai/jsonschemabench, with maskbench/data in it"
    )


def read_records(results: Path) -> Iterator[Record]:
    """Yield what was measured before; a last line that was cut off is left out."""
    for line in results.read_text(encoding="utf-8").splitlines() if results.exists() else ():
        try:
            yield json.loads(line)
        except json.JSONDecodeError:
            return


def measured_apart(file: Path, engine: Engine, vocabulary: Vocabulary, encode: Encode) -> Record:
    """Return the record of one schema and engine, measured in a forked process with limits."""
    record: Record = {"file": file.name, "engine": engine.name}
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        os.close(reading)
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        try:
            content = json.loads(file.read_text(encoding="utf-8"))
            here = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (here + MEMORY,) * 2)
            measured(WARM_UP, engine, vocabulary, encode)
            found = measured(content, engine, vocabulary, encode)
        except BaseException as error:  # the parent must learn of it, whatever it is
            found = {"ended": f"{type(error).__name__}: {error}"[:300]}
        with os.fdopen(writing, "w", encoding="utf-8") as out:
            out.write(json.dumps(found))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as answer:
        text = answer.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return record | (json.loads(text) if text else {"ended": f"exit status {status}"})


def measured(content: dict[str, Any], engine: Engine, vocabulary: Vocabulary, encode: Encode) -> Record:
    """Return what one schema cost, in seconds, and the verdicts on its values.

    Returns:
        ``refused``, the engine's error; or ``first``, from the schema to the first mask, ``steps``, a mask with its
        step for each token, and ``wrong``: the numbers of the values that were judged otherwise than MaskBench does.
    """
    buffer = Buffer(len(vocabulary))
    start = time.perf_counter()
    try:
        walk = (compiled := engine.compile(content["schema"])).start(buffer)
        walk.fill()
    except ValueError as error:
        return {"refused": str(error)[:300], "first": time.perf_counter() - start}
    first, steps, wrong = time.perf_counter() - start, list[float](), list[int]()
    for number, test in enumerate(content["tests"]):
        tokens = [*encode(json.dumps(test["data"], ensure_ascii=False)), vocabulary.eos_id]
        if (
            len(tokens) <= MOST_TOKENS
            and reads(compiled.start(buffer), tokens, vocabulary.eos_id, buffer, steps) != test["valid"]
        ):
            wrong.append(number)
    return {"first": first, "steps": steps, "wrong": wrong, "valid": [test["valid"] for test in content["tests"]]}


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


def outcome(record: Record) -> str:
    """Return what became of one schema: ``passed``, or why it did not pass.

    >>> outcome({"wrong": [1], "valid": [True, False]}), outcome({"refused": "not supported"})
    ('accepted something invalid', 'refused')
    """
    if "refused" in record:
        return "refused"
    if "ended" in record:
        return "ended by a limit or an error"
    wrong = [record["valid"][number] for number in record["wrong"]]
    return "passed" if not wrong else "refused something valid" if all(wrong) else "accepted something invalid"


def show(console: Console, records: Sequence[Record], engines: Sequence[str]) -> None:
    """Print a column for each engine: outcomes, then times."""
    of = {name: [record for record in records if record["engine"] == name] for name in engines}
    table = plain_table("", *engines)
    counts = {name: Counter(map(outcome, of[name])) for name in engines}
    for line in OUTCOMES:
        table.add_row(line, *[str(counts[name][line]) for name in engines])
    firsts = {name: [r["first"] for r in of[name] if "first" in r and "refused" not in r] for name in engines}
    steps = {name: [step for r in of[name] for step in r.get("steps", ())] for name in engines}
    refusals = {name: [r["first"] for r in of[name] if "refused" in r] for name in engines}
    for title, times in (("first mask", firsts), ("a mask with its step", steps), ("a refusal", refusals)):
        for what, figure in _figures():
            table.add_row(f"{title}, {what}", *[_cell(figure, times[name]) for name in engines])
    console.print(f"\n[bold]MaskBench[/], {len({record['file'] for record in records}):,} schemas")
    console.print(table)


def _figures() -> list[tuple[str, Callable[[Sequence[float]], float]]]:
    at = [(f"{p}th percentile", lambda times, p=p: float(np.percentile(times, p))) for p in PERCENTILES]
    return [*at, ("longest", max), ("mean", lambda times: float(np.mean(times)))]


def _cell(figure: Callable[[Sequence[float]], float], times: Sequence[float]) -> str:
    return quantity(figure(times), "s") if times else ""
