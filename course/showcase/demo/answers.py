"""The demo's scene of the small model: prompts found by answering many, and its answers to them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Any

from rich.console import Console

from course.showcase.demo.screen import OnText, Question, Said, watch
from course.showcase.demo.stage import Stage
from course.showcase.small_model.outcomes import Outcome, broke_at, judged, outcomes, request_for
from labkit.small_model.generation import Answer, Generator, Request
from labkit.small_model.tasks import MEASURED, examples
from labkit.small_model.tasks.forms import Example, Form, JsonForm, TextForm
from labkit.small_model.tokenizer import Tokenizer

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

_LONGEST = 120
"""The most characters of a form in words."""


def play(stage: Stage) -> None:
    """Introduce the model, and show a free answer that is right and some that broke, each beside its masked twin."""
    stage.console.print(
        "[bold]A real model[/], small enough for this repository: a Llama of 0.9 million\n"
        "weights, run by NumPy on this machine. It answers each prompt twice, with the\n"
        "same seed at temperature 1: freely, and under the mask that labs 04 to 08 build\n"
        "up, with a budget. Looked for and shown: a free answer that is right, and the\n"
        "first that are not valid, each for another reason. The checkpoint 'early' is\n"
        "the same model, early in its training.\n"
    )
    broken = set()
    for pick in picks(stage.models):
        free, _ = ask(pick, stage.models[pick.checkpoint], stage.console)
        broken |= {pick.checkpoint} if free.why else set()
    for checkpoint in stage.models:
        if checkpoint not in broken:
            stage.console.print(f"Of {SEARCHED} free answers of checkpoint {checkpoint} all are valid.\n")


# Which prompts are shown --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pick:
    """A prompt whose free answer is worth showing: it broke, and ``why``; or it is right."""

    checkpoint: str
    example: Example
    seed: int
    why: str


def prompts(n: int) -> list[Example]:
    """Return the first of the demo's prompts.

    >>> prompts(2) == prompts(3)[:2]
    True
    """
    return list(islice(examples(PROMPTS_SEED, MEASURED), n))


def picks(ready: dict[str, Generator]) -> Iterator[Pick]:
    """Yield what is shown, as soon as it is known.

    Of the first checkpoint a right answer and some that broke, of the next at least one that broke.
    """
    shown: list[str] = []
    for place, (checkpoint, model) in enumerate(ready.items()):
        broken = max(1, _BROKEN - len(shown))
        for pick in first_of_each(checkpoint, model, fine=not place, broken=broken, shown=tuple(shown)):
            shown += [pick.why] * bool(pick.why)
            yield pick


def first_of_each(
    checkpoint: str, model: Generator, *, fine: bool, broken: int, shown: Sequence[str]
) -> Iterator[Pick]:
    """Yield the first right answer, if ``fine``, and the first broken one for each of ``broken`` reasons.

    Reasons that were shown before come only where there is no other.
    """
    first: dict[str, Pick] = {}
    for pick in _searched(checkpoint, model):
        if fine and not pick.why and "" not in first:
            yield pick
        first.setdefault(pick.why, pick)
        new = [why for why in first if why and why not in shown]
        if len(new) >= broken and ("" in first or not fine):
            break
    reasons = sorted((why for why in first if why), key=lambda why: why in shown)
    yield from (first[why] for why in reasons[:broken])


def _searched(checkpoint: str, model: Generator) -> Iterator[Pick]:
    """Yield the prompts in order whose free answer broke or is right, answering them batch by batch."""
    drawn = prompts(SEARCHED)
    for start, end in pairwise([0, _FIRST, *range(_BATCH, SEARCHED + 1, _BATCH)]):
        answered = outcomes(drawn[start:end], "free", model, seed=SEED + start)
        for number, outcome in enumerate(answered, SEED + start):
            if outcome.why or outcome.right:
                yield Pick(checkpoint, outcome.example, number, outcome.why)


# Answering ----------------------------------------------------------------------------------------------


def ask(pick: Pick, model: Generator, console: Console) -> Sequence[Said]:
    """Show a prompt's answers side by side as they are written: free, and under the mask within the budget."""
    example = pick.example
    requests = [request_for(example, mode, pick.seed) for mode in ("free", "budget")]

    def play(on_text: OnText) -> list[Said]:
        return [said(judged(example, "demo", answer)) for answer in answer_streaming(model, requests, on_text)]

    return watch(console, Question(pick.checkpoint, example.prompt, in_words(example.form)), play)


def answer_streaming(model: Generator, requests: Sequence[Request], on_text: OnText) -> list[Answer]:
    """Answer the requests, and report each text so far after each of its tokens."""
    tokenizer, written = Tokenizer.load(), [list(request.forced) for request in requests]

    def on_token(number: int, token_id: int) -> None:
        if token_id != tokenizer.eos_id:
            written[number].append(token_id)
        on_text(number, tokenizer.decode(written[number], special=True))

    return list(replace(model, on_token=on_token).answer(requests))


def said(outcome: Outcome) -> Said:
    """Return an answer with the place marked where the mask would have stepped in."""
    text = outcome.text
    if outcome.valid:
        return Said(text, right=outcome.right if outcome.example.answer else None)
    good, _ = broke_at(outcome)
    # Where the cut is inside a character, `good` ends in a replacement that the whole text does not have.
    place = next((place for place, (a, b) in enumerate(zip(good, text, strict=False)) if a != b), len(good))
    # A text's detail repeats the pattern, which is on the screen already.
    detail = "" if isinstance(outcome.example.form, TextForm) else outcome.detail
    return Said(text, min(place, len(text)), outcome.why, detail)


# A form in words ----------------------------------------------------------------------------------------


def in_words(form: Form | None) -> str:
    r"""Return a form on one line; empty where there is none.

    >>> in_words(TextForm("#[0-9a-f]{6}"))
    'a text that matches #[0-9a-f]{6}'
    >>> in_words(JsonForm({"type": "object", "properties": {"name": {}, "email": {}}}))
    'JSON with name, email'
    """
    if form is None:
        return ""
    if isinstance(form, TextForm):
        text = f"a text that matches {form.pattern}".replace("\n", "\\n") if form.pattern else "the empty text"
    elif isinstance(form, JsonForm):
        text = _json(form.schema)
    else:
        before, after = (form.special + form.before).strip(), form.after.strip()
        text = f"{_json(form.schema)}, {f'between {before} and {after}' if after else f'after {before}'}"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def _json(schema: Any) -> str:
    """Name the members of an object; where there are alternatives, the functions that they call."""
    if not isinstance(schema, dict):
        return "JSON of a schema"
    if isinstance(branches := schema.get("anyOf"), list):
        return f"JSON, a call of {' or '.join(map(_called, branches))}" if all(map(_called, branches)) else "JSON"
    if isinstance(schema.get("items"), dict):
        return f"an array of {_json(schema['items'])}"
    members = schema.get("properties")
    return f"JSON with {', '.join(members)}" if isinstance(members, dict) and members else "JSON of a schema"


def _called(schema: Any) -> str:
    """Return the name of the function that a schema of a call is for, or nothing."""
    try:
        return str(schema["properties"]["name"]["const"])
    except (LookupError, TypeError):
        return ""
