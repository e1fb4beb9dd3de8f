"""The page's masks against Python's, over the small model's tokens; ``crosscheck.py`` does it for whole files."""

import json

import pytest

from labkit.errors import SchemaError
from mask_engine import compile_guide
from tests.book.crosscheck import VOCABULARY, Case, answered, compared, told

PATTERNS = [
    *(r"([0-9]+)?\.[0-9]+", "(a|b)*a(a|b){4}", "(a|b)*a(a|b){20}", "#[0-9a-f]{6}", "yes|no|yesterday", "caf[éè]"),
    *("[д-я]+", '[^"]*', "日本|語", "😀+x", "[ -ÿ]*!", "[^a-z]{2}", r"[\x7f-\uffff]{2}", r"\s\S"),
    *("(?i)straße|k", "(?P<a>x)y", "a$|^b", "(?x) a [ ] b # c", r"(?a)\d\0?", "(?s).a", r"(?u:\s)!"),
    *("a{2,5}", "(ab|a)*", "a??b", "(a*)*", "a|", ".{3}", r"[^\x00-\U0010ffff]|b", "a[^\\x00-\\U0010ffff]|b", "()*x"),
]

TEXT, COUNT, DAY = {"type": "string"}, {"type": "integer", "minimum": 0}, {"type": "string", "format": "date"}


def form(required=(), **properties):
    """An object as OpenAI's strict mode wants it."""
    return {"type": "object", "properties": properties, "required": [*required], "additionalProperties": False}


ORDINARY = {
    "an order": form(["item", "quantity"], item=TEXT, quantity={"type": "integer", "minimum": 1, "maximum": 99}),
    "an address": form(["street", "zip"], street=TEXT, zip={"type": "string", "pattern": "^[0-9]{5}$"}, country=TEXT),
    "a person": form(
        ["name"], name={"type": "string", "minLength": 1, "maxLength": 8}, born=DAY, mail={"type": "null"}
    ),
    "a ticket": form(["state"], state={"enum": ["open", "closed", None]}, tags={"type": "array", "items": TEXT}),
    "nullable": form(["nick"], nick={"type": ["string", "null"]}, age={"type": ["integer", "null"]}),
    "a union": {"anyOf": [form(["cash"], cash={"const": True}), form(["card"], card={"type": "string"})]},
    "one of two kinds": {"oneOf": [{"type": "string", "maxLength": 3}, {"type": "number", "exclusiveMinimum": 0.5}]},
    "a folder": form(["name", "folders"], name=TEXT, folders={"type": "array", "items": {"$ref": "#"}, "maxItems": 2}),
    "a tree": {
        "$ref": "#/$defs/node",
        "$defs": {"node": form(["value"], value=COUNT, left={"$ref": "#/$defs/node"}, right={"$ref": "#/$defs/node"})},
    },
    "an event": form(["at"], at={"type": "string", "format": "date-time"}, place={"type": "object"}),
    "a point": {
        "type": "array",
        "prefixItems": [{"type": "number"}, {"type": "number"}],
        "items": False,
        "minItems": 2,
    },
    "scores": {"type": "object", "additionalProperties": {"type": "integer", "minimum": -5, "maximum": 5}},
    "a merge": {"allOf": [form(["a"], a=TEXT), {"properties": {"a": {"maxLength": 2}}}]},
    "anything": {"title": "whatever", "description": "any JSON value", "default": None, "x-hint": 1},
}

ODD = {
    "keys that are numbers": form(["2", "1"], **{"2": TEXT, "10": COUNT, "1": {"const": 0}}),
    "exact bounds": {"type": "number", "minimum": 0.1, "exclusiveMaximum": 12345678901234567890},
    "values of all kinds": {"enum": ["a/é\n", 1, 1.5, -0.0, 1e22, True, None, [1, {"b": [2]}], {}]},
    "search": {"type": "string", "pattern": "b|^a+$", "maxLength": 4},
    "no such text": {"type": "string", "pattern": "^a", "minLength": 2, "maxLength": 3, "not": {"enum": ["ab"]}},
    "formats": {"anyOf": [{"format": each} for each in ("time", "uuid", "ipv4", "duration", "json-pointer")]},
    "patterns of keys": {
        "type": "object",
        "patternProperties": {"^x-": COUNT},
        "additionalProperties": {"type": "null"},
    },
    "few different": {"type": "array", "items": {"enum": [1, 2, 3]}, "uniqueItems": True, "minItems": 2},
    "counted": {
        "type": "object",
        "minProperties": 1,
        "maxProperties": 2,
        "properties": {"a": TEXT, "b": TEXT, "c": TEXT},
    },
    "contains": {"type": "array", "contains": {"const": 0}, "items": {"type": ["integer", "null"]}, "maxItems": 3},
    "dependent": {**form(a=TEXT, b=TEXT, c=TEXT), "dependentRequired": {"a": ["c"]}, "not": {"required": ["a", "b"]}},
    "a condition": {"type": "integer", "if": {"minimum": 10}, "then": {"multipleOf": 5}, "else": {"minimum": 0}},
    "both ways": {
        "$defs": {"a": {"items": {"$ref": "#/$defs/b"}}, "b": {"items": {"$ref": "#/$defs/a"}}},
        "$ref": "#/$defs/a",
    },
    "names": {
        "$id": "http://a.example/root",
        "anyOf": [{"$ref": "b.json#x"}, {"$ref": "#/$defs/c"}],
        "$defs": {
            "b": {"$id": "b.json", "$defs": {"d": {"$anchor": "x", "items": {"$ref": "#/$defs/c"}}, "c": {"const": 1}}},
            "c": {"type": "object", "maxProperties": 1, "additionalProperties": {"$ref": "root"}},
        },
    },
    "unevaluated": {"allOf": [{"properties": {"a": TEXT}}], "unevaluatedProperties": COUNT},
    "escapes": form(['"\\\t é😀/'], **{'"\\\t é😀/': {"const": "\u2028"}}),
    "nothing but types": {"type": ["boolean", "object", "array"], "maxItems": 1, "maxProperties": 1},
}

