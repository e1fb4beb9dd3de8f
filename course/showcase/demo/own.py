"""``python3 -m course demo --prompt …``: a person's own prompt and form, answered freely and under the form's mask."""

import json
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial, reduce
from itertools import accumulate
from math import isfinite
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
from rich.console import Console

from course.showcase.demo.asking import ask, said
from course.showcase.demo.screen import verdict
from course.showcase.small_model.outcomes import MAX_TOKENS, generator, guide_for
from course.student.core.timeouts import TimeLimit, time_limit
from labkit.errors import BudgetTooSmall, InvalidSchema, LimitExceeded, TokenNotAllowed
from labkit.pictures import DrawnAnswer, answers_svg
from labkit.small_model.config import CONFIG
from labkit.small_model.generation import Request
from labkit.small_model.tasks.forms import Example, Form, JsonForm, TextForm
from labkit.small_model.tasks.judging import Verdict, judge
from labkit.small_model.tokenizer import Tokenizer
from mask_engine import Guide

LARGEST = 1_000_000
"""Bytes of a file with a schema or a grammar."""

JUDGE_TIMEOUT = 2.0
"""Seconds that the judge may take: a schema's pattern may be one on which ``re`` never ends."""


def run_own(
    console: Console,
    regex: str | None,
    schema: str | None,
    prompt: str | None,
    max_tokens: int | None,
    seed: int | None,
    temperature: float | None,
    checkpoint: str,
    picture: Path | None = None,
) -> int:
    """Answer a person's own prompt: freely, and where there is a form, under its mask too; draw both on request.

    Raises:
        ValueError: if an option, the pattern, the schema, the budget, the prompt's length or the checkpoint's file does
            not do.
    """
    if temperature is not None and not (isfinite(temperature) and temperature >= 0):
        raise ValueError(f"--temperature has to be a number from 0 on, not {temperature}")
    if prompt is None:
        raise ValueError("--regex and --schema go with --prompt, which says what the model is asked")
    form, most = form_of(regex, schema), max_tokens or MAX_TOKENS
    if form is not None:
        with console.status("compiling the mask"):
            check_budget(form, most)
    ids = Tokenizer.load().prompt(prompt)
    if len(ids) + most > CONFIG.max_positions:
        raise ValueError(
            f"the prompt is {len(ids):,} tokens long and the answer may take {most:,}, together "
            f"{len(ids) + most:,}; the model's context is {CONFIG.max_positions:,}"
        )
    free = Request(ids, most, seed=seed or 0, temperature=1.0 if temperature is None else temperature)
    model, example = generator(checkpoint), Example("own", prompt, "", form)
    if form is None:
        ask(console, checkpoint, model, example, [free])
        console.print("No form was asked for, so nothing was masked: add --regex or --schema.")
        return 0
    guide = guide_for(form)
    requests = [free, replace(free, constraint=guide, within_budget=True)]
    free_one, masked = ask(console, checkpoint, model, example, requests, partial(verdict_on, form))
    if picture:
        pairs = zip(("without a mask", "with the mask"), (said(free_one), said(masked)), strict=True)
        drawn = [DrawnAnswer(heading, each.text, each.broke, verdict(each).plain) for heading, each in pairs]
        picture.parent.mkdir(parents=True, exist_ok=True)
        answers_svg(prompt, drawn).save(picture)
    steps, forced = len(masked.ids) + 1, count_forced(guide, masked.ids, most)
    asked = f"The mask was asked for {steps} token{'s' * (steps != 1)}, EOS included"
    console.print(f"{asked}; for {forced} of them it left one choice.")
    return 0


def form_of(regex: str | None, schema: str | None) -> Form | None:
    """Return the form that the options ask for; None where they name neither a pattern nor a schema.

    Raises:
        ValueError: naming the file of the schema and what is wrong with it, or the place in the pattern.
    """
    if regex is not None and schema is not None:
        raise ValueError("give --regex or --schema, not both: an answer has one form")
    if regex is None:
        return JsonForm(read_schema(schema)) if schema is not None else None
    try:
        regex.encode()
    except UnicodeEncodeError as error:
        half = f"U+{ord(regex[error.start]):04X}"
        raise ValueError(f"the pattern has half a surrogate pair, {half}, at position {error.start}") from None
    return TextForm(regex)


def read_text(name: str, what: str) -> str:
    """Return the text of a file with ``what`` in it; ``-`` is the standard input.

    Raises:
        ValueError: if it cannot be read, or is too large.
    """
    where = "the standard input" if name == "-" else ascii(name)
    try:
        with nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb") as file:
            content = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or error
        raise ValueError(f"the {what} cannot be read from {where}: {reason}") from None
    if len(content) > LARGEST:
        raise ValueError(f"the {what} in {where} is larger than {LARGEST:,} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{where} is no UTF-8 text: byte {error.start}") from None


def read_json(name: str, what: str) -> Any:
    """Return the JSON value in a file with ``what`` in it; ``-`` is the standard input.

    Raises:
        ValueError: if it cannot be read, or is no JSON.
    """
    text = read_text(name, what)
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError(f"the JSON in {name!a} is nested too deep") from None
    except ValueError as error:
        raise ValueError(f"{name!a} is no JSON: {error}") from None


def read_schema(name: str) -> Any:
    """Return the schema in a file; ``-`` is the standard input.

    Raises:
        ValueError: if it cannot be read, or is no JSON.
        InvalidSchema: if it is ``null``.
    """
    schema = read_json(name, "schema")
    if schema is None:
        raise InvalidSchema("a schema is an object, true or false, not null", "")
    return schema


def check_budget(form: Form, max_tokens: int) -> None:
    """Compile a form's mask; raise ValueError if that cannot be done, or if no answer fits into the tokens."""
    try:
        guide = guide_for(form)
    except RecursionError:
        raise LimitExceeded("the pattern or schema is nested deeper than Python can follow", 1) from None
    needed = guide.tokens_to_accept(guide.initial) + 1
    if needed > max_tokens:
        raise BudgetTooSmall(max_tokens, needed)


def count_forced(guide: Guide, ids: Sequence[int], max_tokens: int) -> int:
    """Return how many of the masks before these tokens, and before EOS after them, allow just one token."""
    states = accumulate(ids, guide.advance, initial=guide.initial)
    masks = (guide.mask(state, max_tokens - step) for step, state in enumerate(states))
    return sum(int(np.bitwise_count(mask.view(np.uint32)).sum()) == 1 for mask in masks)


def verdict_on(form: Form, ids: Sequence[int]) -> Verdict:
    """Return the verdict on an answer: of ``json`` and ``jsonschema`` on JSON, of the automaton on other texts.

    The automaton decides too where a judge gives no verdict.
    """
    if isinstance(form, JsonForm):
        try:
            with time_limit(JUDGE_TIMEOUT):
                return judge(form, Tokenizer.load().decode(ids, special=True))
        except (TimeLimit, jsonschema.exceptions.SchemaError, ValueError, TypeError, RecursionError):
            pass
    return by_automaton(form, ids)


def by_automaton(form: Form, ids: Sequence[int]) -> Verdict:
    """Return whether these tokens are a whole answer; ``unclosed`` where they only end too early."""
    guide = guide_for(form)
    try:
        state = reduce(guide.advance, ids, guide.initial)
    except TokenNotAllowed:
        return Verdict(False, "no match")
    return Verdict(True) if guide.is_accepting(state) else Verdict(False, "unclosed")
