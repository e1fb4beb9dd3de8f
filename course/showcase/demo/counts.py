"""The demo's scene that counts how often the small model's answers are valid and right: in this run, and as shipped."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from rich.console import Console
from rich.table import Table
from rich.text import Text

from course.showcase.demo.answers import SEED, prompts
from course.showcase.demo.stage import Stage
from course.showcase.small_model import figures
from course.showcase.small_model.figures import Share
from course.showcase.small_model.outcomes import CHECKPOINTS, MODES, NAMES, RAN_OUT, Outcome, outcomes
from labkit.small_model.generation import Generator

TIME_LIMIT = 12.0
"""Seconds after which no more prompts are started."""

_PART = 24
"""Prompts that are answered together."""

_WHY = 27
"""Cells that the reasons have on 80 columns; wider terminals give them more."""

Key = tuple[str, str]
"""A checkpoint and a mode."""

Answers = Mapping[Key, list[Outcome]]
Work = Callable[[str, Iterable[Callable[[], Answers]]], list[Answers]]
"""Does jobs and shows a counter: ``work(what, jobs)``."""


@dataclass(frozen=True)
class Count:
    """Shares that were counted together; ``where`` says in words when and how."""

    where: str
    shares: Mapping[Key, Share]


def play(stage: Stage) -> None:
    """Show both counts as tables, what not to conclude from them, and which of the model's files are unusable."""
    found = []
    if stage.models:
        found.append(counted(stage.models, stage.n_prompts, stage.work))
    try:
        found.append(shipped())
    except ValueError as error:
        stage.problems.append(str(error))
    show(stage.console, found)
    for problem in stage.problems:
        stage.console.print(f"error: {problem}", style="bold red", markup=False)
    if stage.problems:
        stage.console.print("What needs these files was left out.\n")


def counted(models: Mapping[str, Generator], most: int, work: Work, limit: float = TIME_LIMIT) -> Count:
    """Count the answers of each model in each mode to at most ``most`` prompts, as many as start within the limit."""
    drawn, started = prompts(most), time.perf_counter()
    keys = [(checkpoint, mode) for checkpoint in models for mode in MODES]

    def answer(start: int) -> Answers:
        if start and time.perf_counter() - started > limit:
            return {}
        some = drawn[start : start + _PART]
        return {key: outcomes(some, key[1], models[key[0]], seed=SEED + start) for key in keys}

    what = f"answering up to {most} prompts in each of three modes"
    parts = work(what, [partial(answer, start) for start in range(0, most, _PART)])
    shares = {key: Share.of([outcome for part in parts for outcome in part.get(key, ())]) for key in keys}
    n, took = shares[keys[0]].n, time.perf_counter() - started
    cut = f" of {most}: {limit:g} s are over" if n < most else ""
    return Count(f"Counted in this run: n = {n}{cut}, seed {SEED}, temperature 1, {took:.1f} s", shares)


def shipped() -> Count:
    """Return the figures that are in the repository.

    Raises:
        ValueError: naming the file, if it is missing or is not what it should be.
    """
    try:
        setting, tables = figures.load()
        by_checkpoint = sorted(tables.items(), key=lambda item: CHECKPOINTS.index(item[0]))
        shares = {(name, mode): table[mode]["all"] for name, table in by_checkpoint for mode in MODES}
        return Count(f"Shipped with the course: n = {setting['n']}, seed {setting['seed']}, {setting['date']}", shares)
    except FileNotFoundError:
        raise ValueError(f"{figures.FILE}: No such file or directory; expected the small model's figures") from None
    except (OSError, ValueError, TypeError, LookupError, AttributeError) as error:
        raise ValueError(f"{figures.FILE}: not the small model's figures ({error})") from error


def show(console: Console, counts: list[Count]) -> None:
    """Show each count as a table, and what not to conclude from it."""
    for count in counts:
        console.print(Text(count.where, "bold"))
        console.print(_table(count.shares, min(60, _WHY + max(0, console.width - 80))), soft_wrap=False)
        console.print()
    if counts:
        console.print(conclusion(counts[0].shares) + "\n")


def conclusion(shares: Mapping[Key, Share]) -> str:
    """Return one sentence about the first checkpoint with answers that are valid under the mask and not right.

    >>> print(conclusion({("final", "free"): Share(9, 7, 5), ("final", "budget"): Share(9, 9, 6)}))
    Valid is not correct: with mask and budget 9 of 9 answers of checkpoint final
    are valid, and 6 of these say what the prompt says; without a mask it is 7 and 5.
    """
    budgets = {checkpoint: share for (checkpoint, mode), share in shares.items() if mode == "budget"}
    checkpoint = next((each for each, share in budgets.items() if share.right < share.valid), next(iter(budgets)))
    budget, free = budgets[checkpoint], shares[checkpoint, "free"]
    return (
        f"Valid is not correct: with mask and budget {budget.valid} of {budget.n} answers of "
        f"checkpoint {checkpoint}\nare valid, and {budget.right} of these say what the prompt says; "
        f"without a mask it is {free.valid} and {free.right}."
    )


def percent(part: int, whole: int) -> str:
    """Return a share to one decimal.

    >>> percent(1, 3), percent(9, 9), percent(0, 0)
    ('33.3%', '100%', '-')
    """
    return f"{100 * part / whole:.1f}".removesuffix(".0") + "%" if whole else "-"


def _table(shares: Mapping[Key, Share], why: int) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for width in (5, 16, 6, 6, 6):
        table.add_column(width=width, no_wrap=True)
    table.add_column(width=why)
    table.add_row("", "", "valid", "right", "out of", "not valid: why", style="dim")
    table.add_row("", "", "", "", "tokens", "", style="dim")
    previous = ""
    for (checkpoint, mode), share in shares.items():
        table.add_row("" if checkpoint == previous else checkpoint, NAMES[mode], *_cells(share))
        previous = checkpoint
    return table


def _cells(share: Share) -> list[str | Text]:
    others = (f"{why} {percent(k, share.n)}" for why, k in share.why.items() if why != RAN_OUT)
    return [
        Text(percent(share.valid, share.n), "green" if share.valid == share.n else "red"),
        percent(share.right, share.n),
        percent(share.ran_out, share.n),
        Text(", ".join(others), "dim"),
    ]
