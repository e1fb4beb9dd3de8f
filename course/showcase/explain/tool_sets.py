"""A file of tools: OpenAI's shape, or the shorter "function definitions" in which a parameter is a name and a type."""

from dataclasses import dataclass
from typing import Any

from labkit.errors import InvalidSchema
from labs.lab_08_json_schema.given.pointers import below
from labs.lab_11_tool_calls.given.tools import Tool, read_tools

_PYTHON = {"float": "number", "int": "integer", "str": "string", "bool": "boolean"}
"""Python's names of types, which some files of function definitions use."""


@dataclass(frozen=True)
class ToolSet:
    """The tools of a file.

    Attributes:
        moved: for pointers into a request in OpenAI's shape, where that is in the file.
    """

    tools: tuple[Tool, ...]
    moved: dict[str, str]

    def in_file(self, pointer: str) -> str:
        """Return where something that is in a request in OpenAI's shape is in the file.

        >>> read_tool_set([{"name": "now", "parameters": {"zone": {"type": "string"}}}]).in_file(
        ...     "/tools/0/function/parameters/properties/zone/type"
        ... )
        '/0/parameters/zone/type'
        """
        return _moved(pointer, self.moved)


def read_tool_set(value: Any) -> ToolSet:
    """Return the tools of a file: a list, or an object with such a list as ``tools``.

    In a function definition each parameter is required. Its ``parameters`` may also be a JSON Schema with the type
    ``object``; ``fn_name`` and ``args_types`` are other words for ``name`` and ``parameters``.

    Raises:
        InvalidSchema: if one is malformed, with the JSON pointer to it in the file.

    >>> read_tool_set([{"fn_name": "add", "args_types": {"a": "float"}}]).tools[0].parameters["properties"]
    {'a': {'type': 'number'}}
    >>> read_tool_set([{"parameters": {}}])
    Traceback (most recent call last):
    labkit.errors.InvalidSchema: a tool's name is a text of at least one character, at /0/name
    """
    root, definitions = ("/tools", value["tools"]) if isinstance(value, dict) and "tools" in value else ("", value)
    if not isinstance(definitions, list) or not definitions:
        raise InvalidSchema("a tool set is a list of one tool or more, or an object with such a list as tools", root)
    moved = {"": ""}
    request = [_requested(each, f"/tools/{n}", below(root, n), moved) for n, each in enumerate(definitions)]
    try:
        return ToolSet(read_tools(request), moved)
    except InvalidSchema as error:
        raise InvalidSchema(error.problem, _moved(error.pointer, moved)) from None


def _moved(pointer: str, moved: dict[str, str]) -> str:
    known = pointer
    while known not in moved:
        known = known.rpartition("/")[0]
    return moved[known] + pointer.removeprefix(known)


def _requested(definition: Any, there: str, here: str, moved: dict[str, str]) -> Any:
    """Return a definition in the shape of a request, and note what is where in the file."""
    moved[there] = moved[f"{there}/function"] = here
    if not isinstance(definition, dict):
        return definition
    if "function" in definition:
        moved[f"{there}/function"] = f"{here}/function"
        return definition
    name, arguments = (
        next((key for key in keys if key in definition), keys[0])
        for keys in (("name", "fn_name"), ("parameters", "args_types"))
    )
    moved[f"{there}/function/name"] = f"{here}/{name}"
    moved[f"{there}/function/parameters"] = f"{here}/{arguments}"
    parameters = definition.get(arguments)
    if isinstance(parameters, dict) and parameters and parameters.get("type") != "object":
        moved[f"{there}/function/parameters/properties"] = f"{here}/{arguments}"
        properties = {key: _typed(each) for key, each in parameters.items()}
        parameters = {"type": "object", "properties": properties, "required": [*properties]}
    return {"type": "function", "function": {"name": definition.get(name), "parameters": parameters}}


def _typed(parameter: Any) -> Any:
    """Return the schema of a parameter; where it is only the name of a type, the schema of that type."""
    if isinstance(parameter, str):
        return {"type": _PYTHON.get(parameter, parameter)}
    if isinstance(parameter, dict) and isinstance(parameter.get("type"), str):
        return parameter | {"type": _PYTHON.get(parameter["type"], parameter["type"])}
    return parameter
