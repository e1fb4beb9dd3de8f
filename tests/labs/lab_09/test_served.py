"""Lab 09 on the real parts: the labs' compilers, the small model, and a worker that is a thread."""

import json
import re

import jsonschema
import pytest

from labkit.engine import Engine, SamplingParams
from labkit.errors import BudgetTooSmall
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import SmallModel
from labs.lab_09_inside_an_engine.solution import answers
from mask_engine import structured_outputs
from tests.labkit.engine import is_empty

TOKENIZER = Tokenizer.load()
MODEL = SmallModel.load("early")
ORDER = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "tags": {"type": "array"}, "more": {}},
    "required": ["name", "more"],
}
FORMATS = [
    {"type": "regex", "pattern": "#[0-9a-f]{6}"},
    {"type": "choice", "choices": ["yes", "no (really)", "1.5|2"]},
    {"type": "json_schema", "schema": ORDER},
    {"type": "json_schema", "json_schema": {"name": "order", "strict": True, "schema": ORDER}},
    {"type": "json_object"},
    None,
    {"type": "text"},
]


def check(form, text):
    """Assert that an answer is what its format says, by other people's code."""
    match form:
        case {"pattern": pattern}:
            assert re.fullmatch(pattern, text)
        case {"choices": choices}:
            assert text in choices
        case {"schema": schema} | {"json_schema": {"schema": schema}}:
            jsonschema.validate(json.loads(text), schema)
        case {"type": "json_object"}:
            assert type(json.loads(text)) is dict


def serve(**options):
    return Engine(MODEL, TOKENIZER.vocabulary, structured_outputs(TOKENIZER.vocabulary, **options))


def ask(engine, form, seed=0, max_tokens=40):
    params = SamplingParams(max_tokens=max_tokens, seed=seed, temperature=1.5)
    return engine.add_request(TOKENIZER.prompt("Write something."), params, response_format=form)


def test_every_format_in_one_batch_is_what_it_is_alone():
    engine = serve()
    asked = [(form, seed) for seed in range(3) for form in FORMATS]
    requests = [ask(engine, form, seed) for form, seed in asked]
    texts = answers(engine, *requests)
    for (form, _), text in zip(asked, texts, strict=True):
        check(form, text)
    cache = engine.structured_outputs.cache
    assert (cache.misses, cache.hits) == (4, 11) and is_empty(engine) and len(set(texts)) > 12
    for (form, seed), text in list(zip(asked, texts, strict=True))[:7]:
        alone = serve()
        assert answers(alone, ask(alone, form, seed)) == [text]


def test_requests_that_cannot_be_served_fail_alone():
    engine = serve()
    good = ask(engine, FORMATS[0])
    bad = [({"type": "regex", "pattern": "("}, 9), ({"type": "regex", "pattern": "[0-9]{90}"}, 9)]
    for (form, most), error in zip(bad, (ValueError, BudgetTooSmall), strict=True):
        with pytest.raises(error):
            answers(engine, ask(engine, form, max_tokens=most))
    check(FORMATS[0], answers(engine, good)[0])
    assert is_empty(engine) and len(engine.structured_outputs.cache.keys()) == 2