GRAMMARS = [
    *(
        'root ::= "[" root? "]"',
        'root ::= "a" root "b" | ""',
        'root ::= x | y\nx ::= "a" root "x" | "c"\ny ::= "a" root "y" | "d"',
    ),
    'root ::= "{" (pair ("," pair)*)? "}"\npair ::= [a-zé]+ ":" value\nvalue ::= [0-9]{1,3} | root | "日本"',
    'root ::= sum\nsum ::= term (("+" | "-") term)*\nterm ::= [0-9]+ | "(" sum ")"',
    'root ::= s\ns ::= "a" s s | "b"',
]

REFUSED = [
    *({"type": "strin"}, {"type": "string", "minLength": -1}, {"items": {"maxItems": 1.5}}, {"anyOf": []}, {"enum": 3}),
    *({"$ref": "#/$defs/lost"}, {"anyOf": [{"type": "null"}, {"$ref": "#"}]}, {"$ref": "other.json"}, {"allOf": [1]}),
    *({"properties": {"a/b~c": {"required": [1]}}}, {"type": "string", "format": "idn-email"}, {"minimum": "1"}),
    *({"type": "string", "pattern": each} for each in ("(a", "(?=a)b", "a{3,2}", "[z-a]", r"\q", r"a\b", "(?<=a)b")),
    *({"type": "array", "items": TEXT, "uniqueItems": True}, {"not": {"format": "email"}, "type": "string"}),
    *(False, {"type": "integer", "minimum": 3, "maximum": 2}, {"enum": []}, {"divisibleBy": 2}, {"multipleOf": 0}),
]


def agreed(cases, **options):
    """Compare cases of which neither side refuses any, and return how many masks are equal."""
    rows = compared(cases, **options)
    assert not [line for row in rows for line in told(row)]
    assert not [row["source"] for row in rows if row["python"] or row["refused"]]
    return sum(row["equal"] for row in rows)


def test_masks_of_patterns_are_pythons():
    assert agreed([Case("regex", pattern) for pattern in PATTERNS]) > 200


@pytest.mark.parametrize("schemas", [ORDINARY, ODD], ids=["ordinary", "odd"])
def test_masks_of_schemas_are_pythons(schemas):
    cases = [Case("json_schema", json.dumps(schema, ensure_ascii=False)) for schema in schemas.values()]
    assert agreed(cases) > 500


def test_masks_of_grammars_are_pythons():
    assert agreed([Case("grammar", grammar) for grammar in GRAMMARS]) > 100


def test_what_python_refuses_the_page_refuses_in_the_same_words():
    found = answered([{"kind": "json_schema", "source": json.dumps(schema), "walks": []} for schema in REFUSED])
    for schema, answer in zip(REFUSED, found, strict=True):
        with pytest.raises(SchemaError) as refused:
            compile_guide(VOCABULARY, json_schema=schema)
        assert answer["refused"] == f"{refused.value.problem}, at {refused.value.pointer}", schema


HOSTILE = [
    {"type": "string", "pattern": "(a|b)*a(a|b){20}", "maxLength": 400},
    {"type": "object", "properties": {f"k{n}": TEXT for n in range(400)}, "minProperties": 3},
    {"type": "array", "minItems": 10**8, "items": TEXT},
    {"type": "string", "minLength": 10**8},
    {"type": "number", "minimum": 10**900},
    {"anyOf": [{"required": [f"a{n}", f"b{n}"]} for n in range(60)]},
    {"allOf": [{"anyOf": [{"minLength": n}, {"pattern": f"a{n}"}]} for n in range(12)]},
    {"oneOf": [{"properties": {f"k{n}": {"items": {"$ref": "#"}}}} for n in range(12)]},
    {"anyOf": [{"type": "array", "items": {"$ref": "#"}}, {"type": "array", "items": {"$ref": "#"}, "maxItems": 3}]},
]


NO_SCHEMA = {
    "[" * 5000: "too deep",
    '{"enum": [1e999]}': "1e999 is no number",
    "{": "no JSON yet",
    '"\\ud800"': "half a",
}


def test_hostile_schemas_are_refused_or_compiled_and_never_crash():
    texts = [*map(json.dumps, HOSTILE), '{"not":' * 150 + "{}" + "}" * 150, *NO_SCHEMA]
    found = answered([{"kind": "json_schema", "source": text, "walks": []} for text in texts])
    assert not [answer["refused"] for answer in found if answer.get("crashed")]
    for answer, words in zip(found[-len(NO_SCHEMA) :], NO_SCHEMA.values(), strict=True):
        assert words in answer["refused"]
