"""``python -m course demo --prompt …``: a person's own prompt and form, answered freely and under the form's mask."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import accumulate

import jsonschema
import numpy as np
from rich.console import Console

from course.showcase.demo.answers import answer_streaming, in_words, said
from course.showcase.demo.options import Options, form_of
from course.showcase.demo.screen import OnText, Question, Said, watch
from course.showcase.small_model.guides import guide_for
from course.showcase.small_model.outcomes import generator, judged
from course.student.core.timeouts import TimeLimit, time_limit
from labkit.errors import BudgetTooSmall, LimitExceeded, TokenNotAllowed
from labkit.small_model.config import CONFIG
from labkit.small_model.generation import Request
from labkit.small_model.tasks.forms import Example, Form, JsonForm
from labkit.small_model.tasks.judging import Verdict, judge
from labkit.small_model.tokenizer import Tokenizer
from labs.assembled import Guide

MAX_TOKENS = 128
"""Tokens of an answer by default, EOS included."""

JUDGE_TIMEOUT = 2.0
"""Seconds that the judge may take: a schema's pattern may be one on which ``re`` never ends."""

SAMPLES = {
    "coral as a hex colour": "#ff7f50",
    "2.7.2032 as an ISO date": "2032-07-02",
    "International form of 0049 30 1234567": "+49 30 1234567",
}
"""Prompts that the model was trained on, with a right answer to each."""


def run_own(console: Console, options: Options) -> int:
    """Answer a person's own prompt: freely, and where there is a form, under its mask too.

    Raises:
        ValueError: if the pattern, the schema, the budget, the prompt's length or the checkpoint's file does not do.
    """
    form, max_tokens = form_of(options), options.max_tokens or MAX_TOKENS
    mask = None
    if form is not None:
        with console.status("compiling the mask"):
            mask = compiled(form, max_tokens)
    prompt = options.prompt if options.prompt is not None or mask is None else fitting_prompt(mask)
    requests = [request_of(options, prompt or "")]
    if mask:
        requests.append(replace(requests[0], constraint=mask.guide, within_budget=True))
    question = Question(options.checkpoint or "final", prompt or "", in_words(form))
    _show(console, question, requests, mask)
    return 0


def _show(console: Console, question: Question, requests: Sequence[Request], mask: "Mask | None") -> None:
    model = generator(question.checkpoint)
    example = Example("own", question.prompt, "", mask.form if mask else None)
    written: list[Sequence[int]] = []

    def play(on_text: OnText) -> list[Said]:
        with np.errstate(over="ignore"):  # a temperature next to 0
            answers = answer_streaming(model, requests, on_text)
        written.extend(answer.ids for answer in answers)
        verdicts = [verdict_on(mask, answer.ids) if mask else None for answer in answers]
        return [said(judged(example, "own", *pair)) for pair in zip(answers, verdicts, strict=True)]

    watch(console, question, play)
    if mask is None:
        console.print("No form was asked for, so nothing was masked: add --regex or --schema.")
        return
    steps, forced = len(written[-1]) + 1, mask.forced(written[-1], requests[-1].max_tokens)
    asked = f"The mask was asked for {steps} token{'s' * (steps != 1)}, EOS included"
    console.print(f"{asked}; for {forced} of them it left one choice.")


def request_of(options: Options, prompt: str) -> Request:
    """Return the request for a free answer.

    Raises:
        ValueError: if prompt and answer are longer than the model's context, or the prompt is no Unicode text.

    >>> request_of(Options(prompt="Hi", max_tokens=9), "Hi").max_tokens
    9
    """
    ids, most = Tokenizer.load().prompt(prompt), options.max_tokens or MAX_TOKENS
    if len(ids) + most > CONFIG.max_positions:
        raise ValueError(
            f"the prompt is {len(ids):,} tokens long and the answer may take {most:,}, together "
            f"{len(ids) + most:,}; the model's context is {CONFIG.max_positions:,}"
        )
    temperature = 1.0 if options.temperature is None else options.temperature
    return Request(ids, most, seed=options.seed or 0, temperature=temperature)


# The mask of a form -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mask:
    """A form, compiled."""

    form: Form
    guide: Guide

    def verdict(self, ids: Sequence[int]) -> Verdict:
        """Return whether these tokens are a whole answer; ``unclosed`` where they only end too early."""
        try:
            state = reduce(self.guide.advance, ids, self.guide.initial)
        except TokenNotAllowed:
            return Verdict(False, "no match")
        return Verdict(True) if self.guide.is_accepting(state) else Verdict(False, "unclosed")

    def forced(self, ids: Sequence[int], max_tokens: int) -> int:
        """Return how many of the masks before these tokens, and before EOS after them, allow just one token."""
        states = accumulate(ids, self.guide.advance, initial=self.guide.initial)
        masks = (self.guide.mask(state, max_tokens - step) for step, state in enumerate(states))
        return sum(int(np.bitwise_count(mask.view(np.uint32)).sum()) == 1 for mask in masks)


def compiled(form: Form, max_tokens: int) -> Mask:
    """Return the mask of a form.

    Raises:
        ValueError: if the pattern or the schema cannot be compiled, with the place in it.
        BudgetTooSmall: if no answer fits into the tokens, with the fewest that would do.
    """
    try:
        guide = guide_for(form)
    except RecursionError:
        raise LimitExceeded("the pattern or schema is nested deeper than Python can follow", 1) from None
    needed = guide.tokens_to_accept(guide.initial) + 1
    if needed > max_tokens:
        raise BudgetTooSmall(max_tokens, needed)
    return Mask(form, guide)


def fitting_prompt(mask: Mask) -> str:
    """Return a prompt for a form that came without one."""
    if isinstance(mask.form, JsonForm):
        keys = mask.form.schema.get("properties", ()) if isinstance(mask.form.schema, dict) else ()
        return f"JSON with the keys {', '.join(list(keys)[:8])}." if keys else "Reply with JSON."
    encode = Tokenizer.load().encode
    if not mask.verdict(encode("Hello!")).valid:
        for prompt, answer in SAMPLES.items():
            if mask.verdict(encode(answer)).valid:
                return prompt
    return f"Write {in_words(mask.form)[:60]}"


def verdict_on(mask: Mask, ids: Sequence[int]) -> Verdict:
    """Return the verdict on an answer: of ``json`` and ``jsonschema`` on JSON, of the automaton on other texts.

    The automaton decides too where a judge gives no verdict.
    """
    if isinstance(mask.form, JsonForm):
        try:
            with time_limit(JUDGE_TIMEOUT):
                return judge(mask.form, Tokenizer.load().decode(ids, special=True))
        except (TimeLimit, jsonschema.exceptions.SchemaError, ValueError, TypeError, RecursionError):
            pass
    return mask.verdict(ids)
