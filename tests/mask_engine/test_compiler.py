"""Schemas with texts that they accept and refuse, and schemas that are refused by name and place."""

import json
from itertools import combinations, product

import pytest

from labkit.automata.trees import Whitespace, char
from labkit.errors import InvalidSchema, LimitExceeded, UnsupportedSchema
from mask_engine import compile_json_schema
from mask_engine.operations import NOTHING, is_empty
from mask_engine.trees import objects
from mask_engine.trees.objects import object_skeleton
from mask_engine.trees.whole import schema_automaton
from tests.walks import matched

NULL, STRING = {"type": "null"}, {"type": "string"}
MARKED = Whitespace(edge=char("_"), comma=char(","), colon=char(":"))
SUBSETS = ["".join(row) for n in range(5) for row in combinations("abcd", n)]


OPTIONAL = {"type": "object"}
ONLY_NESTED = {"type": "object", "properties": {"a": {"$ref": "#/properties/b"}}, "required": ["a"]}
"""Where it is a member ``b``, no value satisfies it: it would have no end."""


UNSUPPORTED = [
    (True, "", "nest without end"),
    ({"type": "object"}, "", "nest without end"),
    ({"type": "array", "items": {}}, "", "nest without end"),
    ({"type": "array", "items": {"$ref": "#"}}, "", "nest without end"),
    ({"type": "array", "items": STRING, "uniqueItems": True}, "/uniqueItems", "items that all differ"),
    ({"type": "string", "pattern": "(?=a)b"}, "/pattern", "lookahead"),
    ({"type": "string", "pattern": r"(a)\1"}, "/pattern", "backreference"),
    ({"type": "string", "format": "idn-email"}, "/format", "idn-email"),
    ({"$ref": "other.json"}, "/$ref", "another document"),
    ({"type": "null", "extends": {}}, "/extends", "inheritance"),
    ({**STRING, "not": {"format": "email"}}, "/not/format", ""),
    ({"properties": {"a": {**STRING, "format": "regex"}}}, "/properties/a/format", ""),
    ({"$ref": "#/$defs/a", "$defs": {"a": {"$id": "a", "$schema": "http://json-schema.org/draft-07/schema#"}}},
     "/$defs/a/$schema", "another draft"),
    ({"anyOf": [{"$ref": "b"}], "$defs": {c: {"$id": "b"} for c in "xy"}}, "/anyOf/0/$ref", "several schemas"),
    ({"$ref": "#q", "$defs": {"a": {"$anchor": "q"}, "b": {"$anchor": "q"}}}, "/$ref", ""),
]  # fmt: skip
INVALID = [
    ([], "", "a schema is an object"),
    ({"type": "strin"}, "/type", "unknown type 'strin'"),
    ({"type": ["null", "any"]}, "/type", "unknown type 'any'"),
    ({"type": "string", "minLength": -1}, "/minLength", "no count"),
    ({"type": "string", "maxLength": True}, "/maxLength", "no count"),
    ({"type": "string", "pattern": 3}, "/pattern", "must be a text"),
    ({"type": "string", "pattern": "(a"}, "/pattern", "malformed"),
    ({"type": "number", "minimum": "3"}, "/minimum", "finite number"),
    ({"type": "number", "multipleOf": 0}, "/multipleOf", "more than 0"),
    ({"enum": {"a": 1}}, "/enum", "must be a list"),
    ({"properties": ["a"]}, "/properties", "must be an object"),
    ({"properties": {}, "required": "a"}, "/required", "must be a list"),
    ({"anyOf": []}, "/anyOf", "at least one schema"),
    ({"anyOf": [3]}, "/anyOf/0", "a schema is an object"),
    ({"$ref": "#/$defs/a"}, "/$ref", "leads nowhere"),
    (
        {"$ref": "#/$defs/a", "$defs": {"a": {"$id": "http://b/", "allOf": [{"$ref": "#/$defs/c"}]}, "c": {}}},
        "/$defs/a/allOf/0/$ref",
        "leads nowhere",
    ),
    ({"$ref": "#here"}, "/$ref", "no such anchor"),
    ({"$ref": "#x", "enum": [{"$anchor": "x"}]}, "/$ref", "no such anchor"),
    ({"$ref": 3}, "/$ref", "not a text"),
    ({"const": float("nan")}, "/const", "no JSON value"),
    ({"enum": ["\ud800"]}, "/enum/0", "surrogate"),
    ({1: 2}, "", "the key 1 is no text"),
    ({"anyOf": [{"$ref": "#"}, NULL]}, "/anyOf/0/$ref", ""),
    ({"not": {"$ref": "#"}}, "/not/$ref", ""),
    ({"patternProperties": {"(a": {}}}, "/patternProperties/(a", ""),
    ({"type": "array", "contains": 3}, "/contains", ""),
]
REFUSED = [(UnsupportedSchema, *row) for row in UNSUPPORTED] + [(InvalidSchema, *row) for row in INVALID]


