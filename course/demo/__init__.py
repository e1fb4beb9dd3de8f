"""``python -m course demo``: the main job, on a real vocabulary, as a short report."""

from pathlib import Path

from rich.console import Console

from course.catalog import find_lab
from course.demo import recording, report
from course.demo.results import PREFIX
from course.demo.stage import Stage
from course.run.banner import grade_command
from labkit.vocabulary import Vocabulary


def run_demo(console: Console, out: str, *, quick: bool = False) -> int:
    """Run the demo and print its report; pictures go to the folder ``out``."""
    stage = Stage(console, lambda: _vocabulary(quick=quick), recording.load())
    patterns = stage.patterns()
    stage.announce()
    report.opening(console, stage.vocab_size)
    report.outputs(console, stage.runs())
    report.agreement(console, stage.agreed())
    report.objects(console, stage.objects())
    found = stage.costs()
    report.costs(console, found, patterns[0], PREFIX)
    report.pictures(console, found, patterns[2], Path(out))
    console.print(f"\nYour turn. Read {find_lab(1).path}/README.md, write in starter.py there, and run:")
    console.print(grade_command([find_lab(1)]), style="bold green", markup=False)
    return 0


def record(console: Console, *, quick: bool = False) -> recording.Recording:
    """Run the demo without its report, and keep what it found."""
    stage = Stage(console, lambda: _vocabulary(quick=quick), None)
    return recording.Recording(recording.here(), stage.everything())


def _vocabulary(*, quick: bool) -> Vocabulary:
    return _small(Vocabulary.tekken()) if quick else Vocabulary.tekken()


def _small(vocabulary: Vocabulary) -> Vocabulary:
    """The first 16,000 ids alone."""
    return Vocabulary(vocabulary.token_bytes[:16_000], eos_id=vocabulary.eos_id, special_ids=range(1000))
