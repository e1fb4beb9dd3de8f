"""What the lab gives beside the student's functions: where arguments are, and which requests share a guide."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.checking.properties import PROPERTY
from labs.lab_11_tool_calls.given.formats import format_named
from labs.lab_11_tool_calls.given.tools import Tool
from labs.lab_11_tool_calls.solution import ToolCallStream, argument_spans, build_trie, tool_automaton, tool_set_key

# Arguments while they're written ----------------------------------------------------------------------

SPANS = [
    *(("now{}", 1, [(3, 5)]), ('f{"a', 1, [(1, 4)]), ("f{", 1, [(1, 2)]), ("f", 1, []), ('}{"a": 1}', 1, [(1, 9)])),
    ('{"name": "f", "arguments": {"a": {"b": {}}}}', 2, [(27, 43)]),
    ('[{"name": "f", "arguments": {}}, {"name": "g", "arguments": {"a": 1}}]', 2, [(28, 30), (60, 68)]),
    *(('f{"a": " {"}g{"b": "}"}', 1, [(1, 12), (13, 23)]), (r'f{"a": "\"}"}', 1, [(1, 13)])),
    *((r'f{"a": "\\"}x', 1, [(1, 12)]), (r'f{"a": "\\\"}"}', 1, [(1, 15)]), ('"{"a": 1}', 1, [(1, 9)])),
    *((r'f\{"a": 1}', 1, [(2, 10)]), ('{"name": "{", "arguments"', 2, []), ("", 1, [])),
    ('}}{"a": {}}}{', 2, [(8, 10)]),
]


@pytest.mark.parametrize(("text", "depth", "expected"), SPANS)
def test_only_braces_that_count_are_counted(text, depth, expected):
    assert argument_spans(text, depth) == expected


VALUES = st.recursive(
    st.text('a"\\{}[]', max_size=4) | st.integers(0, 9) | st.none(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text('b"\\{', max_size=2), inner, max_size=2),
    max_leaves=5,
)
OBJECTS = st.dictionaries(st.text('c"}', max_size=2), VALUES, max_size=3)


@given(st.lists(OBJECTS, min_size=1, max_size=3), st.booleans())
@settings(PROPERTY, max_examples=40)
def test_objects_are_found_as_json_wrote_them(values, nested):
    first, last = ('{"name": "f{", "arguments": ', "}") if nested else ('f"', "")
    text = ", ".join(f"{first}{json.dumps(value)}{last}" for value in values)
    spans = argument_spans(text, 1 + nested)
    assert [text[start:end] for start, end in spans] == [*map(json.dumps, values)]
    for cut in range(len(text)):
        expected = [(start, min(end, cut)) for start, end in spans if start < cut]
        assert argument_spans(text[:cut], 1 + nested) == expected


def test_arguments_are_streamed_as_they_come():
    row, tools = format_named("hermes"), [Tool("now", {"type": "object", "properties": {"city": {"type": "string"}}})]
    stream = ToolCallStream(row, tools, tool_automaton(row, tools))
    pieces = ["<tool_", 'call>{"name": "now"', ', "arguments": {"ci', 'ty": "Ro', 'me"}', "}</tool_call>"]
    told = ["".join(delta["function"]["arguments"] for delta in stream.feed(piece)[1]) for piece in pieces]
    assert told == ["", "", '{"ci', 'ty": "Ro', 'me"}', ""]


# Which requests share a guide -------------------------------------------------------------------------

CITY = {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]}
SWAPPED = CITY | {"properties": {"days": {"type": "integer"}, "city": {"type": "string"}}}
ZONE = {"type": "object", "properties": {"zone": {"type": "string"}}}


def key(*pairs, row="hermes", more=()):
    """The key of some tools; the place of each is its pointer."""
    return tool_set_key(row, [Tool(name, schema, f"/{place}") for place, (name, schema) in enumerate(pairs)], *more)


def test_the_order_of_tools_and_the_spelling_of_the_choice_do_not_count():
    f, g = ("f", CITY), ("g", ZONE)
    both = {"mode": "auto", "tools": [{"function": {"name": name}} for name in "gf"]}
    choices = [(), (None,), ("auto", True, ""), ({"type": "allowed_tools", "allowed_tools": both},)]
    assert len({key(f, g), key(g, f), *(key(f, g, more=choice) for choice in choices)}) == 1 and len(key(f, g)) == 64


def test_all_that_masks_depend_on_counts():
    f, g = ("f", CITY), ("g", ZONE)
    choices = ["required", "none", *({"type": "function", "function": {"name": name}} for name in "fg")]
    sets = [(f, g), (("h", CITY), g), (("f", ZONE), ("g", CITY)), (("f", SWAPPED), g), (("fg", CITY), ("", ZONE)), (f,)]
    keys = [key(*pairs) for pairs in [*sets, (("f", CITY | {"required": []}), g)]]
    keys += [key(f, g, more=more) for more in [*zip(choices), ("auto", False), ("auto", True, "v")]]
    keys += [key(f, g, row="mistral"), key(f, more=choices[2:3])]
    assert len({*keys}) == len(keys) == 15


@pytest.mark.parametrize("choice", ["perhaps", {"type": "function", "function": {"name": "x"}}, {}, 7])
def test_a_choice_that_fits_no_tool_is_refused(choice):
    with pytest.raises(ValueError, match="tool"):
        key(("f", CITY), more=(choice,))


def test_an_empty_trigger_is_refused():
    with pytest.raises(ValueError, match="at least one character"):
        build_trie(["a", ""])