@pytest.mark.parametrize(("kind", "schema", "pointer", "words"), REFUSED)
def test_a_schema_is_refused_by_name_and_place(kind, schema, pointer, words):
    """A keyword that constrains is never ignored, and a malformed one never guessed at."""
    with pytest.raises(kind) as caught:
        schema_automaton(schema)
    assert words in caught.value.problem and caught.value.pointer == pointer


@pytest.mark.parametrize(
    "schema",
    [
        False,
        {"enum": []},
        {"type": "string", "enum": [1]},
        {"type": "string", "minLength": 3, "maxLength": 2},
        {"type": "integer", "minimum": 1.2, "maximum": 1.8},
        {"type": "object", "properties": {"a": False}, "required": ["a"]},
        {"type": "object", "properties": {}, "required": ["a"], "additionalProperties": False},
        {"allOf": [{"type": "string"}, NULL]},
        {"type": "array", "items": False, "minItems": 1},
        {"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]},
        {"type": "object", "properties": {"b": ONLY_NESTED}, "required": ["b"]},
        {"allOf": [STRING, {"not": STRING}]},
        {"contains": {"const": 1}, "minContains": 3, "maxContains": 1, "type": "array"},
    ],
)
def test_a_schema_that_no_value_satisfies_matches_nothing(schema):
    assert is_empty(schema_automaton(schema))


WORKED = [
    ({"$ref": "#/$defs/a", "$defs": {"a": NULL}}, "null", "1"),
    ({"$ref": "#it", "$defs": {"a": {"$anchor": "it", "type": "null"}}}, "null", "1"),
    ({"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/s", "maxLength": 1,
      "definitions": {"s": STRING}}, '"ab"', "1"),
    ({"$ref": "#/$defs/s", "maxLength": 1, "$defs": {"s": STRING}}, '"a"', '"ab" | 1'),
    ({"type": "number", "minimum": 1, "exclusiveMinimum": True}, "1.5", "1 | 1.0"),
    ({"items": [NULL], "additionalItems": False}, "[] | [null]", "[1] | [null, null]"),
    ({"prefixItems": [NULL], "unevaluatedItems": False}, "[null]", "[null, 1]"),
    ({"const": {"a": [1, "é"]}}, r'{"a": [1, "é"]} | {"a":[1.0,"\u00e9"]}', '{"a": [1]} | {"a": [1, "e"]}'),
    ({"properties": {"a": NULL}, "additionalProperties": {"type": "integer"}},
     '{} | {"a": null, "b": 1} | {"b": 1, "c": 2} | {"": 1} | {"aa": 1}',
     r'{"a": 1} | {"b": null} | {"\u0061": 1} | {"b": 1, "a": null}'),
    ({"additionalProperties": NULL, "minProperties": 1, "maxProperties": 2},
     '{"a": null} | {"a": null, "b": null}', '{} | {"a": null, "b": null, "c": null}'),
    ({"oneOf": [{"properties": {"k": {"const": c}, "v": {"type": t}}, "required": ["k"], "type": "object"}
                for c, t in (("a", "null"), ("b", "integer"))]},
     '{"k": "a", "v": null} | {"k": "b", "v": 1} | {"k": "a"}', '{"k": "a", "v": 1} | {"v": 1}'),
    ({"oneOf": [{**STRING, "minLength": 2}, {**STRING, "maxLength": 3}]}, '"a" | "abcd"', '"ab" | "abc"'),
    ({"type": ["string", "null"], "minLength": 1}, 'null | "a"', '"" | 1'),
    ({**STRING, "pattern": "b", "maxLength": 2}, r'"ab" | "b" | "\u0062"', '"a" | "aab"'),
    ({**STRING, "pattern": "^a|b$"}, '"ax" | "xb"', '"xa" | "bx"'),
    ({**STRING, "pattern": r"^\d$"}, '"7"', '"٣"'),
    ({**STRING, "format": "date"}, '"2024-02-29" | "2000-02-29"', '"2023-02-29" | "1900-02-29"'),
    ({**STRING, "format": "made-up"}, '"x"', "1"),
    ({"type": "integer", "multipleOf": 7}, "0 | 7 | -14 | 700", "1 | 8 | 07 | 7.0"),
    ({"properties": {"a": NULL}, "unevaluatedProperties": False}, '{"a": null}', '{"b": null}'),
    ({"anyOf": [{"properties": {"a": NULL}}], "unevaluatedProperties": False, "type": "object"},
     '{"a": null}', '{"b": null}'),
    ({"$ref": "#/$defs/x", "$defs": {"x": {"prefixItems": [NULL], "unevaluatedItems": False}}},
     "[null]", "[null, null]"),
    ({"minLength": 3, "maxLength": 2}, "1", ""),
    ({"minLength": 3}, '"abc"', "1"),
    ({"type": "string", "anyOf": [{"maxLength": 3}, {"const": 1, "not": {"format": "email"}}]}, '"abc"', "1"),
    ({**OPTIONAL, "properties": {"b": ONLY_NESTED}}, "{}", '{"b": {"a": {}}}'),
    ({"anyOf": [{**ONLY_NESTED, "properties": {"a": {"$ref": "#/anyOf/0"}}}, NULL]}, "null", '{"a": null}'),
    (True, '1 | [] | [1, {"a": [null, "b"]}] | {"a": {}}', '[ | [1,] | {"a"} | {1: 2} | 01'),
    ({"type": "object"}, '{} | {"a": [1]}', '[] | 1'),
    ({"$dynamicAnchor": "node", "type": "object", "properties": {"c": {"$dynamicRef": "#node"}}, "required": ["c"]},
     "", '{} | {"c": 1} | {"c": {}}'),
    ({"type": "array", "contains": {"$ref": "#/$defs/c"}, "unevaluatedItems": {"$ref": "#"},
      "$defs": {"c": {"const": 1}}}, "[1] | [1, [1], 1] | [[1, [[1], 1]], 1]", "[] | [1, []] | [1, 2]"),
    ({"type": "object", "properties": {}}, '{} | {"a": 1}', '1'),
    ({"type": "object", "properties": {}, "additionalProperties": False}, '{}', '{"a": 1}'),
    ({"type": "object", "properties": {}, "minProperties": 1}, '{"a": 1}', '{}'),
    ({"type": "object", "properties": {"n": {"type": "integer"}, "next": {"$ref": "#"}}, "required": ["n"]},
     '{"n": 1} | {"n": 1, "next": {"n": 2, "next": {"n": 3}}}', '{} | {"n": 1, "next": {}}'),
    ({"$ref": "#/$defs/list", "$defs": {"list": {"type": "array", "items": {"$ref": "#/$defs/node"}},
      "node": {"anyOf": [NULL, {"$ref": "#/$defs/list"}]}}}, "[] | [[], null, [[null]]]", "null | [1] | [[]"),
    ({"$defs": {"t": {"type": "array", "items": {"$ref": "#/$defs/t"}, "maxItems": 2}},
      "allOf": [{"$ref": "#/$defs/t"}, {"type": "array", "items": {"maxItems": 1}}]},
     "[] | [[], []] | [[[[], []]]]", "[[[], []]] | [[], [], []]"),
    ({"patternProperties": {"^f": {"type": "integer"}}}, '{"f": 2, "g": "a"}', r'{"f": "a"} | {"\u0066": "a"}'),
    ({"propertyNames": {"maxLength": 1}}, '{"f": 2, "g": "a"} | {}', '{"fg": 1}'),
    ({"not": {"type": ["string", "object"]}}, '1 | [1]', '"a" | {}'),
    ({"not": {"required": ["a"]}}, '{"b": 1} | {}', '{"a": 1} | 1'),
    ({"not": {"type": "integer"}}, '1.5 | "a" | 2.5e-3', '1 | 1.0 | 10e-1 | 1e2'),
    ({"oneOf": [{"type": "integer"}, {"minimum": 2}]}, '1 | 2.5', '3 | 1.5'),
    ({"contains": {"const": 1}, "maxContains": 2}, '[1] | [1, 2, 1]', '[2] | [1, 1, 1] | []'),
    ({"if": {"required": ["a"]}, "then": {"required": ["b"]}}, '{"a": 1, "b": 2} | {}', '{"a": 1}'),
    ({"dependentRequired": {"a": ["b"]}}, '{} | {"b": 1} | {"b": 2, "a": 1}', '{"a": 1}'),
    ({"required": ["a", "b"]}, '{"a": 1, "b": 2} | {"b": 1, "c": 0, "a": 2}', '{"a": 1} | {"a": 1, "a": 2}'),
    ({"type": "array", "items": {"enum": ["a", "b", "c"]}, "uniqueItems": True},
     '[] | ["a", "b"] | ["c", "a", "b"]', r'["a", "a"] | ["a", "\u0061"] | ["a", "b", "a"]'),
    ({"anyOf": [{"properties": {"a": True}, "required": ["a"]}, {"required": ["b"]}], "unevaluatedProperties": False},
     '{"a": 1}', '{"b": 1} | {"a": 1, "c": 1} | {}'),
    ({"type": "array", "prefixItems": [True], "contains": {"const": 7}, "unevaluatedItems": STRING},
     '[7, "a"] | ["a", 7, "b", 7]', '[7, 8] | ["a"]'),
]  # fmt: skip
"""Schemas, and texts that they accept and refuse."""


@pytest.mark.parametrize(("schema", "accepted", "refused"), WORKED)
def test_worked_examples(schema, accepted, refused):
    """References, drafts, tuples, other keys, oneOf, patterns and formats, which the random schemas do not reach."""
    fullmatch = compile_json_schema(schema).fullmatch
    assert [text for text in filter(None, accepted.split(" | ")) if not fullmatch(text)] == [] and not fullmatch("")
    assert [text for text in refused.split(" | ") if fullmatch(text)] == []


def test_a_document_that_changes_afterwards_changes_nothing():
    schema = {"type": "object", "properties": {"a": {"enum": ["x"]}}, "required": ["a"]}
    before, untouched = compile_json_schema(schema), json.dumps(schema)
    assert json.dumps(schema) == untouched
    schema["properties"]["a"]["enum"].append("y")
    after = compile_json_schema(schema)
    assert [each.fullmatch('{"a": "y"}') for each in (before, after)] == [False, True]


def test_an_object_of_too_many_choices_is_refused_before_the_work(monkeypatch):
    """What follows a member is any later one up to the next that is required: only those pairs count."""
    monkeypatch.setattr(objects, "minimize_dfa", lambda dfa: NOTHING)
    monkeypatch.setattr(objects, "nfa_to_dfa", lambda nfa: pytest.fail("the subsets are made"))
    with pytest.raises(LimitExceeded, match="an object of 346 members, of which 60,031 pairs may be neighbours"):
        object_skeleton([("a", False)] * 346, None, MARKED)
    monkeypatch.setattr(objects, "nfa_to_dfa", lambda nfa: NOTHING)
    object_skeleton([("a", False)] * 345, None, MARKED)
    object_skeleton([("a", place % 100 == 99) for place in range(1000)], None, MARKED)


def test_an_object_over_letters_and_others_after_its_members():
    """All patterns of up to four members, by brute force over their texts."""
    for n in range(5):
        for bits in range(2**n):
            members = [("abcd"[i], bool(bits >> i & 1)) for i in range(n)]
            right = {tuple(name for name, _ in members if name in some or (name, True) in members) for some in SUBSETS}
            for more, last in ((None, [()]), ("e", [(), ("e",), ("e", "e")])):
                found = object_skeleton(members, more, MARKED)
                texts = {
                    "{_" + ",".join(row + after) + ("_" if row + after else "") + "}" for row in right for after in last
                }
                assert matched(found, [*texts]) == texts, (members, more)
                wrong = {"{" + ",".join(row) + "}" for row in product("abcde", repeat=2)} | {"{_}", "{_a,_}", "{_,a_}"}
                assert matched(found, [*wrong - texts]) == set(), (members, more)
