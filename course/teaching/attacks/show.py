"""The self-test's table: a line for each backend and submission."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.text import Text

from course.isolation import sandbox
from course.isolation.sandbox import ADVICE, Backend
from course.teaching.attacks.bank import Submission, hostile
from course.teaching.attacks.runs import Line, Runs
from course.teaching.grading.scoring import money

_WIDTH = 24


def self_test(console: Console) -> int:
    """Run the whole bank in every sandbox of this machine.

    Returns:
        0 if nothing was gained, harmed or left running; 1 otherwise, or if there is no sandbox at all.
    """
    for backend in sandbox.backends():
        console.print(Text(f"{backend.name}: {backend.why_not or backend.describe()}"))
    return show(console, sandbox.available(), hostile())


def show(console: Console, backends: Sequence[Backend], bank: Sequence[Submission]) -> int:
    """Print a line for each backend and submission, in order; see ``self_test``."""
    if not backends:
        console.print(Text(f"No sandbox on this machine: nothing was tried.\n{ADVICE}"))
        return 1
    bad = total = 0
    with TemporaryDirectory(prefix="course-selftest-") as folder:
        runs = Runs(bank, Path(folder))
        for backend in backends:
            for line in runs.of(backend):
                total, bad = total + 1, bad + (not line.fine)
                console.print(_text(line))
    console.print(f"{total} runs in {len(backends)} sandboxes: {total - bad} as they should be, {bad} not")
    return 1 if bad else 0


def _text(line: Line) -> Text:
    """Return one line: sandbox, submission, what was wrong or that nothing was, and what it tried."""
    state = Text("ok      ", "green") if line.fine else Text("NOT HELD", "bold red")
    nothing = "gets what it earns" if line.honest else "no point unearned, no harm, no survivors"
    about = f"{found_by(line) or nothing}  ({line.seconds:.1f} s)  {line.tries}"
    # The submission may have chosen the text.
    printable = "".join(char if char.isprintable() else "?" for char in about)
    return Text.assemble(state, f"  {line.backend:<10}  {line.name:<{_WIDTH}}  ", printable)


def found_by(line: Line) -> str:
    """Return what was gained, harmed, left running or withheld, in words."""
    gained = f"{money(line.points)} points and {len(line.unearned)} tests unearned: {', '.join(line.unearned[:2])}"
    found = [gained] if line.unearned or line.points else []
    found += [f"harm: {', '.join(line.harm)}"] if line.harm else []
    found += [f"survivors: {', '.join(line.survivors)}"] if line.survivors else []
    return "; ".join([*found, *filter(None, [line.lacks])])
