"""The command line ``python3 -m course …``: the commands of all rooms that are here."""

import errno
import os
import signal
import sys
import tomllib
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from course.student.core.catalog import ROOT
from course.student.core.rooms import command_lines
from labs.own_files import is_chosen

MAY_BE_MINE = {"test", "watch", "show", "demo", "explain", "score", "serve"}
"""The commands that heed ``LAB_CHAIN``. All others run on the references, whatever it says."""


class _Commands(TyperGroup):
    """All commands. The list of them is in panels; the help of one is plain, for a panel cuts long names of options."""

    def get_command(self, ctx: typer.Context, cmd_name: str) -> Any:  # type: ignore[override]
        found = super().get_command(ctx, cmd_name)
        if isinstance(found, TyperCommand):
            found.rich_markup_mode = None
        return found


app = typer.Typer(
    cls=_Commands,
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    result_callback=lambda status, **_: sys.exit(status),
)


def _say_version(wanted: bool) -> None:
    if wanted:
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        print(f"Mask the Logits {project['version']}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Mask the Logits: a lab course on constrained decoding.

    With LAB_CHAIN=mine before test, watch, show, demo, explain, score or serve, your own files are in place of all
    references. At the end you're told whose functions ran.
    """
    is_chosen()  # an unknown value is refused, whatever the command
    if context.invoked_subcommand not in MAY_BE_MINE:
        os.environ.pop("LAB_CHAIN", None)


for room in command_lines():
    app.add_typer(room.app)


def main() -> int:
    """Run a command; print a user's mistake, or a place that can't be written, as one line and not as a traceback."""
    # What a command has started must not outlive it: one that is terminated cleans up like a stopped one.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        app()
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EROFS, errno.ENOSPC):
            raise
        print(f"error: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    return 0
