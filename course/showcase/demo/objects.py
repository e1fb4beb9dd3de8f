"""The demo's scene of lab 08: models that write garbage, made to write an object that a JSON Schema allows."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from rich.text import Text

from course.showcase.demo import Stage
from course.showcase.demo.runs import CHATTER, models
from course.showcase.demo.screen import printable
from labkit.models import Model
from labkit.small_model.tasks.forms import JsonForm
from labkit.small_model.tasks.judging import judge
from labkit.vocabulary import Vocabulary
from labs.assembled import Guide, compile_guide
from labs.lab_04_eos_gating.solution import choose, mask_logits

TOKENS = 32
"""The most tokens of an object, EOS included."""

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "answer": {"type": "string", "minLength": 1, "maxLength": 14},
        "mood": {"enum": ["calm", "cross"]},
        "sure": {"type": "boolean"},
        "votes": {"type": "integer", "minimum": 0, "maximum": 99},
    },
    "required": ["answer", "sure"],
}


@dataclass(frozen=True)
class WrittenObject:
    """What one model wrote without a mask and with one, and what ``jsonschema`` says of the latter."""

    model: str
    free: str
    text: str
    verdict: str


def all_objects(vocabulary: Vocabulary) -> Iterator[Callable[[], WrittenObject]]:
    """Yield a job for each model; the first one compiles the schema."""
    guide = cache(partial(compile_guide, vocabulary, json_schema=SCHEMA, whitespace="compact"))

    def write(name: str, model: Model) -> WrittenObject:
        free: list[int] = []
        while len(free) < len(CHATTER):
            free.append(int(model(free).argmax()))
        text = vocabulary.decode(guided(model, guide(), vocabulary, TOKENS))
        return WrittenObject(name, vocabulary.decode(free), text, verdict(text))

    for name, model in models(vocabulary).items():
        yield partial(write, name, model)


def guided(model: Model, guide: Guide, vocabulary: Vocabulary, max_tokens: int) -> list[int]:
    """Return the ids of a model's favourites among what the guide allows within the budget; EOS is the last."""
    ids: list[int] = []
    state = guide.initial
    for remaining in range(max_tokens, 0, -1):
        bits = np.unpackbits(guide.mask(state, remaining).view(np.uint8), bitorder="little")
        ids.append(choose(mask_logits(model(ids), bits[: len(vocabulary)].astype(np.bool_)), None))
        state = guide.advance(state, ids[-1])
        if ids[-1] == vocabulary.eos_id:
            break
    return ids


def verdict(text: str) -> str:
    """Return what the judge, which is ``json`` and ``jsonschema``, says of a text: ``valid``, or what is wrong with it.

    >>> verdict('{"answer": "no", "sure": true}'), verdict('{"answer": "no"}')
    ('valid', "wrong key: 'sure' is a required property")
    """
    found = judge(JsonForm(SCHEMA), text)
    return "valid" if found.valid else f"{found.why}: {found.detail}"


def play(stage: Stage) -> None:
    """Show the schema, and what the models wrote."""
    written = stage.work("compiling a schema, and generating", all_objects(stage.vocabulary))
    stage.console.print(f"[bold]A JSON Schema[/] (lab 08), at most {TOKENS} tokens; the judge is jsonschema:\n")
    for key, part in SCHEMA["properties"].items():
        required = "  required" if key in SCHEMA["required"] else ""
        stage.console.print(Text(f"    {key:8} {json.dumps(part)}{required}", "dim"))
    for each in written:
        stage.console.print(Text(f"  {each.model:13}").append(printable(each.free, 70), "red"))
        text = Text(f"  {'':13}").append(printable(each.text, 70), "green")
        stage.console.print(text.append(f"  {each.verdict}"))
    stage.console.print()
