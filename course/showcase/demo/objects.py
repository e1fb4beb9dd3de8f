"""The demo's last scene: models that write garbage, made to write an object that a JSON Schema allows."""

import json
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from jsonschema import Draft202012Validator

from course.showcase.demo.patterns import CHATTER, models
from course.showcase.demo.results import SCHEMA, TOKENS, Written
from labkit.models import Model
from labkit.vocabulary import Vocabulary
from labs.assembled import Guide, compile_guide
from labs.lab_04_eos_gating.solution import choose, mask_logits


def all_objects(vocabulary: Vocabulary) -> Iterator[Callable[[], Written]]:
    """The models as things still to be done; the schema is compiled with the first."""
    guides: list[Guide] = []
    for name, model in models(vocabulary).items():
        yield partial(_written, vocabulary, guides, name, model)


def _written(vocabulary: Vocabulary, guides: list[Guide], name: str, model: Model) -> Written:
    if not guides:
        guides.append(compile_guide(vocabulary, json_schema=SCHEMA, whitespace="compact"))
    free = [int(model([]).argmax())]
    while len(free) < len(CHATTER):
        free.append(int(model(free).argmax()))
    text = vocabulary.decode(guided(model, guides[0], vocabulary, TOKENS))
    return Written(name, vocabulary.decode(free), text, verdict(text))


def guided(model: Model, guide: Guide, vocabulary: Vocabulary, max_tokens: int) -> list[int]:
    """The ids of a model's favourites among what the guide allows within the budget; EOS is the last.

    >>> from labkit.models import uniform
    >>> toy = Vocabulary.toy()
    >>> guided(uniform(5), compile_guide(toy, json_schema={"enum": [1.2]}), toy, max_tokens=4)
    [3, 2, 4]
    """
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
    """What ``json`` and ``jsonschema`` say of a text: ``valid``, or what is wrong with it.

    >>> verdict('{"answer": "no", "sure": true}'), verdict('{"answer": "no"}'), verdict("{")[:8]
    ('valid', "'sure' is a required property", 'no JSON:')
    """
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        return f"no JSON: {error}"
    problem = next(Draft202012Validator(SCHEMA).iter_errors(value), None)
    return "valid" if problem is None else problem.message
