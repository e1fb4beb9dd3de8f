"""Trees of schemas: the language of lab 08's expressions where there is one, and texts that nest."""

import json
import random

import jsonschema
import pytest

from labkit.errors import InvalidSchema, LimitExceeded, UnsupportedSchema
from labkit.vocabulary import Vocabulary
from labs.assembled import compile_guide, compile_json_schema
from labs.lab_06_regex_to_dfa.solution import compile_dfa, equivalent, fullmatch, merge_ranges, nfa_to_dfa
from labs.lab_08_json_schema.solution import json_schema_to_regex
from mask_engine.patterns.lazy import LazyDfa
from mask_engine.reading.texts import keys_but
from mask_engine.trees import objects
from mask_engine.trees.compiler import schema_tree
from mask_engine.trees.integers import between
from mask_engine.trees.pieces import characters
from mask_engine.trees.whole import schema_automaton
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


@pytest.mark.parametrize("whitespace", ["flexible", "compact"])
def test_trees_have_the_language_of_the_labs_own_expressions(whitespace):
    """Of schemas in the lab's subset, inner ones by the same expressions."""
    compared = 0
    for schema in [*PLAIN, *SCHEMAS.values()]:
        try:
            expression = json_schema_to_regex(schema, whitespace=whitespace)
        except UnsupportedSchema:
            continue
        if schema.get("properties") != {}:  # of which the lab's own has no member, and a tree any
            assert equivalent(schema_automaton(schema, whitespace=whitespace), compile_dfa(expression)), schema
        compared += 1
    assert compared > 10


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
    dfa, validator = nfa_to_dfa(LazyDfa(schema_tree(PERSON))), jsonschema.Draft202012Validator(PERSON)
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
    dfa = nfa_to_dfa(LazyDfa(between(low, high)))
    for number in range(-130, 1300):
        inside = (low is None or number >= low) and (high is None or number <= high)
        assert fullmatch(dfa, str(number)) == inside
    assert not any(fullmatch(dfa, text) for text in ("", "-", "-0", "00", "07", "1.0", "+1"))


# Trees within themselves ------------------------------------------------------------------------------

