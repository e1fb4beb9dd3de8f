"""Tools as a request names them, and which of them its ``tool_choice`` allows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from labkit.errors import InvalidSchema
from labs.lab_11_tool_calls.given.formats import Format
from labs.lab_11_tool_calls.given.values import Arguments

NO_PARAMETERS: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}


@dataclass(frozen=True)
class Tool:
    """A function that a model may call.

    Attributes:
        parameters: the JSON Schema of its arguments, an object.
        pointer: where the schema stands in the request.
        read: makes its ``arguments`` of the schema: by default those of lab 08's keywords.

    >>> Tool("now").parameters["type"]
    'object'
    """

    name: str
    parameters: dict[str, Any] = field(default_factory=lambda: NO_PARAMETERS)
    pointer: str = ""
    read: Callable[[dict[str, Any]], Arguments] = field(default=Arguments, compare=False, repr=False)

    @property
    def arguments(self) -> Arguments:
        """Its arguments, as automata.

        >>> len(Tool("now").arguments.as_object())
        24
        """
        return self.read(self.parameters)


def read_tools(tools: Sequence[Any], row: Format | None = None) -> tuple[Tool, ...]:
    """Return the tools of a request in the shape of OpenAI's API. A tool without parameters takes none.

    Args:
        row: the calls' format. If it writes arguments as one object, a tool with ``"strict": false`` takes any.

    Raises:
        InvalidSchema: if one is malformed, with the JSON pointer to it.

    >>> read_tools([{"type": "function", "function": {"name": "now"}}])[0].name
    'now'
    >>> read_tools([{"type": "function", "function": {"name": ""}}])
    Traceback (most recent call last):
    labkit.errors.InvalidSchema: a tool's name is a text of at least one character, at /tools/0/function/name
    """
    found: list[Tool] = []
    for place, tool in enumerate(tools):
        pointer = f"/tools/{place}"
        if not isinstance(tool, dict) or tool.get("type") != "function" or not isinstance(tool.get("function"), dict):
            raise InvalidSchema("a tool is an object of the type function, with a function", pointer)
        name, parameters = tool["function"].get("name"), tool["function"].get("parameters")
        if not isinstance(name, str) or not name:
            raise InvalidSchema("a tool's name is a text of at least one character", f"{pointer}/function/name")
        if name in {other.name for other in found}:
            raise InvalidSchema(f"two tools are named {name!r}", f"{pointer}/function/name")
        where = f"{pointer}/function/parameters"
        if parameters is not None and not isinstance(parameters, dict):
            raise InvalidSchema("a tool's parameters are a JSON Schema of an object", where)
        loose = tool["function"].get("strict") is False and row is not None and row.whole
        found.append(Tool(name, {"type": "object"} if loose else parameters or NO_PARAMETERS, where))
    return tuple(found)


def chosen_tools(tools: Sequence[Tool], tool_choice: Any = "auto") -> tuple[tuple[Tool, ...], bool]:
    """Return the tools that may be called, and whether one must be.

    Args:
        tool_choice: ``"auto"``, ``"none"``, ``"required"``, or OpenAI's object that names a function, or some tools.

    Raises:
        ValueError: if it is none of these, names no tool, or requires a call where there are no tools.

    >>> tools = (Tool("now"), Tool("stop"))
    >>> [(len(some), must) for some, must in (chosen_tools(tools, choice) for choice in ("auto", "none", "required"))]
    [(2, False), (0, False), (2, True)]
    >>> stop = {"type": "function", "function": {"name": "stop"}}
    >>> chosen_tools(tools, stop)[0][0].name
    'stop'
    >>> some = {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [stop]}}
    >>> [tool.name for tool in chosen_tools(tools, some)[0]], chosen_tools(tools, some)[1]
    (['stop'], False)
    """
    if tool_choice in ("auto", None):
        return tuple(tools), False
    if tool_choice == "none":
        return (), False
    if tool_choice == "required":
        if not tools:
            raise ValueError("tool_choice is required, and there are no tools")
        return tuple(tools), True
    try:
        among = tool_choice.get("allowed_tools", {"mode": "required", "tools": [tool_choice]})
        names, required = {each["function"]["name"] for each in among["tools"]}, among["mode"] == "required"
    except (AttributeError, TypeError, LookupError):
        known = "auto, none, required, a function or allowed_tools"
        raise ValueError(f"tool_choice is {known}, not {tool_choice!r:.80}") from None
    if missing := names - {tool.name for tool in tools}:
        raise ValueError(f"tool_choice names {min(missing)!r:.80}, and no tool has this name")
    return tuple(tool for tool in tools if tool.name in names), required
