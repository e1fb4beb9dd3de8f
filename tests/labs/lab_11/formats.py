"""The formats' examples as plain data, the tools that they call, and two oracles: json and jsonschema."""

import tomllib
from pathlib import Path

import jsonschema

from labs.lab_11_tool_calls.given.formats import FORMATS
from labs.lab_11_tool_calls.given.parsing import parse
from labs.lab_11_tool_calls.given.tools import read_tools

EXAMPLES = tomllib.loads(Path(__file__).with_name("examples.toml").read_text(encoding="utf-8"))
PARALLEL = [name for name in FORMATS if FORMATS[name].parallel]

WEATHER = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TIME = {
    "type": "object",
    "properties": {"tz": {"type": "string"}, "hours": {"type": "integer"}},
    "required": ["tz"],
    "additionalProperties": False,
}
SCHEMAS = {"get_weather": WEATHER | {"additionalProperties": False}, "get_time": TIME}
TOOLS = read_tools(
    [{"type": "function", "function": {"name": name, "parameters": schema}} for name, schema in SCHEMAS.items()]
)
ONE = [("get_weather", {"city": "Paris"})]


def split(name, text):
    """Return what stands before a text's first trigger, the trigger, and the rest."""
    found = [(text.find(trigger), -len(trigger), trigger) for trigger in FORMATS[name].triggers if trigger in text]
    place, _, trigger = min(found)
    return text[:place], trigger, text[place + len(trigger) :]


def is_right(name, text, tools=TOOLS, schemas=SCHEMAS):
    """Return whether a text is calls alone, and each is a known tool's with arguments that its schema allows."""
    content, calls = parse(FORMATS[name], text, tools)
    return (
        content == ""
        and bool(calls)
        and all(call.name in schemas for call in calls)
        and all(jsonschema.Draft202012Validator(schemas[call.name]).is_valid(call.arguments) for call in calls)
    )
