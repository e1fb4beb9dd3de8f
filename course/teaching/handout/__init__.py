"""``python3 -m course handout --upto 05 OUT``: a copy of the course for a class, without the answers."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from course.showcase.demo import record
from course.student.core.catalog import ROOT, find_lab
from course.teaching.handout.contents import contents, named
from course.teaching.handout.plan import Handout, unknown_to_git
from course.teaching.handout.scan import IN_A_PAGE, answers_kept_back, leaks


def hand_out(console: Console, upto: str, out: Path, edition: str) -> int:
    """Write the labs up to one of them into a new folder; return 1 if an answer would have gone with them.

    Raises:
        ValueError: for an unknown lab, or a folder that may not be written to.
    """
    plan = Handout(edition, find_lab(upto).number)
    target = _target(out)
    files = contents(plan, record().as_text())
    kept = answers_kept_back(plan)
    pages = {name: content for name, content in files.items() if name.endswith(".md")}
    if found := [*leaks(files, kept), *leaks(pages, answers_kept_back(plan, IN_A_PAGE))]:
        console.print("Nothing was written, because it would have held these answers:", style="red")
        console.print("\n".join(found), markup=False)
        return 1
    write(files, target)
    references = ", ".join(f"{lab.number:02}" for lab in plan.labs if plan.shows(lab)) or "none"
    console.print(f"{out}: the {plan.edition} edition, {named(plan)}, {len(files)} files", markup=False)
    console.print(f"references in it: {references}; starters are pristine")
    if unknown := [name for name in unknown_to_git(plan) if name not in files]:
        shown = ", ".join(unknown[:3]) + " ..." * (len(unknown) > 3)
        console.print(f"left out, since nobody has committed them: {shown} ({len(unknown)} files)", style="yellow")
    console.print(f"looked for {len(kept)} pieces of answers in every file: none found")
    console.print(f"try it:  cd {out} && make demo && make test", markup=False)
    return 0


def _target(out: Path) -> Path:
    """Return the folder as an absolute path; refuse one in the course, and one that is there and not empty."""
    full = out.expanduser().resolve()
    if full.is_relative_to(ROOT):
        raise ValueError(f"{out} lies inside the course itself, {ROOT}; name a folder elsewhere")
    if full.exists() and not full.is_dir():
        raise ValueError(f"{out} is a file; name a folder that is not there yet")
    if full.is_dir() and any(full.iterdir()):
        raise ValueError(f"{out} is not empty; name a folder that is not there yet, or an empty one")
    return full


def write(files: Mapping[str, bytes], out: Path) -> None:
    """Fill a folder beside the target, then give it the target's name: a run that breaks off leaves no half."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=f".{out.name}-", dir=out.parent) as folder:
        draft = Path(folder) / out.name
        for name, content in files.items():
            path = draft / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if out.exists():
            shutil.copymode(out, draft)
            out.rmdir()  # it is empty, or this refuses
        draft.rename(out)
