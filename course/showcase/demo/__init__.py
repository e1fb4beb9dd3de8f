"""``python -m course demo``: a real model with and without masks, then what masks are made of, as a short report."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from rich.console import Console

from course.showcase.demo import recording
from course.showcase.demo.recording import Recording
from course.showcase.demo.stage import Stage
from course.student.core.catalog import find_lab
from course.student.core.edition import without_reference


def run_demo(console: Console, out: str, *, quick: bool = False) -> int:
    """Run the demo and print its report; pictures go to the folder ``out``.

    Scenes whose references this copy of the course lacks are replayed from its recording.

    Returns:
        1 if a file of the small model is missing or damaged; the rest is shown all the same.

    Raises:
        ValueError: if a scene can be neither played nor replayed.
    """
    stage, recorded = Stage(console, console, Path(out), quick), recording.load()
    missing = without_reference(number for scene in SCENES.values() for number in scene.needs)
    if missing and recorded is None:
        raise ValueError(f"this copy holds neither the references of labs {_named(missing)} nor a recorded demo")
    console.print("[bold]Mask the Logits[/]\n")
    if missing and recorded:
        console.print(
            "[bold]This copy of the course lacks references. What is marked RECORDED was not computed here:[/]\n"
            f"it is from a run of {recorded.where}.\n"
        )
    for name, scene in SCENES.items():
        if recorded and without_reference(scene.needs):
            recorded.replay(name, console)
        else:
            scene.play(stage)
    _show_pictures(stage, recorded)
    _show_batch(stage)
    _show_next_step(console)
    return 1 if stage.problems else 0


def record(console: Console, *, quick: bool = False) -> Recording:
    """Play all scenes, and return what they printed and drew; ``console`` shows the progress."""
    with TemporaryDirectory() as folder:
        stage, printed = Stage(recording.recorder(), console, Path(folder), quick), {}
        for name, scene in SCENES.items():
            scene.play(stage)
            printed[name] = stage.console.export_text(styles=True)
        pictures = {path.name: path.read_text(encoding="utf-8") for path in sorted(Path(folder).iterdir())}
    return Recording(recording.here(), printed, pictures)


# The modules of the scenes import the labs' references, so each is imported only when its scene plays.


def _answers(stage: Stage) -> None:
    from course.showcase.demo.answers import show_answers

    show_answers(stage)


def _counts(stage: Stage) -> None:
    from course.showcase.demo.counts import show_counts

    show_counts(stage)


def _runs(stage: Stage) -> None:
    from course.showcase.demo.runs import show_runs

    show_runs(stage)


def _agreement(stage: Stage) -> None:
    from course.showcase.demo.costs import show_agreement

    show_agreement(stage)


def _objects(stage: Stage) -> None:
    from course.showcase.demo.objects import show_objects

    show_objects(stage)


def _costs(stage: Stage) -> None:
    from course.showcase.demo.costs import show_costs

    show_costs(stage)


class Scene(NamedTuple):
    """A part of the demo, and the labs whose references it needs."""

    needs: tuple[int, ...]
    play: Callable[[Stage], None]


SCENES = {
    "answers": Scene((6, 7, 8), _answers),
    "counts": Scene((6, 7, 8), _counts),
    "runs": Scene((1, 2, 3, 4), _runs),
    "agreement": Scene((1, 2, 3), _agreement),
    "objects": Scene((4, 6, 7, 8), _objects),
    "costs": Scene((1, 2, 3), _costs),
}
"""In the order of the report."""

BATCH_NEEDS = (6, 7, 14)
"""The references for the last scene, which is never recorded."""


def _show_pictures(stage: Stage, recorded: Recording | None) -> None:
    """Write the pictures of a scene that was not played here, and say where the pictures are."""
    if recorded and without_reference(SCENES["costs"].needs):
        stage.out.mkdir(parents=True, exist_ok=True)
        for name, svg in recorded.pictures.items():
            (stage.out / name).write_text(svg, encoding="utf-8")
    stage.console.print(f"\nPictures: {stage.out / 'automaton.svg'} and {stage.out / 'cost.svg'}", markup=False)


def _show_batch(stage: Stage) -> None:
    """Mask a batch by packed words, where this copy has the references."""
    if missing := without_reference(BATCH_NEEDS):
        stage.console.print(f"\nOne scene is left out: it needs the references of labs {_named(missing)}.")
        return
    from course.showcase.demo import batch

    batch.show(stage.console, stage.vocabulary)


def _show_next_step(console: Console) -> None:
    from course.student.run.banner import grade_command  # imports pytest

    console.print(f"\nYour turn. Read {find_lab(1).path}/README.md, write in starter.py there, and run:")
    console.print(grade_command([find_lab(1)]), style="bold green", markup=False)


def _named(numbers: list[int]) -> str:
    return ", ".join(f"{number:02}" for number in numbers)
