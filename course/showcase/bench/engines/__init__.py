"""``python3 -m course bench engines``: the course's engine and today's, in one process on one vocabulary."""

from collections.abc import Sequence
from functools import partial

from rich.console import Console

from course.showcase.bench.engines.adapters import Buffer, Encode, Engine, absent, make_ready
from course.showcase.bench.engines.differences import compare, judge
from course.showcase.bench.engines.report import Result, as_data, show
from course.showcase.bench.engines.work import Work, take_turns, tekken_encode, time_steps, walks, work_set
from course.showcase.measuring import name_missing, with_progress
from labkit.vocabulary import Vocabulary


def run_engines(
    console: Console,
    vocabulary: Vocabulary,
    encode: Encode | None = None,
    work: Sequence[Work] | None = None,
    engines: Sequence[Engine] | None = None,
) -> tuple[dict[str, object], bool]:
    """Measure, print the tables, and return the data, and whether our masks were right wherever an engine's differ.

    Args:
        encode: the vocabulary's tokenizer; by default Tekken's.
    """
    encode = encode or tekken_encode()
    if engines is None:
        engines = with_progress(console, "making engines ready", make_ready(vocabulary, encode))
    console.print("Engines: " + ", ".join(f"{engine.name} {engine.version}" for engine in engines), markup=False)
    if name_missing(console, absent()):
        console.print("requirements/bench.txt says what they weigh.")
    jobs = [partial(measure, each, engines, vocabulary, encode) for each in work or work_set()]
    results = with_progress(console, "measuring engines", jobs)
    show(console, results, len(vocabulary))
    versions = {engine.name: engine.version for engine in engines}
    right = all(finding.ours_right for result in results for finding in result.findings)
    return {"versions": versions, **as_data(results)}, right


def measure(work: Work, engines: Sequence[Engine], vocabulary: Vocabulary, encode: Encode) -> Result:
    """Time the engines in turn on one pattern, and compare their masks with those of the first, which is ours."""
    buffer, ours = Buffer(len(vocabulary)), engines[0].name
    turns = take_turns(engines, work.regex, buffer)
    along = walks(work, engines[0].compile(work.regex), vocabulary, encode)
    compiled = {engine.name: engine.compile(work.regex) for engine in engines}
    steps = time_steps(compiled, along, buffer)
    others = {name: other for name, other in compiled.items() if name != ours}
    compared = {name: compare(compiled[ours], other, along, vocabulary) for name, other in others.items()}
    found = (judge(name, work, each.differences, vocabulary) for name, each in compared.items())
    return Result(work, turns, steps, compared, tuple(finding for findings in found for finding in findings))
