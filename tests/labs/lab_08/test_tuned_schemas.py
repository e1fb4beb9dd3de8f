"""Trees of plain schemas: the language of the compiler's automaton, or no tree."""

import json
import random

import jsonschema
import pytest

import labs.assembled
from labkit.automata.grammar import called_rules
from labkit.errors import InvalidSchema, LimitExceeded
from labkit.vocabulary import Vocabulary
from labs.assembled import compile_guide, grammar_of_schema
from labs.lab_06_regex_to_dfa.given.lazy import LazyDfa, whole_dfa
from labs.lab_06_regex_to_dfa.solution import equivalent, fullmatch
from labs.lab_08_json_schema.given.compiling.compiler import compile_schema
from labs.lab_08_json_schema.given.compiling.tuned import between, schema_tree
from tests.labs.lab_08.schemas import SCHEMAS

ONE = {"type": "string"}
FEW = {"type": "string", "minLength": 1, "maxLength": 2}
PLAIN = [
    {"type": "boolean"},
    {"type": "null"},
    {"type": "number"},
    {"enum": ["a", 'say "é"', 1.5, True, None, "\U0001f600"]},
    {"const": "</x>"},
    {"type": ["integer", "null", "string"]},
    {"anyOf": [FEW, {"type": "integer", "minimum": -3, "maximum": 120}]},
    {"type": "integer", "exclusiveMinimum": 0},
    {"type": "integer", "maximum": -10},
    {"type": "number", "minimum": 0, "maximum": 2.5},
    {"type": "integer", "multipleOf": 7},
    {"type": "string", "pattern": "^[a-c]+\\d?$"},
    {"type": "string", "pattern": "b", "maxLength": 3},
    {"type": "string", "pattern": "b|^a"},
    {"type": "string", "pattern": "a$|^$|c{2}x{0,9}"},
    {"type": "string", "pattern": "(^a|b$)c"},
    {"type": "string", "pattern": "[^a-z\\d]\\n?"},
    {"type": "string", "pattern": ""},
    {"type": "string", "pattern": "^$"},
    {"type": "string", "pattern": "^^a$$"},
    {"type": "string", "pattern": "^(?:a|\\u00e9)?$"},
    {"type": "string", "format": "date"},
    {"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 3},
    {"type": "array", "items": {"type": "null"}, "maxItems": 0},
    {"type": "array", "items": FEW, "minItems": 2},
    {"type": "object", "properties": {"a": ONE}, "additionalProperties": False},
    {"type": "object", "properties": {"a": ONE, "b": ONE, "c": ONE}, "required": ["b"], "additionalProperties": False},
    {"type": "object", "properties": {"a": {"$ref": "#/$defs/p"}, "b": {"$ref": "#/$defs/p"}}, "$defs": {"p": FEW}},
    {"type": "object", "title": "with", "description": "remarks", "properties": {"é": {"const": 1}}},
]


def is_nested(grammar):
    return len(grammar.rules) > 1 or bool(called_rules(grammar.rules[0]))


@pytest.mark.parametrize("whitespace", ["flexible", "compact"])
@pytest.mark.parametrize("schema", PLAIN, ids=lambda schema: json.dumps(schema)[:50])
def test_a_tree_has_the_language_of_the_compiler(schema, whitespace):
    tree = schema_tree(schema, whitespace=whitespace)
    assert tree is not None or (schema.get("type") == "object" and "additionalProperties" not in schema)
    if tree is not None:
        assert equivalent(whole_dfa(LazyDfa(tree)), compile_schema(schema, whitespace=whitespace))


@pytest.mark.parametrize("name", SCHEMAS)
def test_sixty_schemas(name):
    """A schema has a tree of the same texts, or none."""
    tree = schema_tree(SCHEMAS[name], whitespace="compact")
    if tree is None:
        return
    grammar = grammar_of_schema(SCHEMAS[name], "compact")
    assert not is_nested(grammar)
    try:
        whole = whole_dfa(LazyDfa(tree))
    except LimitExceeded:
        return
    assert equivalent(whole, grammar.rules[0])


def test_many_of_them_are_plain():
    assert sum(schema_tree(schema) is not None for schema in SCHEMAS.values()) > len(SCHEMAS) / 3


PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 3},
        "age": {"type": "integer", "minimum": 0, "maximum": 99},
        "tags": {"type": "array", "items": {"enum": ["a", "b"]}, "maxItems": 2},
    },
    "required": ["name"],
    "additionalProperties": False,
}


