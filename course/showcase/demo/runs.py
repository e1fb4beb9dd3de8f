"""The demo's scene of labs 04 and 05: scripted models, without a mask, under a mask, and within a budget."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

import numpy as np
from rich.table import Table
from rich.text import Text

from course.showcase.demo import Stage
from course.showcase.demo.costs import patterns
from course.showcase.demo.screen import printable
from course.student.core.catalog import without_reference
from labkit.automata.tries import Trie
from labkit.bench import Subject
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
    """A text, and whether it was cut off before its end."""

    text: str
    cut: bool


@dataclass(frozen=True)
class DemoRun:
    """What one model wrote for one pattern: freely, under the mask, and within the budget.

    ``budgeted`` is None where this copy of the course lacks lab 05's reference.
    """

    pattern: str
    what: str
    model: str
    free: Output
    masked: Output
    budgeted: Output | None


def all_runs(vocabulary: Vocabulary, trie: Trie) -> Iterator[Callable[[], DemoRun]]:
    """Yield a job for each pattern and each of the two models that a mask changes most."""
    made = models(vocabulary)
    for what, subject in list(patterns().items())[1:]:
        table = lifting.lift(subject.fsm, trie)
        for name in ("adversary", "digit lover"):
            yield partial(_run, vocabulary, what, subject, table, name, made[name])


def _run(vocabulary: Vocabulary, what: str, subject: Subject, table: lifting.Table, name: str, model: Model) -> DemoRun:
    def output(ids: Sequence[int]) -> Output:
        return Output(vocabulary.decode(ids), ids[-1] != vocabulary.eos_id)

    us = np.random.default_rng(7).random(STEPS).tolist()
    arguments = (model, subject.fsm, table, vocabulary, STEPS, us)
    free = output(naive.generate(model, vocabulary.texts(), lambda text: True, us))
    masked, budgeted = output(gating.constrained_generate(*arguments)), None
    if not without_reference([5]):
        from labs.lab_05_truncation.solution import generate_within

        budgeted = output(generate_within(*arguments))
    return DemoRun(subject.pattern, what, name, free, masked, budgeted)


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
    for (pattern, what), group in groupby(runs, key=lambda run: (run.pattern, run.what)):
        console.print(Text(pattern, style="bold").append(f"   {what}", style="not bold dim"))
        for run in group:
            free = Text(printable(run.free.text, _WIDTHS[1]), "red")
            console.print(_row(f"  {run.model}", free, _cell(run.masked), _cell(run.budgeted)))
    cut, budgeted = sum(run.masked.cut for run in runs), [run.budgeted.cut for run in runs if run.budgeted]
    more = f"with the budget mask, {sum(budgeted)}" if budgeted else "the budget mask is yours to build"
    console.print(f"\nOf {len(runs)} masked answers {cut} were cut off before their end; {more}.\n")


def _cell(output: Output | None) -> Text:
    if output is None:
        return Text("yours to build", "dim")
    text = printable(output.text, _WIDTHS[2] - 6 * output.cut)
    return Text(text, "yellow").append("  CUT", "bold yellow") if output.cut else Text(text, "green")


def _row(*cells: str | Text, style: str = "") -> Table:
    table = Table.grid(padding=(0, 2))
    for width in _WIDTHS:
        table.add_column(width=width, no_wrap=True)
    table.add_row(*cells, style=style)
    return table
