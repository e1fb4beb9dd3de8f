"""The command that opens an explorer."""

from pathlib import Path
from typing import Annotated

import typer

from course.student.core.catalog import find_lab
from course.student.core.rooms import AnyLab, console, require_writable

app = typer.Typer()


@app.command(rich_help_panel="Demo and benches")
def play(
    lab: AnyLab = "",
    out: Annotated[Path, typer.Option(help="the folder for the page")] = Path("out/play"),
    serve: Annotated[
        int | None, typer.Option(metavar="PORT", help="for a remote machine: serve the page there instead")
    ] = None,
    show: Annotated[bool, typer.Option("--open/--no-open", help="whether to open it in your browser")] = True,
) -> int:
    """Play with the model in your browser: your prompt, your pattern or schema, with and without a mask.

    With a lab, play with its explorer: python3 -m course play 03
    """
    from course.play.opening import open_page

    require_writable(out, folder=True)
    return open_page(console(), find_lab(lab).number if lab else None, out, serve, show)