def test_values_against_jsonschema():
    """Values near the schema, in the order of its properties, as ``json`` writes them."""
    dfa, validator = whole_dfa(LazyDfa(schema_tree(PERSON))), jsonschema.Draft202012Validator(PERSON)
    rng, verdicts = random.Random(0), set()
    for _ in range(400):
        value = {
            "name": rng.choice(["", "Ada", "Ad\u00e9", '"\\', "four", 7]),
            "age": rng.choice([0, 9, 10, 99, 100, -1, True, "1"]),
            "tags": [rng.choice(["a", "b", "c"]) for _ in range(rng.randrange(4))],
        }
        value = {key: value[key] for key in value if rng.random() < 0.7}
        verdicts.add(validator.is_valid(value))
        for options in ({}, {"separators": (",", ":")}, {"ensure_ascii": False}, {"indent": 2}):
            text = json.dumps(value, **options)
            assert fullmatch(dfa, text) == validator.is_valid(value), text
    assert verdicts == {True, False}


BOUNDS = [(None, None), (0, 0), (-1, 1), (7, None), (None, -7), (None, 105), (98, 1203), (-20, -9)]


@pytest.mark.parametrize(("low", "high"), BOUNDS)
def test_integers_between(low, high):
    dfa = whole_dfa(LazyDfa(between(low, high)))
    for number in range(-130, 1300):
        inside = (low is None or number >= low) and (high is None or number <= high)
        assert fullmatch(dfa, str(number)) == inside
    assert not any(fullmatch(dfa, text) for text in ("", "-", "-0", "00", "07", "1.0", "+1"))


# What has no tree -------------------------------------------------------------------------------------

DEEP = ONE
for _ in range(1000):
    DEEP = {"type": "array", "items": DEEP}
LOOP = {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}
NOT_PLAIN = [
    True,
    {},
    {"type": "object"},
    {"type": "array"},
    {"not": ONE},
    {"allOf": [ONE, FEW]},
    {"type": "array", "items": {"$ref": "#"}},
    {"type": "object", "properties": {"a": ONE}, "additionalProperties": ONE},
    {"type": "object", "properties": {"a": ONE}, "required": ["b"], "additionalProperties": False},
    {"enum": []},
    {"enum": [[1]]},
    {"type": "string", "minLength": 3, "maxLength": 2},
    {"type": "string", "minLength": -1},
    {"type": "string", "pattern": "("},
    {"type": "integer", "minimum": "0"},
    {"type": "no such type"},
    {"$ref": "#/nowhere"},
    {"anyOf": []},
    LOOP,
    DEEP,
    7,
]


@pytest.mark.parametrize("schema", NOT_PLAIN)
def test_for_all_others_there_is_none(schema):
    """So what is refused is refused by the compiler, in its words."""
    assert schema_tree(schema) is None


@pytest.mark.parametrize("schema", [{"type": "integer", "minimum": 3, "maximum": 2}, LOOP, {"enum": []}, DEEP])
def test_a_guide_says_the_same_on_both_paths(schema, monkeypatch):
    said = []
    for tuned in (True, False):
        monkeypatch.setattr(labs.assembled, "tuned", tuned)
        try:
            guide = compile_guide(Vocabulary.toy(), json_schema=schema)
            said.append(guide.mask(guide.initial).tolist())
        except (InvalidSchema, ValueError, LimitExceeded) as error:
            said.append(str(error))
    assert said[0] == said[1]


def test_the_schema_is_left_as_it_was():
    before = json.dumps(PERSON)
    schema_tree(PERSON)
    assert json.dumps(PERSON) == before
