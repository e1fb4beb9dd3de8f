"""The automata of bodies: what they accept is what the parser accepts, with names and arguments that agree."""

import json

import pytest

from labkit.automata.dfa import Dfa
from labkit.errors import InvalidSchema, UnsupportedSchema
from labs.lab_06_regex_to_dfa.solution import fullmatch
from labs.lab_08_json_schema.solution import equivalent
from labs.lab_11_tool_calls.ab import blocks_automaton
from labs.lab_11_tool_calls.given.formats import FORMATS, fields_of
from labs.lab_11_tool_calls.given.grammars import body_automaton
from labs.lab_11_tool_calls.given.parsing import parse
from labs.lab_11_tool_calls.given.tools import Tool, read_tools
from mask_engine.tool_calls.arguments import with_all_keywords
from tests.labs.lab_11.formats import EXAMPLES, PARALLEL, SCHEMAS, TOOLS, is_right, split

CONSTRAINED = [name for name in FORMATS if FORMATS[name].constrained]
BY_NAME = pytest.mark.parametrize("name", CONSTRAINED)
BODIES = {
    name: {one: body_automaton(FORMATS[name], TOOLS, one) for one in FORMATS[name].triggers} for name in CONSTRAINED
}


@BY_NAME
def test_every_body_that_differs_in_one_character_is_accepted_only_if_the_parser_finds_it_right(name):
    """A character left out, doubled or replaced, everywhere; the oracle is the parser with jsonschema."""
    text = EXAMPLES[name].get("two" if FORMATS[name].between is not None else "one")
    before, trigger, body = split(name, text)
    seen = {True: 0, False: 0}
    for place in range(len(body)):
        for new in ("", body[place] * 2, '"', "7", "}"):
            changed = body[:place] + new + body[place + 1 :]
            accepted = fullmatch(BODIES[name][trigger], changed)
            right = is_right(name, before + trigger + changed)
            assert right or not accepted, changed
            # JSON allows more white space than a mask, which a model would fill forever.
            assert accepted or not right or new.isspace(), changed
            seen[accepted] += 1
    assert min(seen.values()) > 10


NESTED = {"type": "object", "properties": {"a": {"type": "boolean"}, "b": {"enum": ["x", None]}}}
RICH = {
    "n": {"type": "number"},
    "few": {"enum": ["on", "off"]},
    "any": {"enum": ["on", True, None]},
    "nothing": {"type": "null"},
    "yes": {"type": "boolean"},
    "name": {"type": "string", "minLength": 1, "maxLength": 3},
    "list": {"type": "array", "items": {"type": "string", "maxLength": 2}, "minItems": 1, "maxItems": 3},
    "nested": NESTED,
    "lost": {"type": "array", "items": NESTED, "minItems": 2, "maxItems": 1},
}
WAYS = {(row.whole, row.values, fields_of(row.parameter)): name for name, row in FORMATS.items() if row.constrained}
"""A format for each way in which arguments may be written."""


@pytest.mark.parametrize("key", RICH)
@pytest.mark.parametrize("name", WAYS.values())
def test_the_engine_reads_lab_08s_keywords_as_the_lab_does(name, key):
    """Each has a compiler of its own for them: all bodies are the same, and so is what's refused."""
    parameters = {"type": "object", "properties": {key: RICH[key], "last": {"type": "integer"}}, "required": [key]}
    tools, found = [Tool("f", parameters)], []
    for each in (tools, with_all_keywords(tools)):
        try:
            found.append(body_automaton(FORMATS[name], each))
        except (InvalidSchema, UnsupportedSchema) as error:
            found.append((type(error), error.pointer))
    assert equivalent(*found) if isinstance(found[0], Dfa) else found[0] == found[1]


