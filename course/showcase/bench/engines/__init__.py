"""``python3 -m course bench engines``: the course's engine and today's, in one process on one vocabulary."""

from collections.abc import Sequence
from functools import partial
from tempfile import TemporaryDirectory
from time import perf_counter

from rich.console import Console

from course.showcase.bench.engines.adapters import Buffer, Encode, MaskEngine, absent, import_packages, make_ready
from course.showcase.bench.engines.differences import compare, judge
from course.showcase.bench.engines.report import Timings, as_data, show
from course.showcase.bench.engines.timing import refusal, take_turns, time_steps
from course.showcase.bench.engines.work import Work, tekken_encode, walks, work_set
from course.showcase.measuring import name_missing, with_progress
from labkit.pictures import quantity
from labkit.vocabulary import Vocabulary
from mask_engine import index_of


def run_engines(
    console: Console,
    vocabulary: Vocabulary,
    encode: Encode | None = None,
    work: Sequence[Work] | None = None,
    engines: Sequence[MaskEngine] | None = None,
) -> tuple[dict[str, object], bool]:
    """Measure, print the tables, and return the data, and whether our masks were right wherever an engine's differ.

    Args:
        encode: the vocabulary's tokenizer; by default Tekken's.
    """
    encode = encode or tekken_encode()
    ready: dict[str, float] = {}
    if engines is None:
        import_packages()
        made = with_progress(console, "making engines ready", make_ready(vocabulary, encode))
        engines, ready = [engine for engine, _ in made], {engine.name: took for engine, took in made}
        ready[f"{engines[0].name} from disk"] = from_disk(vocabulary)
    names = (f"{engine.name} {engine.version}" for engine in engines)
    console.print("Engines: " + ", ".join(names), markup=False)
    for name, took in ready.items():
        console.print(f"  {name} made the vocabulary ready in {quantity(took, 's')}", markup=False)
    if name_missing(console, absent()):
        console.print("requirements/bench.txt says what they weigh.")
    items = [partial(measure, each, engines, vocabulary, encode) for each in work or work_set()]
    results = with_progress(console, "measuring engines", items)
    show(console, results, [engine.name for engine in engines], len(vocabulary))
    versions = {engine.name: engine.version for engine in engines}
    right = all(finding.ours_right for result in results for finding in result.findings)
    return {"versions": versions, "ready": ready, **as_data(results, list(versions))}, right


def from_disk(vocabulary: Vocabulary) -> float:
    """Return how many seconds our engine takes to make a vocabulary ready that another process has kept on disk."""
    tokens, eos_id, special_ids = vocabulary.token_bytes, vocabulary.eos_id, vocabulary.special_ids
    first, second = (Vocabulary(tokens, eos_id=eos_id, special_ids=special_ids) for _ in range(2))
    with TemporaryDirectory() as folder:
        index_of(first, folder)
        start = perf_counter()
        index_of(second, folder)
        return perf_counter() - start


def measure(work: Work, engines: Sequence[MaskEngine], vocabulary: Vocabulary, encode: Encode) -> Timings:
    """Time the engines in turn on one item; on a pattern, compare their masks with ours, which are the first's."""
    refused = {engine.name: why for engine in engines[1:] if (why := refusal(engine, work.language))}
    taking_part = [engine for engine in engines if engine.name not in refused]
    compiled = {engine.name: engine.compile(work.language) for engine in taking_part}
    ours, along = engines[0].name, walks(work, compiled[engines[0].name], vocabulary, encode)
    turns = take_turns(taking_part, work.language, along[0], len(vocabulary))
    steps = time_steps(compiled, along, Buffer(len(vocabulary)))
    others = {name: other for name, other in compiled.items() if name != ours and work.schema is None}
    compared = {name: compare(compiled[ours], other, along, vocabulary) for name, other in others.items()}
    found = (judge(name, work, each.differences, vocabulary) for name, each in compared.items())
    return Timings(work, turns, steps, compared, tuple(finding for findings in found for finding in findings), refused)
