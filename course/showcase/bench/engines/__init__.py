"""``python -m course bench engines``: the course's engine beside today's, in one process on one vocabulary."""

from collections.abc import Sequence
from functools import partial

from rich.console import Console

from course.showcase.bench.engines.engine import Engine
from course.showcase.bench.engines.install import absent, make_ready
from course.showcase.bench.engines.measure import measure
from course.showcase.bench.engines.report import show
from course.showcase.bench.engines.results import Result, as_data
from course.showcase.bench.engines.walks import Encode
from course.showcase.bench.engines.work import Work, work_set
from course.showcase.jobs import with_progress
from course.student.commands.machine import Machine, install_command
from labkit.vocabulary import Vocabulary


def run_engines(
    console: Console,
    vocabulary: Vocabulary,
    encode: Encode,
    work: Sequence[Work] | None = None,
    engines: Sequence[Engine] | None = None,
) -> tuple[dict[str, object], bool]:
    """Measure, print the tables, and return the data, and whether our masks were right wherever an engine's differ."""
    engines = (
        with_progress(console, "making engines ready", make_ready(vocabulary, encode)) if engines is None else engines
    )
    say_who_takes_part(console, engines)
    jobs = [partial(measure, each, engines, vocabulary, encode) for each in work or work_set()]
    results: list[Result] = with_progress(console, "measuring engines", jobs)
    show(console, results, len(vocabulary))
    versions = {engine.name: engine.version for engine in engines}
    right = all(finding.ours_right for result in results for finding in result.findings)
    return {"versions": versions, **as_data(results)}, right


def say_who_takes_part(console: Console, engines: Sequence[Engine]) -> None:
    """The engines with their versions; which are not installed, and how to add them."""
    console.print("Engines: " + ", ".join(f"{engine.name} {engine.version}" for engine in engines), markup=False)
    if lacking := absent():
        command = install_command(Machine(), "bench")
        console.print(f"Not installed, so not compared: {', '.join(lacking)}. To add them: {command}", markup=False)
        console.print("requirements/bench.txt says what they weigh.")
