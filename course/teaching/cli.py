"""The commands for instructors."""

from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from course.student.core.catalog import find_lab
from course.student.core.rooms import LabName, console, require_writable

app = typer.Typer()
command = partial(app.command, rich_help_panel="For instructors")

SandboxName = Annotated[
    str | None, typer.Option(metavar="NAME", help="bubblewrap or other-user, instead of the stronger")
]
Jobs = Annotated[int | None, typer.Option(min=1, help="submissions at a time; by default, as many as there are cores")]


@command()
def gradescope(
    lab: LabName,
    out: Annotated[Path | None, typer.Option(help="the zip; out/gradescope_lab_NN.zip")] = None,
) -> int:
    """Write an autograder for Gradescope or PrairieLearn: a zip with the course up to a lab, references included."""
    from course.teaching.grading.gradescope import write_archive

    this = find_lab(lab)
    out = out or Path(f"out/gradescope_lab_{this.number:02}.zip")
    require_writable(out)
    return write_archive(console(), this, out)


@command()
def handout(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="a new folder, or an empty one")],
    upto: Annotated[str, typer.Option(help="the last lab in it: 05")],
    edition: Annotated[
        Literal["open", "closed"], typer.Option(help="open: with the references of earlier labs; closed: with none")
    ] = "open",
) -> int:
    """Write a copy of the course for a class: the labs up to one of them, without answers."""
    from course.teaching.handout import hand_out

    require_writable(out, folder=True)
    return hand_out(console(), upto, out, edition)


@command()
def grade(
    submissions: Annotated[
        Path | None, typer.Argument(metavar="SUBMISSIONS", help="a folder, or a zip of one: NAME/starter.py or NAME.py")
    ] = None,
    lab: Annotated[str, typer.Option(help="the lab of the submissions: 02")] = "",
    out: Annotated[Path | None, typer.Option(help="the folder for results; an interrupted run continues there")] = None,
    sandbox: SandboxName = None,
    trust: Annotated[bool, typer.Option("--trust", help="no sandbox: for code that you trust")] = False,
    self_test: Annotated[bool, typer.Option("--self-test", help="try hostile submissions in both sandboxes")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="with --self-test: a line for each run")] = False,
    properties: Annotated[
        bool, typer.Option("--properties", help="grade properties.py: what their tests kill")
    ] = False,
    seed: Annotated[int | None, typer.Option(help="draw other examples in the property tests")] = None,
    jobs: Jobs = None,
    shard: Annotated[str, typer.Option(help="grade only a part of the class: 3/10")] = "",
    seconds: Annotated[float, typer.Option(min=0.1, help="processor time for one test")] = 10.0,
    total_seconds: Annotated[
        float,
        typer.Option(min=1, help="processor time for one submission; after that, no further test starts"),
    ] = 120.0,
    memory: Annotated[int, typer.Option(min=64, help="MiB of one submission")] = 2048,
) -> int:
    """Grade a class in a sandbox; write a table, results.json, and a page for each student (solutions/README.md)."""
    if self_test:
        from course.teaching.self_test import self_test as try_sandboxes

        return try_sandboxes(console(), sandbox, verbose=verbose)
    if submissions is None or not lab or out is None:
        raise ValueError(
            "grade needs SUBMISSIONS, --lab and --out; or --self-test, which takes --sandbox and --verbose"
        )
    from course.teaching.grading.session import Options, run_grade

    require_writable(out, folder=True)
    options = Options(sandbox, trust, jobs, shard, seed, seconds, total_seconds, memory)
    if properties:
        from course.teaching.grading.properties import run_properties

        return run_properties(console(), submissions, lab, out, options)
    return run_grade(console(), submissions, lab, out, options)
