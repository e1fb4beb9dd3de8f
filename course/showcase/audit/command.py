"""The command: schemas by engines, a process each, lines of findings that the next run goes on from, and the tables."""

import gzip
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console

from course.showcase.audit.asking import ENDED, SLOW, Asking, asked
from course.showcase.audit.engines import chosen
from course.showcase.audit.oracle import Oracle
from course.showcase.audit.probes import Probe, probes
from course.showcase.audit.shrinking import PLAIN, Pair, keywords, shrunk
from course.showcase.audit.tables import CHECKED, show, write_page
from course.showcase.audit.walking import Ways
from course.showcase.bench.adapters import Buffer, Encode, MaskEngine
from course.showcase.bench.maskbench import MEMORY, draw
from course.showcase.bench.official import cases
from course.showcase.bench.sources import tekken_encode
from course.showcase.measuring import name_missing, with_progress
from course.showcase.runs import Apart, Limits, Record, Says, apart, read_records
from labkit.pictures import quantity
from labkit.vocabulary import Vocabulary

SAMPLE, SEED = 200, 0
"""How many schemas are drawn, and the seed of the draw and of the engines' own texts."""

CPU_SECONDS, WALL_SECONDS = 30, 600
"""What one schema may cost one engine. After a third of the processor time no further question is asked."""

TRIES_APART, SECONDS_APART = 12, 5
"""How often, and how long, a smaller schema is tried that may end its process."""

MOST_KEPT = 2_000
"""The longest schema, value or text that a finding has in its record, in characters."""


class Source(NamedTuple):
    """A schema or a pattern with the suite's values, which is read when it is needed."""

    name: str
    load: Callable[[], tuple[Any, list[dict[str, Any]]]]


def run_audit(
    console: Console,
    suite: Path,
    results: Path,
    engines: Sequence[str] = (),
    sample: int = SAMPLE,
    seed: int = SEED,
    vocabulary: Vocabulary | None = None,
    encode: Encode | None = None,
) -> list[Record]:
    """Audit what isn't audited yet, print the tables, write them beside the records, and return those of the sample.

    Engines of another environment go on in the same file; the tables have all of them.

    Args:
        suite: a clone of MaskBench or of JSON Schema's tests, or a file of JSON lines: such tests, or patterns.
        results: the file of records, one JSON object a line; it is continued.
        engines: names of ``AUDITED``; without any, all that are installed.

    Raises:
        ValueError: if the suite has no schemas, the results are another file, or this is not Linux.
    """
    if sys.platform != "linux":
        raise ValueError("the audit needs Linux: each schema meets each engine in a fork with limits")
    sources, makers = drawn(suite, sample, seed), chosen(engines)
    records = read_records(results, "the audit: name another --out", lambda record: record["kind"] == CHECKED)
    name_missing(console, makers[1])
    vocabulary, encode = vocabulary or Vocabulary.tekken(), encode or tekken_encode()
    ready = []
    for name, make in makers[0].items():
        began = time.perf_counter()
        ready.append((name, make(vocabulary, encode)))
        console.print(f"{name} ready in {quantity(time.perf_counter() - began, 's')}", markup=False)
    known = {(record["file"], record["engine"]) for record in records}
    ways = Ways(vocabulary)
    prepared = lru_cache(1)(_prepared)
    results.parent.mkdir(parents=True, exist_ok=True)
    with results.open("a", encoding="utf-8") as lines:

        def job(source: Source, name: str, engine: MaskEngine) -> None:
            schema, near = prepared(source)
            found = audited(Asking(engine, encode, ways, CPU_SECONDS / 3), schema, near, f"{seed}/{source.name}")
            made = [{"file": source.name, "engine": name, "version": engine.version} | _brief(each) for each in found]
            lines.write("".join(json.dumps(record) + "\n" for record in made))
            lines.flush()
            records.extend(made)

        todo = [(source, *each) for source in sources for each in ready if (source.name, each[0]) not in known]
        with_progress(console, "schemas by engines", [partial(job, *each) for each in todo])
    names = {source.name for source in sources}
    records = [record for record in records if record["file"] in names]
    show(console, records)
    page = results.with_name(f"{results.name}.md")  # nobody's file has that name
    write_page(page, records, f"python3 -m course audit CHECKOUT --sample {sample} --seed {seed}")
    console.print(f"The same as a page, with an example of each: {page}", markup=False)
    return records


def drawn(suite: Path, sample: int, seed: int) -> list[Source]:
    """Return a sample of the suite, the same one on every computer, in an order drawn too. A larger sample begins with
    a smaller one, so whatever is done when a run is stopped is a sample itself.

    Raises:
        ValueError: if there are no schemas.
    """
    if suite.is_dir() and not (suite / "tests").is_dir():
        found = [Source(file.name, partial(_maskbench, file)) for file in draw(suite, 1 << 60)]
    elif suite.is_file() and (patterns := _patterns(suite)):
        found = [Source(name, partial(lambda *each: each, name, tests)) for name, tests in patterns.items()]
    else:
        found = []
        for number, case in enumerate(cases(suite)):
            name = f"{case.file}#{number}"
            found.append(Source(name, partial(lambda *each: each, case.schema, case.tests)))
    random.Random(seed).shuffle(found)
    return found[:sample]


