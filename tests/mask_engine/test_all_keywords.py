"""All keywords: every text that is written is valid, and the values that are meant can be written."""

import json
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from labkit.automata.dfa import DEAD
from labkit.errors import InvalidSchema, LimitExceeded, UnsupportedSchema
from labkit.reading import Reading
from mask_engine import compile_json_schema
from mask_engine.compiling import characters_of
from mask_engine.patterns.lazy import LazyDfa
from mask_engine.reading.reader import SchemaReader
from mask_engine.trees.compiler import schema_tree
from tests.mask_engine.random_schemas import random_document, random_value

REFUSALS = (InvalidSchema, UnsupportedSchema, LimitExceeded)


def accepts(schema: Any, text: str) -> bool:
    """Return whether a schema's texts have this one."""
    return compile_json_schema(schema).fullmatch(text)


@pytest.mark.parametrize("seed", range(20))
def test_random_schemas_against_jsonschema(seed: int) -> None:
    """No text is invalid. If no type is implied and no keys are declared, no valid value is missing."""
    random, reading = Random(seed), Reading(implied=False)
    for _ in range(5):
        schema = random_document(random)
        oracle = Draft202012Validator(schema)
        try:
            tree = schema_tree(schema, whitespace="compact", reading=reading)
            matcher = compile_json_schema(schema, whitespace="compact", reading=reading)
        except REFUSALS:
            continue
        for text in [] if tree is None else _samples(characters_of(LazyDfa(tree)), random, 6):
            assert oracle.is_valid(json.loads(text)), (schema, text)
        for _ in range(20):
            value = random_value(random)
            accepted = matcher.fullmatch(json.dumps(value, separators=(",", ":")))
            if accepted or '"properties"' not in json.dumps(schema):
                assert accepted == oracle.is_valid(value), (schema, value)


def _samples(states: LazyDfa, random: Random, count: int) -> list[str]:
    """Return texts in which no key occurs twice, no character is a control one, and no number is beyond a float."""
    texts = [sampled(states, random, random.choice([5, 15, 40])) for _ in range(count)]
    return [text for text in texts if "inf" not in repr(json.loads(text)) and _keys_differ(text)]


def sampled(states: LazyDfa, random: Random, size: int) -> str:
    """Return a text; from so many characters on it is ended the shortest way."""
    text, state = "", states.initial
    while True:
        classes: dict[int, list[int]] = {}
        for symbol_class, target in enumerate(states.row(state)):
            if target != DEAD:
                classes.setdefault(target, []).append(symbol_class)
        if states.accepts(state) and (not classes or len(text) > size or random.random() < 0.4):
            return text
        state = min(classes, key=states.fewest_bytes) if len(text) > size else random.choice(list(classes))
        starts = [
            max(bound, 0x20) if symbol_class == states.classes[-1] or bound < 0x20 else bound
            for bound, symbol_class in zip(states.bounds, states.classes, strict=True)
            if symbol_class in classes[state]
        ]
        text += chr(random.choice(starts))


def _keys_differ(text: str) -> bool:
    found = []
    json.loads(text, object_pairs_hook=lambda pairs: found.append(len({key for key, _ in pairs}) == len(pairs)))
    return all(found)


@pytest.mark.parametrize(("least", "most"), [(0, 32_767), (1, 65_535), (300, 500), (200, None)])
def test_long_strings(least: int, most: int | None) -> None:
    schema = {"type": "string", "minLength": least} | ({} if most is None else {"maxLength": most})
    matcher = compile_json_schema(schema)
    for length in {least, least + 70, 500}:
        assert matcher.fullmatch(json.dumps("é" * length)) == (least <= length <= (most or length))
    if least:
        assert not matcher.fullmatch(json.dumps("é" * (least - 1)))
    if most == 500:
        assert not matcher.fullmatch(json.dumps("é" * (most + 1)))


@pytest.mark.parametrize("depth", [1, 12])
def test_indentation_reaches_as_deep_as_the_schema(depth: int) -> None:
    schema: dict[str, Any] = {"type": "integer"}
    value: Any = 1
    for _ in range(depth):
        schema = {"type": "object", "properties": {"a": schema}, "required": ["a"]}
        value = {"a": value}
    for each in (schema, True):
        assert accepts(each, json.dumps(value, indent=4))
        assert accepts(each, json.dumps(value, indent=2))


def test_a_type_that_is_passed_over_is_written_if_no_other_can_be() -> None:
    schema = {"minLength": 3, "maxLength": 2}
    assert accepts(schema, "1")
    assert not accepts({"minLength": 3}, "1")


def test_the_reader_refuses_a_case_only_where_it_may_hold() -> None:
    """A branch that no value satisfies may hold what is not supported."""
    schema = {"type": "string", "anyOf": [{"maxLength": 3}, {"const": 1, "not": {"format": "email"}}]}
    assert SchemaReader(schema).cases(((schema, ""),))["number"] == []
    assert accepts(schema, '"abc"')
