"""``python -m course handout --upto 05 OUT``: a copy of the course for a class, without the answers."""

from pathlib import Path

from rich.console import Console

from course.showcase.demo import record
from course.student.core.catalog import find_lab
from course.student.core.edition import edition as this_edition
from course.teaching.handout.contents import contents
from course.teaching.handout.pages import named
from course.teaching.handout.plan import EDITIONS, Plan, unknown_to_git
from course.teaching.handout.scan import answers_kept_back, leaks
from course.teaching.handout.writing import check_target, write


def hand_out(console: Console, upto: str, out: Path, edition: str, *, quick: bool = False) -> int:
    """Write the labs up to one of them into a new folder; return 1 if an answer would have gone with them.

    Args:
        quick: record the demo on a smaller vocabulary.

    Raises:
        ValueError: for an unknown lab or edition, or a folder that may not be written to.
    """
    plan = make_plan(upto, edition)
    target = check_target(out)
    run = record(console, quick=quick).as_text()
    files = contents(plan, run)
    kept = answers_kept_back(plan)
    if found := leaks(files, kept):
        console.print("Nothing was written, because it would have held these answers:", style="red")
        console.print("\n".join(map(str, found)), markup=False)
        return 1
    write(files, target)
    _report(console, plan, out, len(files), len(kept))
    return 0


def make_plan(upto: str, edition: str) -> Plan:
    """Return the plan that is asked for.

    Raises:
        ValueError: if there is no such lab or edition, or this copy of the course is itself a handout.
    """
    if this_edition().handed_out:
        raise ValueError("this copy of the course was handed out itself; only the course can be handed out")
    if edition not in EDITIONS:
        raise ValueError(f"there is no edition {edition!r}; the editions are {' and '.join(EDITIONS)}")
    return Plan(edition, find_lab(upto).number)


def _report(console: Console, plan: Plan, out: Path, n_files: int, n_pieces: int) -> None:
    references = ", ".join(f"{lab.number:02}" for lab in plan.labs if plan.shows(lab)) or "none"
    console.print(f"{out}: the {plan.edition} edition, {named(plan)}, {n_files} files", markup=False)
    console.print(f"references in it: {references}; starters are pristine")
    if unknown := unknown_to_git(plan):
        shown = ", ".join(unknown[:3]) + " ..." * (len(unknown) > 3)
        console.print(f"left out, since nobody has committed them: {shown} ({len(unknown)} files)", style="yellow")
    console.print(f"looked for {n_pieces} pieces of answers in every file: none found")
    console.print(f"try it:  cd {out} && make demo && make test", markup=False)