def _maskbench(file: Path) -> tuple[Any, list[dict[str, Any]]]:
    content = json.loads(file.read_text(encoding="utf-8"))
    return content["schema"], content["tests"]


def _patterns(suite: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the patterns of a file with their texts; none if it is a file of schemas."""
    found: dict[str, list[dict[str, Any]]] = {}
    with (gzip.open if suite.suffix == ".gz" else open)(suite, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if "pattern" not in row:
                return {}
            if not row.get("flags"):
                found.setdefault(row["pattern"], []).append({"data": row["text"], "valid": row["fullmatch"]})
    return found


def _prepared(source: Source) -> tuple[Any, list[Probe]]:
    """Return a schema, and the values that all engines are asked about; none if the oracle has no end."""
    schema, tests = source.load()
    said = apart(lambda says: says(probes(schema, tests)), Limits(CPU_SECONDS, WALL_SECONDS, MEMORY)).said
    return schema, said[0] if said else []


def audited(asking: Asking, schema: Any, near: list[Probe], seed: str) -> list[Record]:
    """Return the findings in one schema and engine, whose process has limits; last what is counted."""

    def work(says: Says) -> None:
        asked(asking, schema, near, seed, says)

    done = apart(work, Limits(CPU_SECONDS, WALL_SECONDS, MEMORY))
    findings = [each["finding"] for each in done.said if "finding" in each]
    counts = Counter[str](done.said[-1].get("counts", {}) if done.said else {})
    if done.ended:
        last = next((each for each in reversed(done.said) if "at" in each), {"at": "compiling", "schema": schema})
        if last["at"] == "shrinking":
            findings.append(_unshrunk(last["whole"]))
            counts["cut short"] += 1
        elif (found := _ended(asking, done, last)) is not None:
            findings.append(found)
        else:
            counts["cut short"] += 1
    return [*findings, {"kind": CHECKED, "counts": dict(sorted(counts.items()))}]


def _brief(found: Record) -> Record:
    """Return a finding without what is too long to be an example: the suite has it."""
    return {key: each for key, each in found.items() if key == "counts" or len(json.dumps(each)) <= MOST_KEPT}


def _unshrunk(found: Record) -> Record:
    kept = {key: found[key] for key in ("kind", "schema", "message", "oracle")}
    names = [name for name in keywords(found["schema"]) if name not in PLAIN]
    cause = ", ".join(found.get("blamed") or sorted(set(names))[:3])
    return kept | {"keyword": cause, "text": json.dumps(found["value"]), "shrunk": False}


def _ended(asking: Asking, done: Apart, last: Record) -> Record | None:
    """Return the finding that a process ended, made small in processes that may end, too; None if it was the oracle."""
    reading = last["at"] == "reading"
    if last["at"] == "walking" and not done.crashed:
        return None

    def holds(pair: Pair, seconds: int = SECONDS_APART) -> bool:
        if not isinstance(pair[0], str) and not Oracle(pair[0]).is_schema:
            return False

        def work(says: Says) -> None:
            buffer = Buffer(len(asking.ways.vocabulary))
            start = asking.engine.compile(pair[0])
            start(buffer).fill()
            if reading:
                asking.accepts(start, pair[1], isinstance(pair[0], str))

        again = apart(work, Limits(min(CPU_SECONDS, seconds), WALL_SECONDS, MEMORY))
        return bool(again.ended) and again.crashed == done.crashed and _is_own(again)

    pair = (last["schema"], last.get("value"))
    if last["at"] != "walking":
        if (reading or done.crashed) and not holds(pair, CPU_SECONDS):  # to compile is the engine's work alone
            return None
        pair = shrunk(pair, holds, TRIES_APART, WALL_SECONDS)
    names = sorted({*keywords(pair[0])} - {*PLAIN}) or sorted({*keywords(pair[0])}) or ["no keyword"]
    small = "" if done.crashed else f"; this small one after {min(CPU_SECONDS, SECONDS_APART)} s"
    said = {"schema": pair[0], "message": f"{done.ended}, {last['at']}{small}", "oracle": "the limits"}
    return (
        {"kind": ENDED if done.crashed else SLOW, "keyword": ", ".join(names[:3])}
        | said
        | ({"text": json.dumps(pair[1])} if reading else {})
    )


def _is_own(again: Apart) -> bool:
    """Return whether a process ended by itself or by its limits: an engine's exception is a refusal."""
    return not again.crashed or bool(again.ended and again.ended.startswith(("died", "PanicException")))
