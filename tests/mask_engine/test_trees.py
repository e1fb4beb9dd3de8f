"""Trees of schemas: the language of lab 08's expressions where there is one, and texts that nest."""

import json

import pytest

from labkit.reading import reading_of
from mask_engine import compile_json_schema
from mask_engine.trees import objects
from mask_engine.trees.compiler import schema_tree

ONE = {"type": "string"}
FEW = {"type": "string", "minLength": 1, "maxLength": 2}


# Trees within themselves ------------------------------------------------------------------------------

ONLY_NESTED = {"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}
"""No value satisfies it: it would have no end."""


def reads(schema, text, **options):
    return compile_json_schema(schema, **options).fullmatch(text)


def test_a_rule_without_texts_is_left_out():
    """Where it stands decides whether anything is left: an optional member goes, one that must be there takes all."""
    assert schema_tree(ONLY_NESTED) is None
    inside = {"type": "object", "properties": {"b": ONLY_NESTED | {"properties": {"a": {"$ref": "#/properties/b"}}}}}
    assert reads(inside, "{}") and not reads(inside, '{"b": {"a": {}}}')
    assert schema_tree(inside | {"required": ["b"]}) is None
    either = {"anyOf": [ONLY_NESTED | {"properties": {"a": {"$ref": "#/anyOf/0"}}}, {"type": "null"}]}
    assert reads(either, "null") and not reads(either, '{"a": null}')


def test_members_that_a_schema_does_not_mention():
    """They are left out, or written as the schema allows."""
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    text = '{"a": 1, "b": [{}]}'
    assert not reads(schema, text) and reads(schema, text, closed=False)
    assert not reads(schema | {"additionalProperties": False}, text, closed=False)
    assert not reads(schema, '{"a": 1, "a": 2}', closed=False)
    strings = schema | {"additionalProperties": {"type": "string"}}
    assert reads(strings, '{"a": 1, "b": "x"}') and not reads(strings, '{"a": 1, "b": 2}')


# Large and hostile ------------------------------------------------------------------------------------


def members_of(count, **options):
    return {"type": "object", "properties": {f"p{n}": {"type": "integer"} for n in range(count)}, **options}


@pytest.mark.parametrize("required", [[], [f"p{n}" for n in range(1100)]], ids=["none", "all"])
def test_an_object_of_many_members(required):
    """No part of it is nested as deep as it has members, which are more than Python recurses."""
    matcher = compile_json_schema(members_of(1100, required=required))
    value = {f"p{n}": n for n in range(1100) if n % 100 == 7 or required[1:]}
    assert matcher.fullmatch(json.dumps(value))
    assert not matcher.fullmatch(json.dumps(value | {"p7": "x"}))
    assert matcher.fullmatch("{}") == (not required)


@pytest.mark.parametrize("bound", [10**59, 10**61, 10**300])
def test_long_numbers(bound):
    matcher = compile_json_schema({"type": "integer", "minimum": -bound, "maximum": bound})
    assert all(matcher.fullmatch(str(n)) for n in (bound, -bound, bound - 1, 0, 7))
    assert not any(matcher.fullmatch(str(n)) for n in (bound + 1, -bound - 1, 10 * bound))


@pytest.mark.parametrize("closed", [True, False])
def test_keys_are_divided_once_for_objects_with_the_same_patterns(closed, monkeypatch):
    """Automata are multiplied for the first object of a kind; ten more of it cost none."""
    counts = []
    for name in ("intersect", "without"):
        slow = getattr(objects, name)
        monkeypatch.setattr(objects, name, lambda *dfas, slow=slow: counts.append(1) or slow(*dfas))

    def multiplied(n):
        counts.clear()
        patterns = {"^x": ONE, "b$": FEW, "^xb": {}}
        alike = [{"properties": {"a": {"const": k}, "xa": ONE}, "patternProperties": patterns} for k in range(n)]
        schema_tree({"anyOf": [{"type": "object", **each} for each in alike]}, reading=reading_of(closed=closed))
        return len(counts)

    assert 0 < multiplied(1) == multiplied(12)


def test_a_document_that_changes_afterwards_changes_nothing():
    schema = {"type": "object", "properties": {"a": {"enum": ["x"]}}, "required": ["a"]}
    before, untouched = compile_json_schema(schema), json.dumps(schema)
    assert json.dumps(schema) == untouched
    schema["properties"]["a"]["enum"].append("y")
    after = compile_json_schema(schema)
    assert [each.fullmatch('{"a": "y"}') for each in (before, after)] == [False, True]
