"""Plain schemas are built when a text first reaches them: which ones, how few, and that nobody can tell."""

import json
import pickle

import pytest

from labkit.errors import InvalidSchema, LimitExceeded, UnsupportedSchema
from labkit.reading import READINGS, Reading
from labkit.vocabulary import Vocabulary
from labs.lab_08_json_schema import solution as lab
from mask_engine import guide_of, texts_of
from mask_engine.patterns.lazy import LazyDfa
from mask_engine.reading.references import Document
from mask_engine.trees.compiler import SchemaTrees, schema_tree
from mask_engine.trees.shapes import Shapes

BYTES = Vocabulary.bytes()
OPEN = Reading(closed=False)

NOT_PLAIN = [
    False,
    {"type": "strin"},
    {"enum": []},
    {"enum": [[1]]},
    {"type": "integer", "enum": ["a"]},
    {"type": "string", "minLength": 2, "maxLength": 1},
    {"type": "string", "pattern": "(?=a)b"},
    {"type": "string", "pattern": "^[^\\s\\S]$"},
    {"type": "string", "pattern": "a", "minLength": 2},
    {"type": "string", "format": "idn-email"},
    {"type": "string", "format": "date", "maxLength": 9},
    {"type": "integer", "minimum": 1.5, "maximum": 1.75},
    {"type": "number", "minimum": 2, "exclusiveMaximum": 2},
    {"type": "number", "minimum": 1e300},
    {"type": "integer", "multipleOf": 7},
    {"type": "array", "minItems": 2, "maxItems": 1},
    {"type": "array", "uniqueItems": True},
    {"type": "array", "items": False},
    {"type": "object", "required": ["a"]},
    {"type": "object", "properties": {"a": False}},
    {"type": "object", "properties": {"a": {"not": {}}}},
    {"type": "object", "minProperties": 1},
    {"type": "null", "minLength": -1},
    {"anyOf": []},
    {"anyOf": [{"type": "null"}, {"$ref": "#"}]},
    {"anyOf": [{"type": "array"}, {"type": "array", "items": {"type": "array"}}]},
    {"oneOf": [{"type": "integer"}, {"type": "number"}]},
    {"allOf": [{"type": "null"}, {"type": "string"}]},
    {"$ref": "#/$defs/lost"},
    {"type": "array", "items": {"$ref": "#"}},
    {"divisibleBy": 2},
]
"""Schemas that are refused, or have no value, or need a closer look."""

PLAIN = [
    True,
    {"type": "integer", "minimum": 1.5, "maximum": 2, "format": "int32"},
    {"type": ["string", "null"], "maxLength": 2, "x-order": 1},
    {"type": "string", "pattern": "^[^é]+$"},
    {"enum": ["a", 1, None]},
    {"minLength": 2},
    {"type": "array", "items": {"const": "x"}, "maxItems": 3},
    {"properties": {"a": {"type": "array", "items": {"type": "null"}}, "b": {"type": "null"}}},
    {"type": "object", "additionalProperties": {"type": "null"}},
    {"anyOf": [{"type": "null"}, {"type": "string"}, {"$ref": "#/$defs/t"}], "$defs": {"t": {"enum": ["x"]}}},
    {"oneOf": [{"type": "null"}, {"type": "array", "items": {"type": "null"}}]},
    {"allOf": [{"type": "null"}]},
]
"""Schemas that their keywords prove covered and not empty."""


def shape(schema, reading=READINGS["form"]):
    document = Document(schema)
    return Shapes(document, reading).of(document.root, "")


@pytest.mark.parametrize("schema", NOT_PLAIN, ids=str)
def test_what_may_be_refused_or_empty_is_built_at_once(schema):
    assert shape(schema) is None
    assert shape({"type": "object", "properties": {"a": schema}}) is None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Shapes, "of", lambda *_: None)
        expected = outcome({"properties": {"a": schema}})
    assert outcome({"properties": {"a": schema}}) == expected


def outcome(schema):
    """Return the error of a schema, or what it compiles to."""
    try:
        return type(schema_tree(schema))
    except (InvalidSchema, LimitExceeded, UnsupportedSchema) as error:
        return str(error)


