"""``python3 -m course.teaching.attacks``: the self-test by itself, for a part of the bank or one sandbox."""

from typing import Annotated

import typer
from rich.console import Console

from course.isolation import sandbox
from course.teaching.attacks import bank
from course.teaching.attacks.show import show


def main(
    names: Annotated[list[str] | None, typer.Argument(help="submissions of solutions/hostile; default: all")] = None,
    box: Annotated[str | None, typer.Option("--sandbox", help="default: every one of this machine")] = None,
) -> None:
    """Run hostile submissions in this machine's sandboxes."""
    wanted = [submission for submission in bank.hostile() if not names or submission.name in names]
    if unknown := sorted(set(names or ()) - {submission.name for submission in wanted}):
        raise typer.BadParameter(f"solutions/hostile has no {unknown[0]}.py")
    boxes = [sandbox.choose(box)] if box else sandbox.available()
    raise typer.Exit(show(Console(highlight=False, soft_wrap=True), boxes, wanted))


if __name__ == "__main__":
    typer.run(main)
