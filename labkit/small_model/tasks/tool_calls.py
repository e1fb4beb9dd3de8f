"""Tool calls in the formats of four model families.

Hermes: JSON between two tags. Mistral: a special token, then an array. Llama: the JSON itself. Qwen3-Coder: XML, in
which values are raw text.
"""

from random import Random
from typing import Any

import regex

from labkit.small_model.tasks.forms import Example, Form, JsonForm, Schema, TextForm, WrappedForm, closed
from labkit.small_model.tasks.records import written
from labkit.small_model.tasks.tools import TOOLS, Tool

STYLES = ("hermes", "mistral", "llama", "qwen")
TOOL_CALLS = "[TOOL_CALLS]"
"""The special token that begins Mistral's calls."""


def tool_call(rng: Random, style: str | None = None, least: int = 1, most: int = 4) -> Example:
    """Draw a request, with ``least`` to ``most`` tools at hand, and the call that it asks for.

    >>> print(tool_call(Random(0), "hermes").answer)
    <tool_call>
    {"name": "translate", "arguments": {"text": "rope and mirror", "language": "Hindi"}}
    </tool_call>
    """
    style = style or rng.choice(STYLES)
    offered = rng.sample(list(TOOLS.values()), rng.randint(least, most))
    said, arguments = (chosen := rng.choice(offered)).draw(rng)
    tools = "\n".join(tool.signature() for tool in offered)
    prompt = f"Tools:\n{tools}\nStyle: {style}\n{said}"
    return Example(f"call_{style}", prompt, render(style, chosen.name, arguments), call_form(style, offered))


def render(style: str, name: str, arguments: dict[str, Any]) -> str:
    """Return the text of one call.

    >>> render("mistral", "f", {"x": 1})
    '[TOOL_CALLS] [{"name": "f", "arguments": {"x": 1}}]'
    >>> render("llama", "f", {"x": 1})
    '{"name": "f", "parameters": {"x": 1}}'
    """
    if style == "qwen":
        inner = "".join(f"<parameter={key}>\n{value}\n</parameter>\n" for key, value in arguments.items())
        return f"<tool_call>\n<function={name}>\n{inner}</function>\n</tool_call>"
    call = written({"name": name, _arguments_key(style): arguments})
    return {"hermes": f"<tool_call>\n{call}\n</tool_call>", "mistral": f"{TOOL_CALLS} [{call}]", "llama": call}[style]


def call_form(style: str, offered: list[Tool]) -> Form:
    """Return the form of a call of one of the tools, whose name and arguments have to agree."""
    if style == "qwen":
        return TextForm(_xml_pattern(offered))
    calls: Schema = {"anyOf": [_call_schema(tool, _arguments_key(style)) for tool in offered]}
    if style == "llama":
        return JsonForm(calls)
    if style == "mistral":
        return WrappedForm(" ", {"type": "array", "items": calls, "minItems": 1, "maxItems": 1}, "", TOOL_CALLS)
    return WrappedForm("<tool_call>\n", calls, "\n</tool_call>")


def _arguments_key(style: str) -> str:
    return "parameters" if style == "llama" else "arguments"


def _call_schema(tool: Tool, arguments: str) -> Schema:
    return closed({"name": {"const": tool.name}, arguments: closed(tool.parameters)})


def _xml_pattern(offered: list[Tool]) -> str:
    functions = (
        f"<function={tool.name}>\n"
        + "".join(f"<parameter={key}>\n{_raw(schema)}\n</parameter>\n" for key, schema in tool.parameters.items())
        for tool in offered
    )
    return f"<tool_call>\n({'|'.join(functions)})</function>\n</tool_call>"


def _raw(schema: Schema) -> str:
    """Return the pattern of a value as raw text, which has no JSON quotes."""
    if "enum" in schema:
        return f"({'|'.join(map(regex.escape, schema['enum']))})"
    if schema["type"] == "integer":
        return "(0|[1-9][0-9]{0,3})"
    return f"({schema['pattern'].strip('^$')})" if "pattern" in schema else "[^<>\n]+"
