"""The demo's scene of the small model: some of its answers, and how often they are valid and right."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice, pairwise

from rich.console import Console
from rich.text import Text

from course.showcase.demo import Stage
from course.showcase.demo.asking import ask
from course.showcase.small_model import figures
from course.showcase.small_model.figures import Share
from course.showcase.small_model.outcomes import CHECKPOINTS, MODES, NAMES, JudgedAnswer, outcomes, request_for
from labkit.small_model.generation import Generator
from labkit.small_model.tasks import MEASURED, examples
from labkit.small_model.tasks.forms import Example

SEED = 1_000
"""The seed of the sampling."""

PROMPTS_SEED = 2_001_003
"""The seed of the prompts: neither the training nor the shipped figures used these."""

SEARCHED = 128
"""Prompts that a checkpoint answers at most, in the search for answers that broke."""

_FIRST, _BATCH = 8, 32
"""Prompts answered together in that search: few at first, since the reader waits."""

_BROKEN = 3
"""Broken answers shown of the first checkpoint, each for another reason. What it lacks the next one adds."""

COUNTED, FEWER = 96, 32
"""Prompts counted in each mode at most, about ten seconds on one slow core; and with ``--quick``."""

TIME_LIMIT = 12.0
"""Seconds after which no more of them are started."""

_PART = 24
"""Prompts answered together in that count."""

Key = tuple[str, str]
"""A checkpoint and a mode."""

Count = tuple[str, Mapping[Key, Share]]
"""In words when and how something was counted, and the shares."""

Answers = Mapping[Key, list[JudgedAnswer]]
Work = Callable[[str, Iterable[Callable[[], Answers]]], list[Answers]]
"""Does jobs and shows a counter: ``work(what, jobs)``."""


def play(stage: Stage) -> None:
    """Introduce the model, show a right free answer and some that broke, each beside its masked twin, then counts.

    Say too which of the model's files are unusable.
    """
    console, broken, counts = stage.console, set(), []
    console.print(
        "[bold]A real model[/], small enough for this repository: a Llama of 0.9 million\n"
        "weights, run by NumPy on this machine. It answers each prompt twice, with the\n"
        "same seed at temperature 1: freely, and under the mask that labs 04 to 08 build\n"
        "up, with a budget. Looked for and shown: a free answer that is right, and the\n"
        "first that are not valid, each for another reason. The checkpoint 'early' is\n"
        "the same model, early in its training.\n"
    )
    for checkpoint, seed, outcome in picks(stage.models):
        requests = [request_for(outcome.example, mode, seed) for mode in ("free", "budget")]
        ask(console, checkpoint, stage.models[checkpoint], outcome.example, requests)
        broken |= {checkpoint} if outcome.why else set()
    for checkpoint in stage.models:
        if checkpoint not in broken:
            console.print(f"Of {SEARCHED} free answers of checkpoint {checkpoint} none broke for a new reason.\n")
    if stage.models:
        counts.append(counted(stage.models, FEWER if stage.quick else COUNTED, stage.work))
    try:
        counts.append(shipped())
    except ValueError as error:
        stage.problems.append(str(error))
    show(console, counts)
    for problem in stage.problems:
        console.print(f"error: {problem}", style="bold red", markup=False)
    if stage.problems:
        console.print("What needs these files was left out.\n")


def prompts(n: int) -> list[Example]:
    """Return the first of the demo's prompts."""
    return list(islice(examples(PROMPTS_SEED, MEASURED), n))


def picks(ready: dict[str, Generator]) -> Iterator[tuple[str, int, JudgedAnswer]]:
    """Yield a right free answer and some that broke, each for another reason, with their checkpoints and seeds.

    Of each checkpoint there is at least one that broke, if any did for a reason that is new.
    """
    drawn, seen = prompts(SEARCHED), set[str]()
    for checkpoint, model in ready.items():
        most = max(_BROKEN, len(seen - {""}) + 1)
        for start, end in pairwise([0, _FIRST, *range(_BATCH, SEARCHED + 1, _BATCH)]):
            if len(seen) > most:  # so many reasons, and a right answer
                break
            answered = outcomes(drawn[start:end], "free", model, seed=SEED + start)
            for seed, outcome in enumerate(answered, SEED + start):
                broke = outcome.why and len(seen - {""}) < most
                if (broke or outcome.right) and outcome.why not in seen:
                    seen.add(outcome.why)
                    yield checkpoint, seed, outcome


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
    return f"Counted in this run: n = {n}{cut}, seed {SEED}, temperature 1, {took:.1f} s", shares


def shipped() -> Count:
    """Return the figures that are in the repository.

    Raises:
        ValueError: naming the file, if it is missing or is not what it should be.
    """
    try:
        setting, tables = figures.load()
        by_checkpoint = sorted(tables.items(), key=lambda item: CHECKPOINTS.index(item[0]))
        shares = {(name, mode): table[mode]["all"] for name, table in by_checkpoint for mode in MODES}
        return f"Shipped with the course: n = {setting['n']}, seed {setting['seed']}, {setting['date']}", shares
    except FileNotFoundError:
        raise ValueError(f"{figures.FILE}: No such file or directory; expected the small model's figures") from None
    except (OSError, ValueError, TypeError, LookupError, AttributeError) as error:
        raise ValueError(f"{figures.FILE}: not the small model's figures ({error})") from error


def show(console: Console, counts: list[Count]) -> None:
    """Show each count as a table, and what not to conclude from it."""
    for where, shares in counts:
        rows = [(f"{name:5}  {NAMES[mode]}", share, "") for (name, mode), share in shares.items()]
        console.print(Text(where, "bold"))
        console.print(figures.grid(rows), soft_wrap=False)
        console.print()
    if counts:
        console.print(conclusion(counts[0][1]) + "\n")


def conclusion(shares: Mapping[Key, Share]) -> str:
    """Return one sentence about the first checkpoint with answers that are valid under the mask and not right.

    >>> print(conclusion({("final", "free"): Share(9, 7, 5), ("final", "budget"): Share(9, 9, 6)}))
    Valid is not correct: with mask and budget 9 of 9 answers of checkpoint
    final are valid, and 6 of these say what the prompt says; without a mask
    it is 7 and 5.
    """
    budgets = {checkpoint: share for (checkpoint, mode), share in shares.items() if mode == "budget"}
    checkpoint = next((each for each, share in budgets.items() if share.right < share.valid), next(iter(budgets)))
    budget, free = budgets[checkpoint], shares[checkpoint, "free"]
    return (
        f"Valid is not correct: with mask and budget {budget.valid} of {budget.n} answers of "
        f"checkpoint\n{checkpoint} are valid, and {budget.right} of these say what the prompt says; "
        f"without a mask\nit is {free.valid} and {free.right}."
    )
