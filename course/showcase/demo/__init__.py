"""``python -m course demo``: a real model with and without masks, then what masks are made of, as a short report."""

from pathlib import Path

from rich.console import Console

from course.showcase.demo import prologue, recording
from course.showcase.demo.results import PREFIX
from course.showcase.demo.screen import Screen
from course.showcase.demo.shares import show_shares
from course.showcase.demo.stage import BATCH_NEEDS, Stage
from course.student.core.catalog import find_lab
from course.student.core.edition import without_reference
from labkit.vocabulary import Vocabulary

PROMPTS, FEWER = 96, 32
"""Prompts that the small model answers in three ways: about ten seconds of one slow core; and for a slow machine."""


def run_demo(console: Console, out: str, *, quick: bool = False) -> int:
    """Run the demo and print its report; pictures go to the folder ``out``.

    Returns:
        1 if a file of the small model is missing or damaged; the rest is shown all the same.
    """
    stage = _stage(console, recording.load(), quick=quick)
    prologue.title(console)
    stage.announce()
    _small_model(console, stage)
    _labs(console, stage, Path(out))
    _your_turn(console)
    return 1 if stage.problems else 0


def _your_turn(console: Console) -> None:
    from course.student.run.banner import grade_command  # imports pytest

    console.print(f"\nYour turn. Read {find_lab(1).path}/README.md, write in starter.py there, and run:")
    console.print(grade_command([find_lab(1)]), style="bold green", markup=False)


def _small_model(console: Console, stage: Stage) -> None:
    """The scenes of the small model."""
    prologue.small_model(console)
    prologue.unbroken(console, stage.pairs(Screen(console)))
    show_shares(console, stage.counts())
    prologue.problems(console, stage.problems)


def _labs(console: Console, stage: Stage, out: Path) -> None:
    """What the labs build, on a vocabulary of today's size."""
    from course.showcase.demo import report  # the answers are on the screen before this is needed

    patterns = stage.patterns()
    report.opening(console, stage.vocab_size)
    report.outputs(console, stage.runs())
    report.agreement(console, stage.agreed())
    report.objects(console, stage.objects())
    found = stage.costs()
    report.costs(console, found, patterns[0], PREFIX)
    report.pictures(console, found, patterns[2], out)
    _last_scene(console, stage)


def _last_scene(console: Console, stage: Stage) -> None:
    """A batch masked by packed words, where this copy has the references."""
    if gone := without_reference(BATCH_NEEDS):
        named = ", ".join(f"{number:02}" for number in gone)
        console.print(f"\nOne scene is left out: it needs the references of labs {named}.")
        return
    from course.showcase.demo import batch

    batch.show(console, stage.vocabulary)


def record(console: Console, *, quick: bool = False) -> recording.Recording:
    """Run the demo without its report, and keep what it found."""
    return recording.Recording(recording.here(), _stage(console, None, quick=quick).everything())


def _stage(console: Console, recorded: recording.Recording | None, *, quick: bool) -> Stage:
    return Stage(console, lambda: _vocabulary(quick=quick), recorded, FEWER if quick else PROMPTS)


def _vocabulary(*, quick: bool) -> Vocabulary:
    return _small(Vocabulary.tekken()) if quick else Vocabulary.tekken()


def _small(vocabulary: Vocabulary) -> Vocabulary:
    """The first 16,000 ids alone."""
    return Vocabulary(vocabulary.token_bytes[:16_000], eos_id=vocabulary.eos_id, special_ids=range(1000))
