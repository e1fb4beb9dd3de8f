"""Tools whose arguments nest without end: the mask lets them through, and the reader takes them apart."""

import json

import pytest

from labkit.errors import LimitExceeded, UnsupportedSchema
from labkit.vocabulary import Vocabulary
from labs.lab_11_tool_calls.given.formats import format_named
from labs.lab_11_tool_calls.given.tools import read_tools
from labs.lab_11_tool_calls.solution import ToolCallStream
from mask_engine import tool_outputs
from tests.walks import read

BYTES = Vocabulary(
    [*(bytes([byte]) for byte in range(256)), b"</s>", *(f"[S{n}]".encode() for n in range(9))], eos_id=256
)
LIST = {"type": "array", "items": {}}
TREE = {"type": "object", "properties": {"v": {"type": "integer"}, "l": {"$ref": "#"}, "r": {"$ref": "#"}}}
DEEP = {"a": [[[[[{"b": [{"c": "}</tool_call>["}]}]]]]], "n": 1}


def functions(**schemas):
    return [{"type": "function", "function": {"name": name, "parameters": each}} for name, each in schemas.items()]


def guide_for(name, tools, choice="auto"):
    return tool_outputs(BYTES, name).compile_tools(read_tools(tools), choice, True)


FORMS = {
    "hermes": ('<tool_call>\n{{"name": "keep", "arguments": {0}}}\n</tool_call>', {"type": "object"}, DEEP),
    "llama": ("<function=keep>{0}</function>", {"type": "object"}, DEEP),
    "mistral_bare": ("[TOOL_CALLS]keep{0}", TREE, {"v": 1, "l": {"l": {"l": {"r": {"v": -2}}}}, "r": {}}),
    "qwen3_coder": (
        "<tool_call>\n<function=keep>\n<parameter=x>\n{0}\n</parameter>\n</function>\n</tool_call>",
        {"type": "object", "properties": {"x": LIST}, "required": ["x"]},
        [[[[[[{"a": [{}, [None, "<b>"]]}]]]]]],
    ),
}


@pytest.mark.parametrize("name", FORMS)
def test_deep_arguments_are_allowed_and_read(name):
    """Free text, two calls: the guide knows where it is free, and the reader puts the arguments together."""
    template, schema, value = FORMS[name]
    call = template.format(json.dumps(value))
    tools = functions(keep=schema, now={"type": "object", "properties": {}, "additionalProperties": False})
    guide = guide_for(name, tools)
    states = read(guide, f"So {call}{call}")
    assert guide.is_free(states[3]) and not guide.is_free(states[len(call)]) and guide.is_free(states[-1])
    assert [guide.is_accepting(states[place]) for place in (3, len(call), -1)] == [True, False, True]
    for size in (1, 7, 1000):
        stream = ToolCallStream(format_named(name), read_tools(tools), guide.answer())
        text = f"So {call}{call} Done."
        for start in range(0, len(text), size):
            stream.feed(text[start : start + size])
        stream.finish()
        message, _ = stream.message()
        assert [json.loads(each["function"]["arguments"]) for each in message["tool_calls"]] == [
            value if name != "qwen3_coder" else {"x": value}
        ] * 2
        assert message["content"].split() == ["So", "Done."]


WRITTEN = {"keys twice": '{"a": 1, "a": {"b": [], "b": 2}}', "2,000 deep": '{"a": ' + "[" * 2000 + "]" * 2000 + "}"}


@pytest.mark.parametrize("arguments", WRITTEN.values(), ids=WRITTEN)
@pytest.mark.parametrize("name", ["hermes", "llama", "mistral_bare"])
def test_arguments_are_told_as_they_were_written(name, arguments):
    """JSON allows a key twice, so masks let it through, and lists that are too deep for Python's parser."""
    tools, call = functions(keep={"type": "object"}), FORMS[name][0].format(arguments)
    guide = guide_for(name, tools)
    for size in (50, 10_000):
        stream = ToolCallStream(format_named(name), read_tools(tools), guide.answer())
        for start in range(0, len(call), size):
            stream.feed(call[start : start + size])
        stream.finish()
        told = [each["function"] for each in stream.message()[0]["tool_calls"]]
        assert told == [{"name": "keep", "arguments": arguments}] and not stream.unread


def test_a_value_does_not_hold_the_text_that_ends_it():
    """The end of a parameter is searched for as text, so no string inside may contain it."""
    schema = {"type": "object", "properties": {"x": LIST}, "required": ["x"]}
    guide = guide_for("nemotron", functions(keep=schema))
    start = "<tool_call><function=keep><parameter=x>"
    assert not guide.is_free(read(guide, start)[-1])
    assert read(guide, start + '[["</paramete", "<"]]</parameter></function></tool_call>')
    assert read(guide, start + '[["</parameter>"]]') is None
    long = {"type": "object", "properties": {"x": {"type": "array", "items": {"minLength": 70_000}}}}
    with pytest.raises(LimitExceeded):
        guide_for("nemotron", functions(keep=long))


def test_a_list_of_lists_as_python_writes_it():
    """Lists nest without end in Python too, as long as no word in them is another one there."""
    lists = {"type": "array", "items": {"anyOf": [{"$ref": "#/properties/x"}, {"type": "string"}]}}
    guide = guide_for("llama4_pythonic", functions(keep={"type": "object", "properties": {"x": lists}}))
    assert guide.is_free(read(guide, 'So [keep(x=[[["a"], []], "b"])]')[-1])
    assert read(guide, "[keep(x=[[True]])]") is None
    with pytest.raises(UnsupportedSchema, match="true, false or null"):
        guide_for("llama4_pythonic", functions(keep={"type": "object", "properties": {"x": {"type": "array"}}}))


@pytest.mark.parametrize(("value", "is_right"), [('"3"', False), ("3", True), ("'ok'", True), ("'3'", False)])
def test_a_number_of_an_enum_is_no_string(value, is_right):
    guide = guide_for("lfm2", functions(keep={"type": "object", "properties": {"x": {"enum": ["ok", 3]}}}))
    call = f"<|tool_call_start|>[keep(x={value})]<|tool_call_end|>"
    assert bool(read(guide, call)) is is_right
