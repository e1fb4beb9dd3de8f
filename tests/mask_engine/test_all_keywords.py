"""All keywords: every text that is written is valid, and the values that are meant can be written."""

import json
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from labkit.automata.dfa import DEAD
from labkit.errors import CourseError
from labkit.reading import Reading
from mask_engine import compile_json_schema
from mask_engine.compiling import characters_of
from mask_engine.patterns.lazy import LazyDfa
from mask_engine.trees.compiler import schema_tree
from tests.mask_engine.random_schemas import random_document, random_value


def accepts(schema: Any, text: str) -> bool:
    """Return whether a schema's texts have this one."""
    return compile_json_schema(schema).fullmatch(text)


@pytest.mark.parametrize("seed", range(40))
def test_random_schemas_against_jsonschema(seed: int) -> None:
    """No text is invalid. A validator's reading misses no value, and a whole number may be spelled as a float.

    Where members have an order, no valid value is missing if no keys are declared.
    """
    random, ordered, read = Random(seed), Reading(implied=False), 0
    for _ in range(6):
        schema = random_document(random)
        oracle = Draft202012Validator(schema)
        try:
            tree = schema_tree(schema, whitespace="compact", reading=ordered)
            matcher = compile_json_schema(schema, whitespace="compact", reading=ordered)
            validator = compile_json_schema(schema, reading="validator")
        except CourseError:
            continue
        for text in [] if tree is None else _samples(characters_of(LazyDfa(tree)), random, 4):
            assert oracle.is_valid(json.loads(text)), (schema, text)
        for _ in range(20):
            value = random_value(random)
            compact = json.dumps(value, separators=(",", ":"))
            for text in (compact, json.dumps(json.loads(compact, parse_int=float))):
                assert validator.fullmatch(text) == oracle.is_valid(value), (schema, text)
            accepted = matcher.fullmatch(compact)
            if accepted or '"properties"' not in json.dumps(schema):
                assert accepted == oracle.is_valid(value), (schema, value)
        read += 1
    assert read


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
