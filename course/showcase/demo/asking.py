"""Asking the small model on the screen: its answers to a prompt side by side, judged, and marked where one broke."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from rich.console import Console

from course.showcase.demo.screen import OnText, Said, watch
from course.showcase.small_model.outcomes import JudgedAnswer, forced_ids, guide_for, judged
from labkit.errors import TokenNotAllowed
from labkit.small_model.generation import Answer, Generator, Request
from labkit.small_model.tasks.forms import Example, Form, JsonForm, NamedForm, TextForm
from labkit.small_model.tasks.judging import Verdict
from labkit.small_model.tokenizer import Tokenizer

_LONGEST = 120
"""The most characters of a form in words."""


def ask(
    console: Console,
    checkpoint: str,
    model: Generator,
    example: Example,
    requests: Sequence[Request],
    verdict: Callable[[Sequence[int]], Verdict] | None = None,
) -> list[JudgedAnswer]:
    """Show the answers to a prompt as they are written, then how each came out; by default the usual judge says so."""
    found: list[JudgedAnswer] = []

    def play(on_text: OnText) -> list[Said]:
        for answer in answer_streaming(model, requests, on_text):
            found.append(judged(example, answer, verdict(answer.ids) if verdict else None))
        return [said(outcome) for outcome in found]

    watch(console, checkpoint, example.prompt, in_words(example.form), play)
    return found


def answer_streaming(model: Generator, requests: Sequence[Request], on_text: OnText) -> list[Answer]:
    """Answer the requests, and report each text so far after each of its tokens."""
    tokenizer, written = Tokenizer.load(), [list(request.forced) for request in requests]

    def on_token(number: int, token_id: int) -> None:
        if token_id != tokenizer.eos_id:
            written[number].append(token_id)
        on_text(number, tokenizer.decode(written[number], special=True))

    with np.errstate(over="ignore"):  # a temperature next to 0
        return list(replace(model, on_token=on_token).answer(requests))


def said(outcome: JudgedAnswer) -> Said:
    """Return an answer with the place marked where the mask would have stepped in: at the first token it forbids."""
    text, form, decode = outcome.text, outcome.example.form, Tokenizer.load().decode
    if outcome.valid or form is None:
        return Said(text, right=outcome.right if outcome.example.answer else None)
    forced, guide, good = forced_ids(form), guide_for(form), 0
    if list(outcome.ids[: len(forced)]) == forced:
        state, good = guide.initial, len(forced)
        for token_id in outcome.ids[good:]:
            try:
                state = guide.advance(state, token_id)
            except TokenNotAllowed:
                break
            good += 1
    before = decode(outcome.ids[:good], special=True)
    # Where the cut is inside a character, `before` ends in a replacement that the whole text does not have.
    place = next((place for place, (a, b) in enumerate(zip(before, text, strict=False)) if a != b), len(before))
    # A text's detail repeats the pattern, which is on the screen already.
    detail = "" if isinstance(form, TextForm) else outcome.detail
    return Said(text, min(place, len(text)), outcome.why, detail)


def in_words(form: Form | None) -> str:
    r"""Return a form on one line; empty where there is none.

    >>> in_words(TextForm("#[0-9a-f]{6}"))
    'a text that matches #[0-9a-f]{6}'
    >>> in_words(JsonForm({"type": "object", "properties": {"name": {}, "email": {}}}))
    'JSON with name, email'
    >>> in_words(NamedForm("<function=", {"get_time": {}, "roll": {}}, ">", "</function>"))
    '<function=, then get_time or roll with its arguments'
    """
    if form is None:
        return ""
    if isinstance(form, TextForm):
        text = f"a text that matches {form.pattern}".replace("\n", "\\n") if form.pattern else "the empty text"
    elif isinstance(form, JsonForm):
        text = _json(form.schema)
    elif isinstance(form, NamedForm):
        text = f"{(form.special + form.before).strip()}, then {' or '.join(form.schemas)} with its arguments"
    else:
        before, after = (form.special + form.before).strip(), form.after.strip()
        text = f"{_json(form.schema)}, {f'between {before} and {after}' if after else f'after {before}'}"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def _json(schema: Any) -> str:
    """Name the members of an object; where there are alternatives, the functions that they call."""
    if not isinstance(schema, dict):
        return "JSON of a schema"
    if isinstance(branches := schema.get("anyOf"), list):
        try:
            return "JSON, a call of " + " or ".join(branch["properties"]["name"]["const"] for branch in branches)
        except (LookupError, TypeError):
            return "JSON"
    if isinstance(schema.get("items"), dict):
        return f"an array of {_json(schema['items'])}"
    members = schema.get("properties")
    return f"JSON with {', '.join(members)}" if isinstance(members, dict) and members else "JSON of a schema"
