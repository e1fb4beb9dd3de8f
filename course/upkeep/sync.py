"""``python3 -m course sync``: write what is generated, from its sources; ``--check`` only compares."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from rich.console import Console

from course.showcase.demo import struck
from course.showcase.small_model import figures
from course.student.commands import ideas
from course.student.commands.own_files import BACKUPS, keep
from course.student.core import fingerprints
from course.student.core.catalog import ROOT, Lab, all_labs
from course.student.core.starters import digests, generate_starter
from course.upkeep.pages import notebooks, packaging
from course.upkeep.pages.drawn import said
from course.upkeep.pages.readmes import numbered, pictures_of, todo_table, with_part
from course.upkeep.pages.rooms import PAGE, chart


def generated_files(labs: Iterable[Lab]) -> Iterator[tuple[Path, str]]:
    """Yield every generated file of some labs and of the course, and the text that its sources give."""
    for lab in labs:
        yield lab.starter, generate_starter(lab)
        if (readme := lab.folder / "README.md").is_file():  # a new lab begins without
            yield readme, numbered(with_part(readme, "todo table", todo_table(lab)), lab)
        if (note := ROOT / "solutions" / f"{lab.name}.md").is_file():
            yield note, numbered(note.read_text(encoding="utf-8"), lab)
        yield lab.folder / "fingerprints.json", fingerprints.as_text(digests(lab) | fingerprints.generate(lab))
        for name, draw in pictures_of(lab).items():
            yield ROOT / name, str(draw())
        if (lab.folder / notebooks.SOURCE).is_file():
            yield from notebooks.opened(lab)
    yield figures.CARD, with_part(figures.CARD, "figures", f"\n{figures.figures_text()}\n")
    yield struck.FILE, str(struck.drawn())
    yield ideas.FILE, str(ideas.drawn_map([lab.number for lab in all_labs()]))
    yield packaging.FILE, packaging.with_packages()
    yield PAGE, with_part(PAGE, "rooms", chart())
    yield from notebooks.opened(notebooks.BRIDGE)


def out_of_step(labs: Iterable[Lab]) -> list[tuple[Path, str]]:
    """Return the generated files that don't say what their sources give, with the text that does."""
    pairs = generated_files(labs)
    return [(path, text) for path, text in pairs if not path.is_file() or said(path.read_text("utf-8")) != said(text)]


def sync(labs: Iterable[Lab], console: Console, *, check: bool = False) -> int:
    """Write the generated files that are stale, or say which are."""
    stale = out_of_step(labs)
    for path, text in stale:
        name = path.relative_to(ROOT)
        if check:
            console.print(f"[red]{name} is not what its sources give[/]; to write it: python3 -m course sync")
            continue
        if path.name == "starter.py" and path.is_file():
            console.print(f"the old {name} is kept: {keep(path, path.parent.name, BACKUPS)}")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        console.print(f"wrote {name}")
    if not stale:
        console.print("Every generated file is in step.")
    return 1 if check and stale else 0
