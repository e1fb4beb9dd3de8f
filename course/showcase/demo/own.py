"""A person's own prompt and form: the small model answers, freely and under the mask."""

from dataclasses import replace

import numpy as np
from rich.console import Console

from course.showcase.demo.forms import in_words
from course.showcase.demo.results import Pair, Said
from course.showcase.demo.screen import Screen, Tell
from course.showcase.demo.telling import teller
from course.showcase.demo.wishes import Wishes, form_of
from course.student.core.edition import require_references
from labkit.small_model.config import CONFIG
from labkit.small_model.generation import Generator, Request
from labkit.small_model.tasks.forms import Example, Form
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import SmallModel

MAX_TOKENS = 128
"""Tokens of an answer where nothing is said, EOS included."""


def run_own(console: Console, wishes: Wishes) -> int:
    """Answer what a person asks.

    Raises:
        ValueError: if a wish cannot be met: the pattern, the schema, the budget, the prompt's length, the checkpoint's
            file.
    """
    form = form_of(wishes)
    if form is None:
        _free(console, wishes)
    else:
        require_references("a mask of your own", (6, 7, 8))
        _masked(console, wishes, form)
    return 0


def request_of(wishes: Wishes, prompt: str) -> Request:
    """The request for a free answer.

    Raises:
        ValueError: if prompt and answer are longer than the model's context, or the prompt is no Unicode text.

    >>> request_of(Wishes(prompt="Hi", max_tokens=9), "Hi").max_tokens
    9
    """
    ids, most = Tokenizer.load().prompt(prompt), MAX_TOKENS if wishes.max_tokens is None else wishes.max_tokens
    if len(ids) + most > CONFIG.max_positions:
        raise ValueError(
            f"the prompt is {len(ids):,} tokens long and the answer may take {most:,}, together "
            f"{len(ids) + most:,}; the model's context is {CONFIG.max_positions:,}"
        )
    temperature = 1.0 if wishes.temperature is None else wishes.temperature
    return Request(ids, most, seed=wishes.seed or 0, temperature=temperature)


def _generator(wishes: Wishes) -> Generator:
    return Generator(SmallModel.load(wishes.checkpoint or "final"), Tokenizer.load().vocabulary)


def _free(console: Console, wishes: Wishes) -> None:
    """Without a form there is no mask."""
    prompt = wishes.prompt or ""
    request, model, checkpoint = request_of(wishes, prompt), _generator(wishes), wishes.checkpoint or "final"

    def play(tell: Tell) -> Pair:
        with np.errstate(over="ignore"):  # a temperature next to 0
            [answer] = replace(model, on_token=teller([[]], tell)).answer([request])
        return Pair(checkpoint, prompt, "", Said(Tokenizer.load().decode(answer.ids, special=True)), None)

    Screen(console).watch(checkpoint, prompt, "", play)
    console.print("No form was asked for, so nothing was masked: add --regex or --schema.")


def _masked(console: Console, wishes: Wishes, form: Form) -> None:
    from course.showcase.demo.answers import said
    from course.showcase.demo.masking import compiled, fitting_prompt, verdict_on

    most = MAX_TOKENS if wishes.max_tokens is None else wishes.max_tokens
    with console.status("compiling the mask"):
        mask = compiled(form, most)
    prompt = fitting_prompt(mask) if wishes.prompt is None else wishes.prompt
    request, model, checkpoint = request_of(wishes, prompt), _generator(wishes), wishes.checkpoint or "final"
    example, asked = Example("own", prompt, "", form), in_words(form)

    def play(tell: Tell) -> Pair:
        requests = [request, replace(request, constraint=mask, within_budget=True)]
        with np.errstate(over="ignore"):  # a temperature next to 0
            answers = replace(model, on_token=teller([[], []], tell)).answer(requests)
        texts = [Tokenizer.load().decode(answer.ids, special=True) for answer in answers]
        verdicts = [verdict_on(mask, answer.ids, text) for answer, text in zip(answers, texts, strict=True)]
        free, masked = map(said, (example, example), answers, verdicts)
        return Pair(checkpoint, prompt, asked, free, masked)

    Screen(console).watch(checkpoint, prompt, asked, play)
    console.print(
        f"The mask was asked for {mask.steps} token{'s' * (mask.steps != 1)}, EOS included; "
        f"for {mask.forced} of them it left one choice."
    )