@pytest.mark.parametrize("schema", PLAIN, ids=str)
def test_plain_schemas_can_wait(schema):
    assert shape(schema)


def test_how_deep_schemas_may_be_nested_is_known_at_once():
    deep = {"type": "null"}
    for _ in range(60):
        deep = {"type": "array", "items": deep}
    with pytest.raises(LimitExceeded, match="nested too deep"):
        schema_tree(deep)


NESTED = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "pattern": "^[à-ý]+$"},
        "inner": {"type": "object", "properties": {"é": {"enum": ["ü", 1]}, "n": {"type": "integer", "minimum": 3}}},
        "list": {"type": "array", "items": {"anyOf": [{"type": "null"}, {"type": "string", "format": "date"}]}},
        "any": {},
    },
    "required": ["inner"],
}
TEXTS = {
    json.dumps(NESTED): [
        '{"name": "äö", "inner": {"é": "ü", "n": 12}, "list": [null, "2024-02-29"], "any": [{"a": 1.5e3}]}',
        '{"inner":{}}',
    ],
    '{"type": "object", "properties": {"any": {}}}': ['{"any":' + 20 * '[{"a":' + "1"],
}


@pytest.mark.parametrize("within", [None, 300])
@pytest.mark.parametrize("reading", [READINGS["form"], OPEN, READINGS["validator"]], ids=["form", "open", "validator"])
@pytest.mark.parametrize("schema", TEXTS)
def test_nobody_can_tell_what_was_built_later(schema, reading, within):
    """Nor in another process; and a rule that a later part calls gets lab 12's tables after sixteen stacks too."""
    asked = {"json_schema": json.loads(schema), "reading": reading}
    guides = [guide_of(BYTES, texts_of(**asked)), guide_of(BYTES, pickle.loads(pickle.dumps(texts_of(**asked))))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Shapes, "of", lambda *_: None)
        guides.append(guide_of(BYTES, texts_of(**asked)))
    for text in TEXTS[schema]:
        states = [guide.initial for guide in guides]
        for byte in text.encode():
            masks = [guide.mask(state, within).tobytes() for guide, state in zip(guides, states, strict=True)]
            assert len({*masks}) == 1
            states = [guide.advance(state, byte) for guide, state in zip(guides, states, strict=True)]
        ends = {guide.is_accepting(state) for guide, state in zip(guides, states, strict=True)}
        assert ends == {text.endswith("}")}


def test_a_part_is_built_when_a_text_gets_there(monkeypatch):
    """The root when the first mask is asked for, and each object at its first brace."""
    built = []
    monkeypatch.setattr(lab, "object_tree", lambda *args, make=lab.object_tree: built.append(1) or make(*args))
    schema = {"type": "null"}
    for _ in range(5):
        schema = {"type": "object", "properties": {"a": schema, "b": schema}}
    guide = guide_of(BYTES, texts_of(json_schema=schema))
    counts, state = [len(built)], guide.initial
    for byte in b'{"a":{"a":{"b":':
        guide.mask(state)
        counts.append(len(built))
        state = guide.advance(state, byte)
    assert counts == sorted(counts) and counts[0] == 0 and counts[1] == 1 and counts[-1] == 3


def test_only_what_a_text_may_hold_has_classes_of_its_own():
    """What's said about a schema is in another alphabet, perhaps, but no text has to be told apart by it."""
    plain = {"type": "object", "properties": {"a": {"enum": ["b"]}}}
    told = {**plain, "description": "환경변수", "properties": {"a": {"enum": ["b"], "title": "이름"}}}
    n_classes = [LazyDfa(schema_tree(schema)).n_classes for schema in (plain, told, {"enum": ["é"]})]
    assert n_classes == [129, 129, 130]


def test_a_build_that_was_stopped_is_made_again(monkeypatch):
    """A limit that is met while a part is built leaves nothing half made."""
    states, stop = LazyDfa(schema_tree(NESTED)), [True]

    def built(trees, child, make=SchemaTrees._built):
        if stop and stop.pop():
            raise LimitExceeded("stopped", 1)
        return make(trees, child)

    monkeypatch.setattr(SchemaTrees, "_built", built)
    with pytest.raises(LimitExceeded, match="stopped"):
        states.row(0)
    assert any(target >= 0 for target in states.row(0))
