"""The self-test's table: a line for each backend and submission."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from course.isolation import sandbox
from course.isolation.sandbox import ADVICE, Backend
from course.teaching.attacks.bank import Submission, hostile
from course.teaching.attacks.runs import Finding, runs


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
    for finding in runs(bank, backends):
        total, bad = total + 1, bad + bool(finding.wrong)
        console.print(_line(finding))
    console.print(f"{total} runs in {len(backends)} sandboxes: {total - bad} as they should be, {bad} not")
    return 1 if bad else 0


def _line(finding: Finding) -> Text:
    """Return one line: sandbox, submission, what was wrong or that nothing was, and what it tried."""
    state = Text("NOT HELD", "bold red") if finding.wrong else Text("ok      ", "green")
    about = finding.wrong or "gets what it earns, no harm, no survivors"
    about += f"  ({finding.seconds:.1f} s)  {finding.submission.tries}"
    # The submission may have chosen the text.
    printable = "".join(char if char.isprintable() else "?" for char in about)
    return Text.assemble(state, f"  {finding.backend:<10}  {finding.submission.name:<24}  ", printable)


def sample_problems() -> str:
    """Return what the strongest sandbox of this machine did not hold; empty if it held all, or if there is none.

    Only the submissions are run whose heads say ``sample``: one of each kind, none of which takes long by design.
    """
    found = runs([each for each in hostile() if each.sample], sandbox.available()[:1])
    return "\n".join(f"{each.backend}, {each.submission.name}: {each.wrong}" for each in found if each.wrong)
