"""The demo: a polite prompt where the mask makes the difference, one where it cannot, and counts."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from rich.console import Console
from rich.text import Text

from course.showcase.demo.asking import ask
from course.showcase.small_model import figures
from course.showcase.small_model.outcomes import MODES, NAMES, JudgedAnswer, generator, outcomes, request_for
from labkit.small_model.generation import Generator
from labkit.small_model.tasks.forms import Example, JsonForm
from labkit.small_model.tasks.nested import basket
from labkit.small_model.tasks.prose import friendly
from labkit.small_model.tasks.records import ORDER, contact, event, order, written
from labkit.small_model.tasks.unfamiliar import renamed
from labkit.small_model.weights import BadWeights

FRIENDLY = Example(
    "order",
    "Hi! Could you send 3 chairs to Ben King in Oslo? JSON only, please.",
    written({"item": "chair", "quantity": 3, "customer": "Ben King", "city": "Oslo"}),
    JsonForm(ORDER),
)
"""An everyday prompt in nobody's word list; the page of ``course play`` has it too."""

SEED = 1_000
"""The seed of the sampling."""

PROMPTS_SEED = 2_001_003
"""The seed of the prompts: neither the training nor the shipped figures used these."""

COUNTED = 48
"""Friendly prompts that are drawn and counted."""


def play(console: Console) -> str:
    """Show a friendly prompt that needs the mask, how often such prompts do, one that no mask helps, and the counts.

    Returns:
        Which file of the model is missing or damaged; empty if none is. The counts are shown all the same.
    """
    problem = ""
    console.print(
        "[bold]A real model[/], small enough for this repository: a Llama of 0.9 million\n"
        "weights, run by NumPy on this machine. Ask it politely for JSON and it answers\n"
        "politely, as it learned to; a program that reads the answer stops at the first\n"
        "word. On the right: the same model, prompt and seed, under the mask that you'll\n"
        "build in labs 04 to 08.\n"
    )
    try:
        model = generator()
    except BadWeights as error:
        problem = str(error)
    else:
        _ask(console, model, FRIENDLY, 0)
        asked = list(friendly_prompts(COUNTED))
        free, masked = (outcomes(asked, mode, model, seed=SEED) for mode in ("free", "budget"))
        right = sum(each.right for each in masked)
        console.print(
            f"We wrote that prompt. We then drew {COUNTED} more polite ones at random: {_valid(free)} valid\n"
            f"answers without a mask, {_valid(masked)} with it, and {right} of those right.\n\n"
            "Valid isn't always right, though. The model has never seen the words below and\n"
            "copies them badly, and no mask can fix that. (We took the first order drawn.)\n"
        )
        rng = Random(PROMPTS_SEED)
        _ask(console, model, renamed(rng, order(rng)), SEED)
        console.print("And how it went on 700 plain prompts, half of them with words like these:\n")
    show_shipped(console)
    if problem:
        console.print(f"error: {problem}", style="bold red", markup=False)
    return problem


def friendly_prompts(n: int) -> Iterator[Example]:
    """Yield requests for JSON in the friendly wordings that the model was trained to answer with words around it."""
    rng = Random(PROMPTS_SEED)
    for _ in range(n):
        formal = rng.choice([order, contact, event, basket])(rng)
        yield replace(formal, prompt=friendly(rng, formal.prompt))


def _ask(console: Console, model: Generator, example: Example, seed: int) -> None:
    ask(console, "final", model, example, [request_for(example, mode, seed) for mode in ("free", "budget")])


def _valid(answers: list[JudgedAnswer]) -> int:
    return sum(each.valid for each in answers)


def show_shipped(console: Console) -> None:
    """Show the final checkpoint's figures that are in the repository, and what not to conclude from them."""
    setting, tables = figures.load()
    shares = {mode: tables["final"][mode]["all"] for mode in MODES}
    free, budget = shares["free"], shares["budget"]
    where = f"Shipped with the course: n = {setting['n']}, seed {setting['seed']}, {setting['date']}"
    console.print(Text(where, "bold"))
    console.print(figures.grid((f"final  {NAMES[mode]}", share, "") for mode, share in shares.items()), soft_wrap=False)
    console.print(
        f"\nValid is not correct: with mask and budget {budget.valid} of {budget.n} answers of checkpoint\n"
        f"final are valid, and {budget.right} of these say what the prompt says; without a mask\n"
        f"it is {free.valid} and {free.right}.\n"
    )
