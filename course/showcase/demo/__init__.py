"""``python -m course demo``: a real model with and without masks, then what masks are made of, as a short report."""

from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from course.showcase.demo import recording
from course.showcase.demo.recording import Recording
from course.showcase.demo.stage import Stage
from course.student.core.catalog import find_lab, without_reference

SCENES = {
    "answers": (6, 7, 8),
    "counts": (6, 7, 8),
    "runs": (1, 2, 3, 4),
    "agreement": (1, 2, 3),
    "objects": (4, 6, 7, 8),
    "costs": (1, 2, 3),
    "batch": (6, 7, 14),
}
"""The scenes in order, each with the labs whose references its module needs to be imported and played."""


def run_demo(console: Console, out: str, *, quick: bool = False) -> int:
    """Run the demo and print its report; pictures go to the folder ``out``.

    Scenes whose references this copy of the course lacks are replayed from its recording.

    Returns:
        1 if a file of the small model is missing or damaged; the rest is shown all the same.

    Raises:
        ValueError: if a scene can be neither played nor replayed.
    """
    stage, recorded = Stage(console, console, Path(out), quick), recording.load()
    missing = without_reference(number for needs in SCENES.values() for number in needs)
    if missing and recorded is None:
        labs = ", ".join(f"{number:02}" for number in missing)
        raise ValueError(f"this copy holds neither the references of labs {labs} nor a recorded demo")
    console.print("[bold]Mask the Logits[/]\n")
    if missing and recorded:
        console.print(
            "[bold]This copy of the course lacks references. What is marked RECORDED was not computed here:[/]\n"
            f"it is from a run of {recorded.where}.\n"
        )
    for scene, needs in SCENES.items():
        if recorded and without_reference(needs):
            recorded.replay(scene, console)
        else:
            _play(scene, stage)
        if scene == "costs":
            _show_pictures(stage, recorded)
    from course.student.run.banner import grade_command  # imports pytest

    console.print(f"\nYour turn. Read {find_lab(1).path}/README.md, write in starter.py there, and run:")
    console.print(grade_command([find_lab(1)]), style="bold green", markup=False)
    return 1 if stage.problems else 0


def record(console: Console, *, quick: bool = False) -> Recording:
    """Play all scenes, and return what they printed and drew; ``console`` shows the progress.

    Raises:
        ValueError: if a file of the small model is missing or damaged.
    """
    with TemporaryDirectory() as folder:
        stage, printed = Stage(recording.recorder(), console, Path(folder), quick), {}
        for scene in SCENES:
            _play(scene, stage)
            printed[scene] = stage.console.export_text(styles=True)
        pictures = {path.name: path.read_text(encoding="utf-8") for path in sorted(Path(folder).iterdir())}
    if stage.problems:
        raise ValueError(stage.problems[0])
    return Recording(recording.here(), printed, pictures)


def _play(scene: str, stage: Stage) -> None:
    import_module(f"{__name__}.{scene}").play(stage)


def _show_pictures(stage: Stage, recorded: Recording | None) -> None:
    """Write the pictures of a scene that was not played here, and say where the pictures are."""
    if recorded and without_reference(SCENES["costs"]):
        stage.out.mkdir(parents=True, exist_ok=True)
        for name, svg in recorded.pictures.items():
            (stage.out / name).write_text(svg, encoding="utf-8")
    stage.console.print(f"\nPictures: {stage.out / 'automaton.svg'} and {stage.out / 'cost.svg'}", markup=False)