ONLY_NESTED = {"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}
"""No value satisfies it: it would have no end."""


def reads(schema, text, **options):
    return compile_json_schema(schema, **options).fullmatch(text)


@pytest.mark.parametrize("depth", [0, 1, 40])
def test_values_nest_without_end(depth):
    text = "[" * depth + "0" + "]" * depth
    assert reads({}, text) and not reads({}, text + "]") and not reads({}, "[" + text)
    assert reads({"items": {"$ref": "#"}, "type": ["array", "integer"]}, text)
    assert not reads({"items": {"$ref": "#"}, "type": ["array", "null"]}, text)


def test_a_rule_without_texts_is_left_out():
    """Where it stands decides whether anything is left: an optional member goes, one that must be there takes all."""
    assert schema_tree(ONLY_NESTED) is None
    inside = {"type": "object", "properties": {"b": ONLY_NESTED | {"properties": {"a": {"$ref": "#/properties/b"}}}}}
    assert reads(inside, "{}") and not reads(inside, '{"b": {"a": {}}}')
    assert schema_tree(inside | {"required": ["b"]}) is None
    either = {"anyOf": [ONLY_NESTED | {"properties": {"a": {"$ref": "#/anyOf/0"}}}, {"type": "null"}]}
    assert reads(either, "null") and not reads(either, '{"a": null}')


def test_two_rules_call_each_other():
    """A list of pairs, and a pair of lists; ``json`` nests them, ``jsonschema`` judges."""
    schema = {
        "$ref": "#/$defs/list",
        "$defs": {
            "list": {"type": "array", "items": {"$ref": "#/$defs/pair"}, "maxItems": 2},
            "pair": {
                "type": "object",
                "properties": {"l": {"$ref": "#/$defs/list"}, "n": {"type": "integer"}},
                "required": ["l"],
                "additionalProperties": False,
            },
        },
    }
    matcher, validator, rng = compile_json_schema(schema), jsonschema.Draft202012Validator(schema), random.Random(3)

    def value(depth):
        if depth == 0:
            return rng.choice([[], [], 0, {}])
        pair = {"l": value(depth - 1)} | ({"n": rng.choice([1, 2.5])} if rng.random() < 0.3 else {})
        return [pair] * rng.randrange(1, 4)

    verdicts = []
    for _ in range(300):
        found = value(rng.randrange(5))
        verdicts.append(validator.is_valid(found))
        assert matcher.fullmatch(json.dumps(found)) == verdicts[-1], found
    assert 30 < sum(verdicts) < 270


def test_members_that_a_schema_does_not_mention():
    """They are left out, or written as the schema allows."""
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    text = '{"a": 1, "b": [{}]}'
    assert not reads(schema, text) and reads(schema, text, closed=False)
    assert not reads(schema | {"additionalProperties": False}, text, closed=False)
    assert not reads(schema, '{"a": 1, "a": 2}', closed=False)
    strings = schema | {"additionalProperties": {"type": "string"}}
    assert reads(strings, '{"a": 1, "b": "x"}') and not reads(strings, '{"a": 1, "b": 2}')


@pytest.mark.parametrize("names", [[], [""], ["a"], ["id", "in", "ids", "\u00e9", "\U0001f600"], ["ab", "b"]])
def test_keys_but_some(names):
    keys = keys_but(names)
    for text in [
        *names,
        "",
        "i",
        "x",
        "idss",
        "inn",
        "\u00e8",
        "a",
        "b",
        "abb",
        "\U0001f601",
        *(name[:-1] for name in names),
    ]:
        assert fullmatch(keys, text) == (text not in names)


def test_characters_in_each_form_that_json_has():
    """Random sets of characters; ``json`` reads the forms of characters in them and beside them."""
    rng, edges = (
        random.Random(1),
        [0, 9, 0x1F, 0x22, 0x2F, 0x5C, 0x7F, 0xFFF, 0xD7FF, 0xE000, 0xFFFF, 0x103FF, 0x10FFFF],
    )
    for _ in range(100):
        starts = [max(0, rng.choice(edges) + rng.randrange(-2, 3)) for _ in range(rng.randrange(1, 4))]
        pairs = merge_ranges((first, min(first + rng.choice([0, 1, 100, 0x5000]), 0x10FFFF)) for first in starts)
        dfa = nfa_to_dfa(LazyDfa(characters(pairs)))
        near = [code for pair in pairs for bound in pair for code in (bound - 1, bound, bound + 1)] + edges
        for code in near:
            if 0 <= code < 0x110000 and not 0xD800 <= code < 0xE000:
                inside = any(first <= code <= last for first, last in pairs)
                for form in json_forms(chr(code)):
                    assert json.loads(f'"{form}"') == chr(code)
                    assert fullmatch(dfa, form) == inside, (pairs, form)


def json_forms(char):
    """Return how JSON may write a character."""
    units = char.encode("utf-16-be").hex()
    escape = "".join("\\u" + units[at : at + 4] for at in range(0, len(units), 4))
    plain = json.dumps(char, ensure_ascii=False)[1:-1]
    return [escape, escape.upper().replace("U", "u"), plain, *(["/", "\\/"] if char == "/" else [])]


# Large and hostile ------------------------------------------------------------------------------------


def members_of(count, **options):
    return {"type": "object", "properties": {f"p{n}": {"type": "integer"} for n in range(count)}, **options}


@pytest.mark.parametrize("required", [[], ["p7"], [f"p{n}" for n in range(3000)]], ids=["none", "one", "all"])
def test_an_object_of_three_thousand_members(required):
    """No part of it is nested as deep as it has members."""
    matcher = compile_json_schema(members_of(3000, required=required))
    value = {f"p{n}": n for n in range(3000) if n % 100 == 7 or required[1:]}
    assert matcher.fullmatch(json.dumps(value))
    assert not matcher.fullmatch(json.dumps(value | {"p7": "x"}))
    assert matcher.fullmatch("{}") == (not required)


def test_pairs_of_members_that_exclude_each_other():
    """Forty pairs have 2 ** 40 ways to lack one each; read as clauses they are forty."""
    pairs = [(f"p{2 * n}", f"p{2 * n + 1}") for n in range(40)]
    schema = members_of(80, allOf=[{"not": {"required": list(pair)}} for pair in pairs])
    matcher, validator, rng = compile_json_schema(schema), jsonschema.Draft202012Validator(schema), random.Random(0)
    verdicts = []
    for _ in range(200):
        value = {key: 1 for pair in pairs for key in pair if rng.random() < rng.choice([0.05, 0.3])}
        verdicts.append(validator.is_valid(value))
        assert matcher.fullmatch(json.dumps(value)) == verdicts[-1]
    assert 20 < sum(verdicts) < 180


def test_fifty_thousand_texts():
    texts = [f"word {n}" for n in range(50_000)]
    matcher = compile_json_schema({"enum": texts})
    assert (
        matcher.fullmatch('"word 4711"') and not matcher.fullmatch('"word 50000"') and not matcher.fullmatch('"word "')
    )


@pytest.mark.parametrize("bound", [10**59, 10**61, 10**300])
def test_long_numbers(bound):
    matcher = compile_json_schema({"type": "integer", "minimum": -bound, "maximum": bound})
    assert all(matcher.fullmatch(str(n)) for n in (bound, -bound, bound - 1, 0, 7))
    assert not any(matcher.fullmatch(str(n)) for n in (bound + 1, -bound - 1, 10 * bound))


def test_work_is_counted_before_it_is_done():
    """The product of twelve patterns has too many states; who asks for it is told where."""
    patterns = [{"pattern": f"a.{{{n}}}b"} for n in range(12)]
    with pytest.raises(LimitExceeded, match="the schema takes too much work, at /properties/p"):
        schema_tree({"type": "object", "properties": {"p": {"type": "string", "allOf": patterns}}})


# Refusals ---------------------------------------------------------------------------------------------

DEEP = ONE
for _ in range(1000):
    DEEP = {"type": "array", "items": DEEP}
LOOP = {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}
MALFORMED = [
    {"type": "string", "minLength": -1},
    {"type": "string", "pattern": "("},
    {"type": "integer", "minimum": "0"},
    {"type": "no such type"},
    {"$ref": "#/nowhere"},
    {"anyOf": []},
    LOOP,
    7,
    {"properties": {"a": {"items": {"pattern": "("}}}},
]


@pytest.mark.parametrize("schema", MALFORMED, ids=lambda schema: json.dumps(schema)[:50])
def test_what_is_malformed_is_refused_before_the_first_mask(schema):
    with pytest.raises(InvalidSchema):
        schema_tree(schema)


def test_what_is_too_deep_is_refused():
    with pytest.raises(LimitExceeded):
        schema_tree(DEEP)


@pytest.mark.parametrize("schema", [{"type": "integer", "minimum": 3, "maximum": 2}, {"enum": []}, False, ONLY_NESTED])
def test_no_value_is_no_guide(schema):
    with pytest.raises(InvalidSchema, match="no value satisfies"):
        compile_guide(Vocabulary.toy(), json_schema=schema)


def test_the_schema_is_left_as_it_was():
    before = json.dumps(PERSON)
    schema_tree(PERSON)
    assert json.dumps(PERSON) == before


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
        schema_tree({"anyOf": [{"type": "object", **each} for each in alike]}, closed=closed)
        return len(counts)

    assert 0 < multiplied(1) == multiplied(12)


def test_a_document_that_changes_afterwards_changes_nothing():
    schema = {"type": "object", "properties": {"a": {"enum": ["x"]}}, "required": ["a"]}
    before, untouched = compile_json_schema(schema), json.dumps(schema)
    assert json.dumps(schema) == untouched
    schema["properties"]["a"]["enum"].append("y")
    after = compile_json_schema(schema)
    assert [each.fullmatch('{"a": "y"}') for each in (before, after)] == [False, True]
