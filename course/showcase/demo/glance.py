"""The demo's first screen: a polite prompt where the mask makes the difference, one where it cannot, and counts."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from course.showcase.demo import Stage
from course.showcase.demo.answers import PROMPTS_SEED, SEED, shipped, show
from course.showcase.demo.asking import ask
from course.showcase.small_model.outcomes import JudgedAnswer, outcomes, request_for
from labkit.small_model.generation import Generator
from labkit.small_model.tasks.forms import Example, JsonForm
from labkit.small_model.tasks.nested import basket
from labkit.small_model.tasks.prose import friendly
from labkit.small_model.tasks.records import ORDER, contact, event, order, written
from labkit.small_model.tasks.unfamiliar import renamed

FRIENDLY = Example(
    "order",
    "Hi! Could you send 3 chairs to Ben King in Oslo? JSON only, please.",
    written({"item": "chair", "quantity": 3, "customer": "Ben King", "city": "Oslo"}),
    JsonForm(ORDER),
)
"""An everyday prompt in nobody's word list; the README's picture has it too."""

COUNTED, FEWER = 48, 16
"""Friendly prompts that are drawn and counted; and with ``--quick``."""


def play(stage: Stage) -> None:
    """Show a friendly prompt that needs the mask, how often such prompts do, one that no mask helps, and the counts."""
    console = stage.console
    console.print(
        "[bold]A real model[/], small enough for this repository: a Llama of 0.9 million\n"
        "weights, run by NumPy on this machine. Ask it politely for JSON and it answers\n"
        "politely, as it learned to; a program that reads the answer stops at the first\n"
        "word. On the right: the same model, prompt and seed, under the mask that you'll\n"
        "build in labs 04 to 08.\n"
    )
    if model := stage.models.get("final"):
        _ask(stage, model, FRIENDLY, 0)
        n = FEWER if stage.quick else COUNTED
        free, masked = (outcomes(list(friendly_prompts(n)), mode, model, seed=SEED) for mode in ("free", "budget"))
        right = sum(each.right for each in masked)
        console.print(
            f"We wrote that prompt. We then drew {n} more polite ones at random: {_valid(free)} valid\n"
            f"answers without a mask, {_valid(masked)} with it, and {right} of those right.\n\n"
            "Valid isn't always right, though. The model has never seen the words below and\n"
            "copies them badly, and no mask can fix that. (We took the first order drawn.)\n"
        )
        rng = Random(PROMPTS_SEED)
        _ask(stage, model, renamed(rng, order(rng)), SEED)
        console.print("And how it went on 700 plain prompts, half of them with words like these:\n")
    try:
        where, shares = shipped()
        show(console, [(where, {key: share for key, share in shares.items() if key[0] == "final"})])
    except ValueError as error:
        stage.problems.append(str(error))
    for problem in stage.problems:
        console.print(f"error: {problem}", style="bold red", markup=False)


def friendly_prompts(n: int) -> Iterator[Example]:
    """Yield requests for JSON in the friendly wordings that the model was trained to answer with words around it."""
    rng = Random(PROMPTS_SEED)
    for _ in range(n):
        formal = rng.choice([order, contact, event, basket])(rng)
        yield replace(formal, prompt=friendly(rng, formal.prompt))


def _ask(stage: Stage, model: Generator, example: Example, seed: int) -> None:
    ask(stage.console, "final", model, example, [request_for(example, mode, seed) for mode in ("free", "budget")])


def _valid(answers: list[JudgedAnswer]) -> int:
    return sum(each.valid for each in answers)
