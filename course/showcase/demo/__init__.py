"""``python3 -m course demo``: a real model with and without masks, as a short report."""

import json
from dataclasses import asdict, dataclass
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from course.showcase.measuring import environment
from course.student.core.catalog import find_lab, without_reference

NEEDS = (6, 7, 8)
"""The labs whose references it takes to play the demo."""

RECORDED = Path(__file__).parent / "recorded.json"
"""The recording that a handout holds; the course itself has none."""


@dataclass(frozen=True)
class Recording:
    """A run of the demo, for copies of the course that lack the references to play it.

    ``where`` is the date and the computer; ``printed`` is what it printed, styles as ANSI escapes.
    """

    where: str
    printed: str

    def as_text(self) -> str:
        """Return the content of a recording's file."""
        return json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n"


def load_recording(path: Path = RECORDED) -> Recording | None:
    """Return the recording that came with this copy, or None."""
    return Recording(**json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None


def record() -> Recording:
    """Play the demo, and return what it printed.

    Raises:
        ValueError: if a file of the small model is missing or damaged.
    """
    options: dict[str, Any] = {"width": 80, "highlight": False, "soft_wrap": True}
    recorder = Console(file=StringIO(), record=True, force_terminal=False, color_system="truecolor", **options)
    if problem := _play(recorder):
        raise ValueError(problem)
    where = environment()
    printed = recorder.export_text(styles=True)
    return Recording(f"{where['date']}, Python {where['python']}, {where['machine']}", printed)


def _play(console: Console) -> str:
    return str(import_module(f"{__name__}.glance").play(console))


def run_demo(console: Console) -> int:
    """Run the demo and print its report, or replay its recording in a copy that lacks references.

    Returns:
        1 if a file of the small model is missing or damaged; the rest is shown all the same.

    Raises:
        ValueError: if it can be neither played nor replayed.
    """
    problem, missing = "", without_reference(NEEDS)
    recorded = load_recording() if missing else None
    if missing and recorded is None:
        labs = ", ".join(f"{number:02}" for number in missing)
        raise ValueError(f"this copy holds neither the references of labs {labs} nor a recorded demo")
    console.print("[bold]Mask the Logits[/]\n")
    if recorded:
        console.print("[bold]This copy of the course lacks references. What follows was not computed here:[/]")
        console.print(f"it is from a run of {recorded.where}.\n\n[bold yellow]RECORDED[/]")
        console.print(Text.from_ansi(recorded.printed), end="")
    else:
        problem = _play(console)
    from course.student.run.banner import course_command, grade_command  # imports pytest

    console.print("\nNow try a prompt of your own, and see in your browser what is struck out:")
    console.print(course_command("play"), style="bold green", markup=False)
    console.print(f"\nYour turn. Read {find_lab(1).path}/README.md,\nwrite in starter.py there, and run:")
    console.print(grade_command([find_lab(1)]), style="bold green", markup=False)
    return 1 if problem else 0