@pytest.mark.parametrize("name", PARALLEL)
def test_a_required_call_is_the_whole_answer(name):
    row = FORMATS[name]
    whole, single = blocks_automaton(row, TOOLS), blocks_automaton(row, TOOLS, parallel=False)
    if whole is None:
        assert not row.constrained
        return
    one, two = (each.removeprefix(row.around[0][0]) if row.around else each for each in EXAMPLES[name].values())
    assert fullmatch(whole, one) and fullmatch(single, one) and fullmatch(whole, two) and not fullmatch(single, two)
    assert not fullmatch(whole, "") and not fullmatch(whole, f"Well. {one}")


QUOTE = [Tool('"', SCHEMAS["get_weather"]), Tool("now")]


@BY_NAME
def test_a_tool_that_is_named_like_a_quote(name):
    quoted = json.dumps('"')[1:-1] if FORMATS[name].body == "JSON object" else '"'
    text = EXAMPLES[name]["one"].replace("get_weather", quoted)
    _, trigger, body = split(name, text)
    if (f'"{quoted}"' in text and FORMATS[name].body != "JSON object") or FORMATS[name].values != "text":
        with pytest.raises(UnsupportedSchema, match="cannot be told"):
            body_automaton(FORMATS[name], QUOTE, trigger)
        return
    assert fullmatch(body_automaton(FORMATS[name], QUOTE, trigger), body)
    assert parse(FORMATS[name], text, QUOTE) == ("", [('"', {"city": "Paris"})])


@pytest.mark.parametrize(
    "name", [name for name in CONSTRAINED if FORMATS[name].parameter and FORMATS[name].values == "text"]
)
def test_no_part_of_a_closing_tag_inside_a_value_tells_mask_and_parser_apart(name):
    """A value may end in a part of what closes it, and the closing then follows."""
    row, one = FORMATS[name], EXAMPLES[name]["one"]
    closing = row.parameter.partition("{value}")[2]
    before, trigger, _ = split(name, one)
    for value in (
        text for size in range(len(closing) + 1) for text in (closing[:size], f"a{closing[:size]}b", closing[size:])
    ):
        for again in (value, value * 2):
            body = split(name, one)[2].replace("Paris", again)
            accepted = fullmatch(BODIES[name][trigger], body)
            _, calls = parse(row, before + trigger + body, TOOLS)
            assert accepted == (calls == [("get_weather", {"city": again})]), again


def _schema_error(name, parameters):
    with pytest.raises((InvalidSchema, UnsupportedSchema)) as raised:
        tools = read_tools([{"type": "function", "function": {"name": "f", "parameters": parameters}}])
        body_automaton(FORMATS[name], with_all_keywords(tools))
    return raised.value.pointer


def test_what_cannot_be_compiled_is_refused_with_the_pointer_into_the_request():
    below, at = "/tools/0/function/parameters", {"type": "object", "properties": {"a": None}}
    recursive = {"$ref": "#/$defs/n", "$defs": {"n": {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}}}}
    assert _schema_error("hermes", recursive).startswith(below)
    assert _schema_error("hermes", at | {"properties": {"a": {"type": "text"}}}) == f"{below}/properties/a/type"
    assert _schema_error("hermes", {"type": "string"}) == below
    both = at | {"properties": {"a": {"type": ["string", "null"]}}}
    assert _schema_error("qwen3_coder", both) == f"{below}/properties/a"
    flags = at | {"properties": {"a": {"type": "array", "items": {"type": "boolean"}}}}
    assert _schema_error("llama4_pythonic", flags) == f"{below}/properties/a"
    assert _schema_error("qwen3_coder", at | {"properties": {"a b": {"type": "string"}}}) == f"{below}/properties/a b"
    assert _schema_error("qwen3_coder", {"anyOf": [SCHEMAS["get_time"], SCHEMAS["get_weather"]]}) == below


@pytest.mark.parametrize("tools", [[{}], [{"type": "function"}], [{"type": "function", "function": {"name": 3}}], [3]])
def test_malformed_tools_are_refused(tools):
    with pytest.raises(InvalidSchema):
        read_tools(tools)
