"""The self-test's table: a line for each backend and submission."""

from rich.console import Console
from rich.text import Text

from course.isolation import sandbox
from course.isolation.sandbox import NoSandbox
from course.student.core.trace import visible
from course.teaching.attacks.bank import HONEST, hostile
from course.teaching.attacks.runs import AttackFinding, runs
from course.teaching.progress import watched


def self_test(console: Console, name: str | None = None, *, verbose: bool = False) -> int:
    """Run the whole bank in every sandbox of this machine, or in the one of that name.

    Args:
        verbose: whether to print a line for each run; otherwise only for those that went wrong.

    Returns:
        0 if nothing was gained, harmed or left running; 1 otherwise, or if there is no sandbox at all.

    Raises:
        ValueError: for a name that no sandbox has.
    """
    for backend in sandbox.backends():
        console.print(Text(f"{backend.name}: {backend.why_not or backend.describe()}"))
    try:
        strongest = sandbox.choose(name)
    except NoSandbox as error:
        console.print(Text(f"Nothing was tried. {error}"))
        return 1
    backends = [strongest] if name else sandbox.available()
    bad = total = 0
    bank = hostile()
    honest_too = len(backends) * (len(bank) + HONEST * len({each.lab for each in bank}))
    for finding in watched(console, "hostile and honest submissions", runs(bank, backends), honest_too):
        total, bad = total + 1, bad + bool(finding.wrong)
        if verbose or finding.wrong:
            console.print(_line(finding))
    console.print(f"{total} runs in {len(backends)} sandboxes: {total - bad} as they should be, {bad} not")
    return 1 if bad else 0


def _line(finding: AttackFinding) -> Text:
    """Return one line: sandbox, submission, what was wrong or that nothing was, and what it tried."""
    state = Text("NOT HELD", "bold red") if finding.wrong else Text("ok      ", "green")
    about = finding.wrong or "gets what it earns, no harm, no survivors"
    about += f"  ({finding.seconds:.1f} s)  {finding.submission.tries}"
    # The submission may have chosen the text.
    return Text.assemble(state, f"  {finding.backend:<10}  {finding.submission.name:<24}  ", visible(about))


def sample_problems() -> str:
    """Return what the strongest sandbox of this machine did not hold; empty if it held all, or if there is none.

    Only the submissions are run whose heads say ``sample``: one of each kind, none of which takes long by design.
    """
    found = runs([each for each in hostile() if each.sample], sandbox.available()[:1])
    return "\n".join(f"{each.backend}, {each.submission.name}: {each.wrong}" for each in found if each.wrong)
