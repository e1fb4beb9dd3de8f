"""Lab 08, given: what ``check_subset`` refuses, with its place, and what it drops."""

import math

import pytest

from labkit.errors import InvalidSchema, SchemaError, UnsupportedSchema
from labs.lab_08_json_schema.given.subset import check_subset
from labs.lab_08_json_schema.solution import json_schema_to_regex

STRING, INTEGER, NULL = {"type": "string"}, {"type": "integer"}, {"type": "null"}
ARRAY = {"type": "array", "items": INTEGER}
OBJECT = {"type": "object", "properties": {"a": STRING}}

CONSTRAINING = [
    (STRING, "pattern format const anyOf oneOf allOf not if $ref minlength maxItems"),
    (INTEGER, "minimum maximum exclusiveMinimum multipleOf minLength"),
    (ARRAY, "prefixItems uniqueItems contains"),
    (OBJECT, "minProperties additionalProperties patternProperties propertyNames dependentRequired"),
    (NULL, "required"),
]
"""Keywords that constrain and are not covered, or not beside this type, or unknown."""

REFUSED = [
    *(
        (schema | {keyword: 1}, UnsupportedSchema, f"/{keyword}")
        for schema, keywords in CONSTRAINING
        for keyword in keywords.split()
    ),
    ({"type": "strin"}, InvalidSchema, "/type"),
    ({"type": 7}, InvalidSchema, "/type"),
    ({"type": "strin", "enum": ["a"]}, InvalidSchema, "/type"),
    ({"type": ["string", "null"]}, UnsupportedSchema, "/type"),
    (STRING | {"minLength": -1}, InvalidSchema, "/minLength"),
    (STRING | {"maxLength": 1.5}, InvalidSchema, "/maxLength"),
    (STRING | {"maxLength": True}, InvalidSchema, "/maxLength"),
    (ARRAY | {"minItems": "2"}, InvalidSchema, "/minItems"),
    (ARRAY | {"maxItems": None}, InvalidSchema, "/maxItems"),
    ({"type": "array"}, UnsupportedSchema, ""),
    ({"type": "object"}, UnsupportedSchema, ""),
    (OBJECT | {"required": ["a", "b"]}, UnsupportedSchema, "/required"),
    ({"type": "object", "properties": []}, InvalidSchema, "/properties"),
    (OBJECT | {"required": "a"}, InvalidSchema, "/required"),
    (OBJECT | {"required": [7]}, InvalidSchema, "/required"),
    ({"enum": ["a", [1]]}, UnsupportedSchema, "/enum/1"),
    ({"enum": [{}, "a"]}, UnsupportedSchema, "/enum/0"),
    ({"enum": ["a", "abc"], "type": "string", "maxLength": 1}, UnsupportedSchema, "/maxLength"),
    (ARRAY | {"enum": ["a"]}, UnsupportedSchema, "/items"),
    ({"enum": ["a", math.inf]}, InvalidSchema, "/enum/1"),
    ({"enum": ["\ud800"]}, InvalidSchema, "/enum/0"),
    ({"type": "object", "properties": {"\ud800": INTEGER}}, InvalidSchema, "/properties"),
    ({"enum": "abc"}, InvalidSchema, "/enum"),
    ({}, UnsupportedSchema, ""),
    (True, UnsupportedSchema, ""),
    (False, UnsupportedSchema, ""),
    (None, InvalidSchema, ""),
    ("string", InvalidSchema, ""),
    (7, InvalidSchema, ""),
]


@pytest.mark.parametrize(("schema", "kind", "place"), REFUSED, ids=lambda value: ascii(value)[:60])
def test_what_is_refused_and_where(schema, kind, place):
    for refuse, before in (
        (check_subset, "/x"),
        (lambda part, at: json_schema_to_regex({**ARRAY, "items": part}), "/items"),
    ):
        with pytest.raises(SchemaError) as caught:
            refuse(schema, before)
        assert (type(caught.value), caught.value.pointer) == (kind, before + place)


@pytest.mark.parametrize("schema", [STRING, INTEGER, NULL, ARRAY, OBJECT, {"enum": ["a", 1, None, 1.5, True]}], ids=str)
def test_what_is_covered_stays_without_annotations(schema):
    notes = {"title": "t", "description": "d", "default": 1, "examples": [1], "$comment": "c", "deprecated": True}
    assert check_subset({**notes, "$schema": "s", "$id": "i", "$defs": {}, **schema}, "") == schema


def test_an_unknown_white_space_is_refused():
    with pytest.raises(ValueError, match="pretty"):
        json_schema_to_regex(STRING, whitespace="pretty")
