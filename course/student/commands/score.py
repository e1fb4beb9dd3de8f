"""``python3 -m course score``: a table of counts that no clock is in, to compare with a friend."""

from contextlib import nullcontext
from importlib import import_module
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from course.student.core.catalog import Lab, all_labs
from course.student.core.implementation import UsageError, resolve
from course.student.core.submission import Loader
from labs.own_files import InPlace, is_chosen, report_at_exit

FILE = "score.py"
"""The file of a lab that counts: its function ``counts`` yields a ``Count`` for each line."""


def show_scores(console: Console, only: Lab | None, impl: str) -> int:
    """Print what each lab's ``score.py`` counts in the file under test, with its pictures if it is one lab's.

    Raises:
        ValueError: for a lab without one, and a file that is not there.
    """
    having = [lab for lab in all_labs() if (lab.folder / FILE).is_file()]
    if only and only not in having:
        raise ValueError(
            f"{only.label} has no score; the labs with one are {', '.join(f'{lab.number:02}' for lab in having)}"
        )
    implementation = resolve(impl, "--impl", Path.cwd())
    mine = is_chosen() and implementation.kind != "solution"
    if mine:
        report_at_exit()
    table, pictures = Table(box=None, pad_edge=False, header_style="dim"), list[str]()
    for column in ("lab", "what is counted", "yours", "beside it"):
        table.add_column(column, overflow="fold", justify="right" if column == "yours" else "left")
    for lab in [only] if only else having:
        if problem := implementation.what_is_missing(lab):
            if only:
                raise UsageError(problem)
            continue
        try:
            with InPlace(implementation.in_place([lab])) if mine else nullcontext():
                module = Loader({lab.number: implementation.file_of(lab)}, chain=mine).load(lab)  # type: ignore[dict-item]
                for count in import_module(f"labs.{lab.name}.score").counts(module):
                    numbers = f"{count.yours:,}", f"{count.other:,} {count.of_other}"
                    table.add_row(lab.label, escape(count.what), *numbers)
                    pictures += [count.picture] * bool(only and count.picture)
        except NotImplementedError as error:
            table.add_row(lab.label, f"[dim]not written yet: {escape(str(error))}[/]", "", "")
        except Exception as error:  # a student's, whatever it is
            table.add_row(lab.label, f"[red]broke off: {type(error).__name__}: {escape(str(error))}[/]", "", "")
    console.print(table, soft_wrap=False)
    for picture in pictures:
        console.print(f"\n{picture}", markup=False, highlight=False)
    return 0
