"""Tool calls in the formats of seven model families.

``hermes``: JSON between two tags. ``mistral``: a special token, then an array. ``llama``: the JSON itself. ``qwen``
(Qwen3-Coder): XML, in which values are raw text. ``mistral_v11`` and ``llama_function_tag``: the name, then JSON with
the arguments alone. ``llama4_pythonic``: a list of Python calls.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

import regex

from labkit.small_model.tasks.forms import (
    COUNT,
    Example,
    Form,
    JsonForm,
    NamedForm,
    Schema,
    TextForm,
    WrappedForm,
    closed,
)
from labkit.small_model.tasks.records import written
from labkit.small_model.tasks.tools import TOOLS, PromptTool

STYLES = ("hermes", "mistral", "llama", "qwen", "mistral_v11", "llama_function_tag", "llama4_pythonic")
TOOL_CALLS = "[TOOL_CALLS]"
"""The special token that begins Mistral's calls."""

Call = tuple[str, dict[str, Any]]
"""A tool's name and its arguments."""


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
    return Example(f"call_{style}", prompt, render(style, [(chosen.name, arguments)]), call_form(style, offered))


def render(style: str, calls: Sequence[Call]) -> str:
    """Return the text of one or more calls.

    >>> for style in ("mistral", "mistral_v11", "llama", "llama4_pythonic"):
    ...     print(render(style, [("lamp", {"on": True}), ("time", {})]))
    [TOOL_CALLS] [{"name": "lamp", "arguments": {"on": true}}, {"name": "time", "arguments": {}}]
    [TOOL_CALLS]lamp{"on": true}[TOOL_CALLS]time{}
    {"name": "lamp", "parameters": {"on": true}}; {"name": "time", "parameters": {}}
    [lamp(on=true), time()]
    >>> render("llama_function_tag", [("lamp", {"on": True})])
    '<function=lamp>{"on": true}</function>'
    """
    if style == "mistral_v11":
        return "".join(f"{TOOL_CALLS}{name}{written(arguments)}" for name, arguments in calls)
    if style == "llama_function_tag":
        return "\n".join(f"<function={name}>{written(arguments)}</function>" for name, arguments in calls)
    if style == "llama4_pythonic":
        # The corpus has strings and whole numbers alone, which Python and JSON write alike.
        named = [(name, [f"{key}={written(value)}" for key, value in values.items()]) for name, values in calls]
        return "[" + ", ".join(f"{name}({', '.join(parts)})" for name, parts in named) + "]"
    if style == "qwen":
        inner = "<parameter={}>\n{}\n</parameter>\n"
        bodies = [(name, "".join(inner.format(*item) for item in values.items())) for name, values in calls]
        return "\n".join(f"<tool_call>\n<function={name}>\n{body}</function>\n</tool_call>" for name, body in bodies)
    objects = [written({"name": name, _arguments_key(style): arguments}) for name, arguments in calls]
    if style == "llama":
        return "; ".join(objects)
    if style == "mistral":
        return f"{TOOL_CALLS} [{', '.join(objects)}]"
    return "\n".join(f"<tool_call>\n{each}\n</tool_call>" for each in objects)


def call_form(style: str, offered: list[PromptTool]) -> Form:
    """Return the form of a call of one of the tools, whose name and arguments have to agree."""
    arguments = {tool.name: closed(tool.parameters) for tool in offered}
    if style == "mistral_v11":
        return NamedForm("", arguments, "", "", TOOL_CALLS)
    if style == "llama_function_tag":
        return NamedForm("<function=", arguments, ">", "</function>")
    if style == "llama4_pythonic":
        return TextForm(rf"\[({'|'.join(map(_python_pattern, offered))})\]")
    if style == "qwen":
        return TextForm(_xml_pattern(offered))
    key = _arguments_key(style)
    kinds = [closed({"name": {"const": tool.name}, key: closed(tool.parameters)}) for tool in offered]
    calls: Schema = {"anyOf": kinds}
    if style == "llama":
        return JsonForm(calls)
    if style == "mistral":
        return WrappedForm(" ", {"type": "array", "items": calls, "minItems": 1, "maxItems": 1}, "", TOOL_CALLS)
    return WrappedForm("<tool_call>\n", calls, "\n</tool_call>")


def _arguments_key(style: str) -> str:
    return "parameters" if style == "llama" else "arguments"


def _xml_pattern(offered: list[PromptTool]) -> str:
    functions = (
        f"<function={tool.name}>\n"
        + "".join(f"<parameter={key}>\n{_raw(schema)}\n</parameter>\n" for key, schema in tool.parameters.items())
        for tool in offered
    )
    return f"<tool_call>\n({'|'.join(functions)})</function>\n</tool_call>"


def _python_pattern(tool: PromptTool) -> str:
    free = r'([^"\\\n]|\\["\\nt])+'
    values = {key: _raw(schema, free) for key, schema in tool.parameters.items()}
    pairs = (f'{key}="{value}"' if tool.parameters[key] != COUNT else f"{key}={value}" for key, value in values.items())
    return rf"{tool.name}\({', '.join(pairs)}\)"


def _raw(schema: Schema, free: str = "[^<>\n]+") -> str:
    """Return the pattern of a value as raw text, which has no JSON quotes; ``free`` is that of a free string."""
    if "enum" in schema:
        return f"({'|'.join(map(regex.escape, schema['enum']))})"
    if schema["type"] == "integer":
        return "(0|[1-9][0-9]{0,3})"
    return f"({schema['pattern'].strip('^$')})" if "pattern" in schema else free
