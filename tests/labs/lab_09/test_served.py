"""Lab 09 on the real parts: the labs' compilers, the small model, and a worker that is a thread."""

import json
import re
import string
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import jsonschema
import pytest

from labkit.engine import Engine, SamplingParams
from labkit.errors import BudgetTooSmall, QueueFull, UnsupportedSchema
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import SmallModel
from labkit.vocabulary import Vocabulary
from labs.assembled import compile_json_schema, guide_of_format, structured_outputs
from labs.lab_06_regex_to_dfa.solution import fullmatch
from labs.lab_08_json_schema.given.compiling.compiler import compile_schema
from labs.lab_09_inside_an_engine.given.json_values import DEPTH, any_object, any_value
from labs.lab_09_inside_an_engine.solution import Program, answers, read_response_format
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


def test_a_compile_on_a_thread_delays_nobody():
    """The worker is stopped by an event for as long as the test likes; the steps of the others are counted."""
    started, go_on = threading.Event(), threading.Event()

    def submit(job):
        def slow():
            started.set()
            assert go_on.wait(60)
            return job()

        return pool.submit(slow)

    with ThreadPoolExecutor(1) as pool:
        engine = serve(submit=submit, max_compiling=1)
        free, slow = ask(engine, None), ask(engine, FORMATS[0])
        assert started.wait(60)
        for step in range(1, 9):
            engine.step()
            assert len(free.output_token_ids) == step and not slow.output_token_ids
        with pytest.raises(QueueFull):
            ask(engine, {"type": "regex", "pattern": "1"})
        joined = ask(engine, FORMATS[0], seed=1)
        _, future = engine.structured_outputs.tickets[slow.request_id]
        go_on.set()
        future.result(60)
        engine.step()
        assert len(slow.output_token_ids) == len(joined.output_token_ids) == 1
        for text in answers(engine, slow, joined):
            check(FORMATS[0], text)


def test_requests_that_cannot_be_served_fail_alone():
    engine = serve()
    good = ask(engine, FORMATS[0])
    bad = [({"type": "regex", "pattern": "("}, 9), ({"type": "regex", "pattern": "[0-9]{90}"}, 9)]
    for (form, most), error in zip(bad, (ValueError, BudgetTooSmall), strict=True):
        with pytest.raises(error):
            answers(engine, ask(engine, form, max_tokens=most))
    check(FORMATS[0], answers(engine, good)[0])
    assert is_empty(engine) and len(engine.structured_outputs.cache.keys()) == 2


def test_a_program_over_the_small_model():
    program = Program(serve(), TOKENIZER.prompt, "Is it blue?", SamplingParams(seed=1))
    assert program.gen("answer", choices=["yes", "no"]) in ("yes", "no")
    program += " How much?"
    assert re.fullmatch(r"[0-9]+\.[0-9]{2}", program.gen("score", regex=r"[0-9]+\.[0-9]{2}"))
    order = json.loads(program.gen("order", json_schema=ORDER, max_tokens=60))
    jsonschema.validate(order, ORDER)
    assert program.text == f"Is it blue?{program['answer']} How much?{program['score']}{program['order']}"


# What formats are compiled from -------------------------------------------------------------------------


def nested(depth, kind):
    """A value that is nested so deep."""
    value = 1
    for _ in range(depth):
        value = [value] if kind == "array" else {"a": value}
    return value


matcher_of = cache(lambda make: compile_json_schema(make()))


@pytest.mark.parametrize("kind", ["array", "object"])
@pytest.mark.parametrize("depth", range(DEPTH + 2))
def test_any_value_is_accepted_to_its_depth(kind, depth):
    text = json.dumps(nested(depth, kind))
    assert matcher_of(any_value).fullmatch(text) == (depth <= DEPTH)
    assert matcher_of(any_object).fullmatch(text) == (kind == "object" and 0 < depth <= DEPTH)


LIST = {"type": "array", "items": {}}
ANYTHING = [
    (True, [""]),
    ({}, [""]),
    ({"description": "anything"}, [""]),
    ({"type": "array"}, [""]),
    ({"type": ["array", "null"]}, [""]),
    ({"type": "object"}, [""]),
    ({"type": "object", "required": ["b"]}, [""]),
    ({"type": "object", "additionalProperties": True}, ["/additionalProperties"]),
    ({"type": "array", "items": {}}, ["/items"]),
    ({"type": "array", "prefixItems": [{}, {"type": "null"}], "items": False}, ["/prefixItems/0"]),
    ({"anyOf": [{"type": "null"}, {"type": "array"}]}, ["/anyOf/1"]),
    ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "object", "properties": {"b": {}}}}}, ["/$defs/a/properties/b"]),
    (
        {"type": "object", "properties": {"a": LIST, "b": LIST, "c": {"$ref": "#/$defs/d"}}, "$defs": {"d": {}}},
        ["/properties/a/items", "/properties/b/items", "/properties/c"],
    ),
]


