"""The command line ``python3 -m course …``: the commands of all rooms that are here."""

import sys

import typer

from course.student.core.rooms import command_lines

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Mask the Logits: a lab course on constrained decoding.",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    result_callback=sys.exit,
)
for room in command_lines():
    app.add_typer(room.app)


def main() -> int:
    """Run a command; print a user's mistake as one line, not as a traceback."""
    try:
        app()
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0
