"""One pattern, measured and compared."""

from collections.abc import Sequence

from course.showcase.bench.engines.compare import compare
from course.showcase.bench.engines.engine import Buffer, Engine
from course.showcase.bench.engines.judge import judge
from course.showcase.bench.engines.results import Result
from course.showcase.bench.engines.turns import take_turns, time_steps
from course.showcase.bench.engines.walks import Encode, walks
from course.showcase.bench.engines.work import Work
from labkit.vocabulary import Vocabulary


def measure(work: Work, engines: Sequence[Engine], vocabulary: Vocabulary, encode: Encode) -> Result:
    """Time the engines in turn and hold their masks against those of the first, which is ours."""
    buffer, ours = Buffer(len(vocabulary)), engines[0]
    turns = take_turns(engines, work.regex, buffer)
    ways = walks(work, ours.compile(work.regex), vocabulary, encode)
    compiled = {engine.name: engine.compile(work.regex) for engine in engines}
    steps = time_steps(compiled, ways, buffer)
    comparisons = {
        name: compare(compiled[ours.name], other, ways, vocabulary)
        for name, other in compiled.items()
        if name != ours.name
    }
    findings = [
        finding
        for name, comparison in comparisons.items()
        for finding in judge(name, work, comparison.differences, vocabulary)
    ]
    return Result(work, turns, steps, comparisons, tuple(findings))
