"""``python3 -m course demo``: a real model with and without masks, then what masks are made of, as a short report."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib import import_module
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console
from rich.text import Text

from course.showcase.measuring import environment
from course.student.core.catalog import find_lab, without_reference
from course.student.core.rooms import require_writable

SCENES = {"glance": (6, 7, 8), "costs": (1, 2, 3)}
"""The scenes in order, each with the labs whose references its module needs to be imported and played."""

RECORDED = Path(__file__).parent / "recorded.json"
"""The recording that a handout holds; the course itself has none."""


@dataclass
class Stage:
    """Where scenes print.

    Attributes:
        console: for the scenes' text.
        progress: for counters.
        out: the folder for pictures.
        problems: the small model's files that are missing or damaged; its scene does with what is left.
    """

    console: Console
    progress: Console
    out: Path
    problems: list[str] = field(default_factory=list)

    def play(self, scene: str) -> None:
        """Print a scene, played now."""
        import_module(f"{__name__}.{scene}").play(self)


@dataclass(frozen=True)
class Recording:
    """A run of the demo, for copies of the course that lack the references to play it.

    ``where`` is the date and the computer. By the scene's name ``scenes`` has what it printed, styles as ANSI escapes;
    ``pictures`` has the SVGs by the names of their files.
    """

    where: str
    scenes: Mapping[str, str]
    pictures: Mapping[str, str]

    def as_text(self) -> str:
        """Return the content of a recording's file."""
        return json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n"

    def replay(self, scene: str, console: Console, out: Path) -> None:
        """Print what a scene printed, marked as recorded; the scene of the costs drew the pictures."""
        console.print("[bold yellow]RECORDED[/]")
        console.print(Text.from_ansi(self.scenes[scene]), end="")
        if scene == "costs":
            out.mkdir(parents=True, exist_ok=True)
            for name, svg in self.pictures.items():
                (out / name).write_text(svg, encoding="utf-8")


def load_recording(path: Path = RECORDED) -> Recording | None:
    """Return the recording that came with this copy, or None."""
    return Recording(**json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None


def record(console: Console) -> Recording:
    """Play all scenes, and return what they printed and drew; ``console`` shows the progress.

    Raises:
        ValueError: if a file of the small model is missing or damaged.
    """
    options: dict[str, Any] = {"width": 80, "highlight": False, "soft_wrap": True}
    recorder = Console(file=StringIO(), record=True, force_terminal=False, color_system="truecolor", **options)
    with TemporaryDirectory() as folder:
        stage, printed = Stage(recorder, console, Path(folder)), {}
        for scene in SCENES:
            stage.play(scene)
            printed[scene] = recorder.export_text(styles=True)
        pictures = {path.name: path.read_text(encoding="utf-8") for path in sorted(Path(folder).iterdir())}
    if stage.problems:
        raise ValueError(stage.problems[0])
    where = environment()
    return Recording(f"{where['date']}, Python {where['python']}, {where['machine']}", printed, pictures)


def run_demo(console: Console, out: str) -> int:
    """Run the demo and print its report, two screens of it; pictures go to the folder ``out``.

    Scenes whose references this copy of the course lacks are replayed from its recording.

    Returns:
        1 if a file of the small model is missing or damaged; the rest is shown all the same.

    Raises:
        ValueError: if a scene can be neither played nor replayed, or the pictures cannot be written.
    """
    require_writable(Path(out), folder=True)
    stage, recorded = Stage(console, console, Path(out)), load_recording()
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
            recorded.replay(scene, console, stage.out)
        else:
            stage.play(scene)
        if scene == "costs":
            console.print(f"\nPictures: {stage.out / 'automaton.svg'} and {stage.out / 'cost.svg'}", markup=False)
    from course.student.run.banner import grade_command  # imports pytest

    console.print(f"\nYour turn. Read {find_lab(1).path}/README.md,\nwrite in starter.py there, and run:")
    console.print(grade_command([find_lab(1)]), style="bold green", markup=False)
    return 1 if stage.problems else 0