@pytest.mark.parametrize(("schema", "places"), ANYTHING, ids=lambda value: json.dumps(value)[:40])
def test_any_json_value_in_a_schema(schema, places):
    """Where lab 08 refuses, values to a depth are accepted, and nothing that the schema forbids; each place is said."""
    with pytest.raises(UnsupportedSchema):
        compile_json_schema(schema)
    before, asked = json.dumps(schema), []

    def anything(place, pointer):
        asked.append(pointer)
        return any_value(2 if place == "value" else 1)

    automaton = compile_schema(schema, anything=anything)
    assert json.dumps(schema) == before and asked == places
    values = [None, 1, "a", [], [1], [[1], None], {}, {"b": 1}, {"b": [1]}, [None, None], [{"a": 1}]]
    accepted = [value for value in values if fullmatch(automaton, json.dumps(value))]
    assert accepted == [value for value in values if jsonschema.Draft202012Validator(schema).is_valid(value)]


@pytest.mark.parametrize(
    ("asked", "places"),
    [
        ({"type": "json_object"}, ["at the root of the schema"]),
        ({"type": "json_schema", "schema": ORDER}, ["at /properties/tags", "at /properties/more"]),
        (
            {"type": "json_schema", "schema": {"properties": {name: {} for name in "abcdefg"}}},
            [*(f"at /properties/{name}" for name in "abcde"), "and in 2 more places"],
        ),
        ({"type": "json_schema", "schema": {"minItems": 1}}, ["at the root of the schema"]),
        ({"type": "json_schema", "schema": {"properties": {"a": {"enum": [{}, [[[[1]]]]]}}}}, None),
        ({"type": "regex", "pattern": "a"}, None),
        ({"type": "choice", "choices": ["a"]}, None),
    ],
    ids=lambda value: json.dumps(value)[:40],
)
def test_a_guide_says_where_it_allows_less(asked, places):
    limit = "where any JSON value may stand, arrays and objects are nested at most 3 deep until lab 12: "
    expected = () if places is None else (limit + ", ".join(places),)
    assert guide_of_format(TOKENIZER.vocabulary, read_response_format(asked)).warnings == expected


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"enum": [[[[[[1]]]]]], "minItems": 1}, ""),
        ({"properties": {"a": {"items": {"$ref": "#"}}}}, "/properties/a/items/$ref"),
    ],
    ids=["a value", "recursion"],
)
def test_what_needs_more_depth_is_refused_with_its_place(schema, pointer):
    with pytest.raises(UnsupportedSchema, match="lab 12") as refused:
        guide_of_format(TOKENIZER.vocabulary, read_response_format({"type": "json_schema", "schema": schema}))
    assert refused.value.pointer == pointer


@pytest.mark.parametrize("text", [string.printable, "\\n", "", "^a$", "[a-z]{2}|b"])
def test_a_choice_matches_itself_alone(text):
    letters = sorted({*text, "Q"})
    vocabulary = Vocabulary([*(letter.encode() for letter in letters), b"</s>"], eos_id=len(letters))
    guide = guide_of_format(vocabulary, read_response_format({"type": "choice", "choices": [text]}))
    state = guide.initial
    for letter in [*text, None]:
        token_id = len(letters) if letter is None else letters.index(letter)
        bits = guide.mask(state).astype("<i4").tobytes()
        assert int.from_bytes(bits, "little") == 1 << token_id
        state = guide.advance(state, token_id)


@pytest.mark.parametrize(
    ("choices", "message"),
    [(["a", "b\ud800"], "surrogates not allowed"), (["a" * 100_000, "b" * 100_001], "the choices have 200,001")],
    ids=["half a surrogate pair", "too long"],
)
def test_choices_that_are_refused(choices, message):
    with pytest.raises(ValueError, match=message):
        guide_of_format(TOKENIZER.vocabulary, read_response_format({"type": "choice", "choices": choices}))


def test_one_format_in_two_vocabularies():
    """The same tokens with two ids exchanged: each guide has the bits of its own vocabulary."""
    wanted = read_response_format({"type": "choice", "choices": ["a"]})
    one = guide_of_format(Vocabulary([b"a", b"b", b"</s>"], eos_id=2), wanted)
    other = guide_of_format(Vocabulary([b"b", b"a", b"</s>"], eos_id=2), wanted)
    assert (one.mask(one.initial).tolist(), other.mask(other.initial).tolist()) == ([1], [2])
