"""The tables of shares."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from course.showcase.demo.results import Count, Row
from course.showcase.small_model.modes import NAMES, RAN_OUT

_WHY = 27
"""Cells that the reasons have on 80 columns; wider terminals give them more."""


def show_shares(console: Console, counts: Sequence[Count]) -> None:
    """Each count as a table, and what not to conclude from it."""
    for count in counts:
        console.print(Text(count.where, "bold"))
        console.print(_table(count.rows, min(60, _WHY + max(0, console.width - 80))), soft_wrap=False)
        console.print()
    if counts:
        console.print(conclusion(counts[0].rows) + "\n")


def conclusion(rows: Sequence[Row]) -> str:
    """One sentence about the first checkpoint that has answers which are valid under the mask and not right.

    >>> print(conclusion([Row("final", "free", 9, 7, 5, {}), Row("final", "budget", 9, 9, 6, {})]))
    Valid is not correct: with mask and budget 9 of 9 answers of checkpoint final
    are valid, and 6 of these say what the prompt says; without a mask it is 7 and 5.
    """
    budgets = [row for row in rows if row.mode == "budget"]
    budget = next((row for row in budgets if row.right < row.valid), budgets[0])
    free = next(row for row in rows if (row.checkpoint, row.mode) == (budget.checkpoint, "free"))
    return (
        f"Valid is not correct: with mask and budget {budget.valid} of {budget.n} answers of "
        f"checkpoint {budget.checkpoint}\nare valid, and {budget.right} of these say what the prompt says; "
        f"without a mask it is {free.valid} and {free.right}."
    )


def percent(part: int, whole: int) -> str:
    """A share to one decimal.

    >>> percent(1, 3), percent(9, 9), percent(0, 0)
    ('33.3%', '100%', '-')
    """
    return f"{100 * part / whole:.1f}".removesuffix(".0") + "%" if whole else "-"


def _table(rows: Sequence[Row], why: int) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for width in (5, 16, 6, 6, 6):
        table.add_column(width=width, no_wrap=True)
    table.add_column(width=why)
    heads = ("", "", "valid", "right", "out of", "not valid: why")
    table.add_row(*heads, style="dim")
    table.add_row("", "", "", "", "tokens", "", style="dim")
    for place, row in enumerate(rows):
        again = place > 0 and rows[place - 1].checkpoint == row.checkpoint
        table.add_row("" if again else row.checkpoint, *_cells(row))
    return table


def _cells(row: Row) -> list[str | Text]:
    whole = row.valid == row.n
    others = (f"{why} {percent(k, row.n)}" for why, k in row.why.items() if why != RAN_OUT)
    return [
        NAMES[row.mode],
        Text(percent(row.valid, row.n), "green" if whole else "red"),
        percent(row.right, row.n),
        percent(row.why.get(RAN_OUT, 0), row.n),
        Text(", ".join(others), "dim"),
    ]
