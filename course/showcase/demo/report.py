"""How the demo's results are shown: a few tables in the terminal, and pictures in a folder."""

import json
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from course.showcase.demo.results import SCHEMA, STEPS, TOKENS, Answer, Cost, Pattern, Run, Written
from labkit.pictures import fsm_svg, fsm_text, line_chart, quantity, text_chart

_WIDTHS = (13, 21, 18, 22)


def opening(console: Console, vocab_size: int) -> None:
    """What the scenes of the labs show."""
    console.print("[bold]The same on a vocabulary of today's size[/]")
    console.print(
        f"{vocab_size:,} tokens of a real vocabulary (Tekken), scripted models, {STEPS} tokens each.\n"
        "The adversary wants to chat, whatever is asked of it; the digit lover never\n"
        "wants to stop; a third model's wishes are random numbers.\n"
    )


def outputs(console: Console, runs: Sequence[Run]) -> None:
    """What came out, pattern by pattern."""
    console.print(_row("", "no mask", "masked (lab 04)", "with a budget (lab 05)", style="dim"))
    for pattern, group in groupby(runs, key=lambda run: run.pattern):
        console.print(Text(pattern.source, style="bold").append(f"   {pattern.what}", style="not bold dim"))
        for run in group:
            free = Text(printable(run.free.text, _WIDTHS[1]), "red")
            console.print(_row(f"  {run.model}", free, _shown(run.masked), _shown(run.budgeted)))
    cut = _count_cut([run.masked for run in runs])
    budgeted = [run.budgeted for run in runs if run.budgeted]
    told = f"with the budget mask, {_count_cut(budgeted)}" if budgeted else "the budget mask is yours to build"
    console.print(f"\nOf {len(runs)} masked answers {cut} were cut off before their end; {told}.")


def _count_cut(answers: Sequence[Answer]) -> int:
    return sum(answer.reason == "length" for answer in answers)


def _shown(answer: Answer | None) -> Text:
    if answer is None:
        return Text("yours to build", "dim")
    cut = answer.reason == "length"
    text = printable(answer.text, _WIDTHS[2] - 6 * cut)
    return Text(text, "yellow").append("  CUT", "bold yellow") if cut else Text(text, "green")


def objects(console: Console, written: Sequence[Written]) -> None:
    """What the models wrote for a JSON Schema."""
    console.print(f"[bold]A JSON Schema[/] (lab 08), at most {TOKENS} tokens; the judge is jsonschema:\n")
    for key, part in SCHEMA["properties"].items():
        needed = "  required" if key in SCHEMA["required"] else ""
        console.print(Text(f"    {key:8} {json.dumps(part)}{needed}", "dim"))
    for each in written:
        console.print(Text(f"  {each.model:13}").append(printable(each.free, 70), "red"))
        console.print(Text(f"  {'':13}").append(printable(each.text, 70), "green").append(f"  {each.verdict}"))
    console.print()


def agreement(console: Console, agreed: Sequence[bool]) -> None:
    """That the three ways to a mask are one mask."""
    console.print(
        f"Behind {sum(agreed)} of {len(agreed)} beginnings the masks of labs 01, 02 and 03 are the same, bit by bit.\n"
    )


def _row(*cells: str | Text, style: str = "") -> Table:
    table = Table.grid(padding=(0, 2))
    for width in _WIDTHS:
        table.add_column(width=width, no_wrap=True)
    table.add_row(*cells, style=style)
    return table


def printable(text: str, width: int) -> str:
    """A text on one line, control characters escaped, cut to a width.

    >>> printable("a\\nb", 9)
    'a\\\\nb'
    """
    shown = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
    return shown if len(shown) <= width else shown[: width - 3] + "..."


def costs(console: Console, measured: Sequence[Cost], pattern: Pattern, prefix: str) -> None:
    """What one step costs, measured here and now."""
    console.print(f"[bold]One mask[/] behind {prefix!r} of {pattern.source}, median of 3:\n", markup=True)
    unicode = can_print(console, "█")
    console.print(text_chart(_series(measured), width=72, unicode=unicode), markup=False)
    last = measured[-1]
    console.print(
        f"\nAt {last.vocab_size:,} tokens: naive (lab 01) {quantity(last.naive, 's')}, machine (lab 02) "
        f"{quantity(last.machine, 's')}, look-up (lab 03) {quantity(last.table, 's')}.\n"
        f"The machine took [bold]{last.naive / last.machine:.0f} times[/] less than the naive mask, "
        f"the look-up [bold]{last.machine / last.table:.0f} times[/] less than the machine.\n"
    )


def pictures(console: Console, measured: Sequence[Cost], hexadecimal: Pattern, out: Path) -> None:
    """The machine, as text here and as SVG in a file; the cost against the vocabulary's size."""
    console.print(f"[bold]The machine[/] of {hexadecimal.source}:\n")
    console.print(fsm_text(hexadecimal.fsm, unicode=can_print(console, "→")), markup=False)
    out.mkdir(parents=True, exist_ok=True)
    machine, cost = out / "machine.svg", out / "cost.svg"
    fsm_svg(hexadecimal.fsm, title=hexadecimal.source).save(machine)
    line_chart(
        _series(measured),
        title="One mask",
        x_label="tokens in the vocabulary",
        y_label="time",
        log_x=True,
        log_y=True,
        y_unit="s",
    ).save(cost)
    console.print(f"\nPictures: {machine} and {cost}", markup=False)


def _series(measured: Sequence[Cost]) -> dict[str, list[tuple[float, float]]]:
    return {
        "naive": [(cost.vocab_size, cost.naive) for cost in measured],
        "machine": [(cost.vocab_size, cost.machine) for cost in measured],
        "look-up": [(cost.vocab_size, cost.table) for cost in measured],
    }


def can_print(console: Console, text: str) -> bool:
    """Whether a console's encoding has all of a text."""
    try:
        text.encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
