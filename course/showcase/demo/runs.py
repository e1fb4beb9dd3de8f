"""The demo's scene of labs 04 and 05: scripted models, without a mask, under a mask, and within a budget."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

import numpy as np
from rich.table import Table
from rich.text import Text

from course.showcase.demo.costs import Pattern, patterns
from course.showcase.demo.stage import Stage
from course.showcase.demo.text import printable
from course.student.core.catalog import without_reference
from labkit.automata.tries import Trie
from labkit.models import Model, adversary, digit_lover, seeded_random
from labkit.vocabulary import Vocabulary
from labs.lab_01_naive_matching import solution as naive
from labs.lab_03_token_lifting import solution as lifting
from labs.lab_04_eos_gating import solution as gating

STEPS = 8
"""Tokens that a run may take, EOS included."""

CHATTER = ["Sure", ",", " here", " is", " the", " number", " you", " asked"]
"""What the adversary would like to say, token by token."""

_WIDTHS = (13, 21, 18, 22)


def models(vocabulary: Vocabulary) -> dict[str, Model]:
    """Return the scripted models by name."""
    return {
        "adversary": adversary(vocabulary, wants=CHATTER),
        "digit lover": digit_lover(vocabulary),
        "random": seeded_random(len(vocabulary), seed=2026),
    }


@dataclass(frozen=True)
class Output:
    """A text, and why it ended: ``stop`` or ``length``."""

    text: str
    finish_reason: str


@dataclass(frozen=True)
class Run:
    """What one model wrote for one pattern: freely, under the mask, and within the budget.

    ``budgeted`` is None where this copy of the course lacks lab 05's reference.
    """

    pattern: Pattern
    model: str
    free: Output
    masked: Output
    budgeted: Output | None


def all_runs(vocabulary: Vocabulary, trie: Trie) -> Iterator[Callable[[], Run]]:
    """Yield a job for each pattern and each of the two models that a mask changes most."""
    made = models(vocabulary)
    for pattern in patterns()[1:]:
        table = lifting.lift(pattern.fsm, trie)
        for name in ("adversary", "digit lover"):
            yield partial(_run, vocabulary, pattern, table, name, made[name])


def _run(vocabulary: Vocabulary, pattern: Pattern, table: lifting.Table, name: str, model: Model) -> Run:
    us = np.random.default_rng(7).random(STEPS).tolist()
    free = naive.generate(model, vocabulary.texts(), lambda text: True, us)
    masked = gating.constrained_generate(model, pattern.fsm, table, vocabulary, STEPS, us)
    budgeted = None
    if not without_reference([5]):
        from labs.lab_05_truncation.solution import generate_within

        budgeted = _output(vocabulary, generate_within(model, pattern.fsm, table, vocabulary, STEPS, us))
    return Run(pattern, name, _output(vocabulary, free), _output(vocabulary, masked), budgeted)


def _output(vocabulary: Vocabulary, ids: Sequence[int]) -> Output:
    return Output(vocabulary.decode(ids), "stop" if ids[-1] == vocabulary.eos_id else "length")


def play(stage: Stage) -> None:
    """Introduce the labs' scenes, and show what came out, pattern by pattern."""
    console = stage.console
    console.print("[bold]The same on a vocabulary of today's size[/]")
    console.print(
        f"{len(stage.vocabulary):,} tokens of a real vocabulary (Tekken), scripted models, {STEPS} tokens each.\n"
        "The adversary wants to chat, whatever is asked of it; the digit lover never\n"
        "wants to stop; a third model's logits are random numbers.\n"
    )
    runs = stage.work("generating", all_runs(stage.vocabulary, stage.trie))
    console.print(_row("", "no mask", "masked (lab 04)", "with a budget (lab 05)", style="dim"))
    for pattern, group in groupby(runs, key=lambda run: run.pattern):
        console.print(Text(pattern.source, style="bold").append(f"   {pattern.what}", style="not bold dim"))
        for run in group:
            free = Text(printable(run.free.text, _WIDTHS[1]), "red")
            console.print(_row(f"  {run.model}", free, _cell(run.masked), _cell(run.budgeted)))
    budgeted = [run.budgeted for run in runs if run.budgeted]
    more = f"with the budget mask, {_count_cut(budgeted)}" if budgeted else "the budget mask is yours to build"
    cut = _count_cut([run.masked for run in runs])
    console.print(f"\nOf {len(runs)} masked answers {cut} were cut off before their end; {more}.")


def _count_cut(outputs: Sequence[Output]) -> int:
    return sum(output.finish_reason == "length" for output in outputs)


def _cell(output: Output | None) -> Text:
    if output is None:
        return Text("yours to build", "dim")
    cut = output.finish_reason == "length"
    text = printable(output.text, _WIDTHS[2] - 6 * cut)
    return Text(text, "yellow").append("  CUT", "bold yellow") if cut else Text(text, "green")


def _row(*cells: str | Text, style: str = "") -> Table:
    table = Table.grid(padding=(0, 2))
    for width in _WIDTHS:
        table.add_column(width=width, no_wrap=True)
    table.add_row(*cells, style=style)
    return table
