"""The parser reads each format: one call, two, text around them, and what is no call."""

import pytest

from course.student.core.catalog import ROOT
from labs.lab_11_tool_calls.ab import is_malformed
from labs.lab_11_tool_calls.given.formats import FORMATS, format_named
from labs.lab_11_tool_calls.given.parsing import parse
from tests.labs.lab_11.formats import EXAMPLES, ONE, TOOLS, split

BY_NAME = pytest.mark.parametrize("name", FORMATS)


def test_every_format_has_its_examples_and_no_name_means_two():
    assert set(EXAMPLES) == set(FORMATS)
    assert all(("two" in EXAMPLES[name]) == FORMATS[name].parallel for name in FORMATS)
    names = [name for row in FORMATS.values() for name in (row.name, *row.aliases)]
    assert len(names) == len(set(names)) and all(
        name in (format_named(name).name, *format_named(name).aliases) for name in names
    )


def test_the_readmes_count_the_formats():
    lab = (ROOT / "labs/lab_11_tool_calls/README.md").read_text(encoding="utf-8")
    assert f"in {len(FORMATS)} formats" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"All {len(FORMATS)} formats are rows of one table" in lab


@BY_NAME
def test_text_before_and_after(name):
    text = f"Let me see: 2 < 3.\n{EXAMPLES[name]['one']}\nThat is all, {{really}}."
    assert parse(FORMATS[name], text, TOOLS) == ("Let me see: 2 < 3.\n\nThat is all, {really}.", ONE)


@BY_NAME
def test_a_text_without_a_call_is_content_as_it_is(name):
    for text in ("", " ", "No <tool> needed: [1, 2] and {3}.", "trigger\n"):
        content, calls = parse(FORMATS[name], text, TOOLS)
        assert calls == [] and content == (text if text.strip() else "")


@BY_NAME
def test_a_call_cut_short_stays_in_the_content(name):
    """Wherever it is cut: no call is read before its end, and its trigger stays to be seen."""
    row, (before, trigger, body) = FORMATS[name], split(name, EXAMPLES[name]["one"])
    for end in range(len(body)):
        cut = before + trigger + body[:end]
        content, calls = parse(row, cut, TOOLS)
        assert calls == [] and content == cut and is_malformed(row, content)


@BY_NAME
def test_a_broken_call_does_not_hide_the_one_after_it(name):
    _, trigger, _ = split(name, EXAMPLES[name]["one"])
    content, calls = parse(FORMATS[name], f"{trigger} oops\n{EXAMPLES[name]['one']}", TOOLS)
    assert calls == ONE and is_malformed(FORMATS[name], content)


def test_values_as_text_are_strings_where_the_schema_says_so():
    text = EXAMPLES["qwen3_coder"]["two"].replace("CET", "2").replace("Paris", '"Paris"')
    assert parse(FORMATS["qwen3_coder"], text, TOOLS)[1] == [
        ("get_weather", {"city": '"Paris"'}),
        ("get_time", {"tz": "2", "hours": 2}),
    ]
    unknown = EXAMPLES["qwen3_coder"]["one"].replace("get_weather", "f")
    assert parse(FORMATS["qwen3_coder"], unknown, TOOLS)[1] == [("f", {"city": "Paris"})]


def test_what_surrounds_a_block_is_no_content():
    one = EXAMPLES["xlam"]["one"]
    assert parse(FORMATS["xlam"], f"```json\n{one}\n```") == ("", ONE)
    assert parse(FORMATS["xlam"], f"<think>x</think>{one}") == ("<think>x", ONE)
    k3 = f"So.<|close|>response<|sep|>{EXAMPLES['kimi_k3']['one']}<|close|>message<|sep|>"
    assert parse(FORMATS["kimi_k3"], k3, TOOLS) == ("So.", ONE)
    harmony = 'Well.<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"x": 1}<|call|>'
    assert parse(FORMATS["harmony"], harmony) == ("Well.", [("f", {"x": 1})])


def test_the_prompt_has_begun_the_first_message():
    """The recipient may be the answer's first words, as it may follow a message that the model begins by itself."""
    header = "to=functions.f<|channel|>commentary json<|message|>{}<|call|>"
    assert parse(FORMATS["harmony"], f" {header}") == ("", [("f", {})])
    assert parse(FORMATS["harmony"], f"Hm, {header}") == (f"Hm, {header}", [])
    assert parse(FORMATS["functionary"], "f\n<|content|>{}") == ("", [("f", {})])
    assert parse(FORMATS["functionary"], "all\n<|content|>Hm.") == ("all\n<|content|>Hm.", [])


def test_python_and_gemma_write_values_of_all_types():
    calls = '[f(a=[1, -2.5e3], b={"k": True}, c="a, b)]", d=None, e=\'x\')]'
    assert parse(FORMATS["llama4_pythonic"], calls)[1] == [
        ("f", {"a": [1, -2500.0], "b": {"k": True}, "c": "a, b)]", "d": None, "e": "x"})
    ]
    native = '<|tool_call>call:f{a:[1,{b:<|"|>x:"}{<|"|>}],c:true,d:{}}<tool_call|>'
    assert parse(FORMATS["gemma4"], native)[1] == [("f", {"a": [1, {"b": 'x:"}{'}], "c": True, "d": {}})]


@pytest.mark.parametrize("value", ['{"city": NaN}', "[]", '"Paris"', "{'city': 'Paris'}", '{"city": "a\nb"}'])
def test_json_is_read_strictly(value):
    """But a key may be there twice: masks allow it where the schema doesn't mention it (``test_deep_arguments.py``)."""
    assert parse(FORMATS["mistral_bare"], f"[TOOL_CALLS]get_weather{value}")[1] == []


@pytest.mark.parametrize("name", [name for name in FORMATS if FORMATS[name].body in ("JSON object", "name, then JSON")])
def test_a_trigger_in_a_string_is_text(name):
    row = FORMATS[name]
    city = row.triggers[0].replace('"', "'").replace("\n", " ") + " x"
    text = EXAMPLES[name]["one"].replace("Paris", city)
    assert parse(row, text, TOOLS) == ("", [("get_weather", {"city": city})])
