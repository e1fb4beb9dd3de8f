"""The parser: a text in a format, taken apart into what is said and what is called.

What looks like a call and is none stays in the content. So a trigger in the content says that a call was malformed.
"""

import ast
import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from labkit.small_model.tasks.judging import parse as parse_json
from labs.lab_11_tool_calls.given.formats import FIXED, Format, pieces, stop_after
from labs.lab_11_tool_calls.given.tools import Tool

NAME = re.compile(r"[^\s<>{}()\[\]|:=,\x00-\x1f]+")
"""What may be a name where a format writes it without quotes. Control characters stand for special tokens."""


_ARGUMENTS = ("arguments", "parameters", "native")


class Call(NamedTuple):
    """A call that was parsed: the tool's name and its arguments by name.

    >>> Call("now", {"zone": "CET"}).name
    'now'
    """

    name: str
    arguments: dict[str, Any]


Read = tuple[Any, int]
"""What was read, and where it ends."""


def parse(row: Format, text: str, tools: Sequence[Tool] = ()) -> tuple[str, list[Call]]:
    """Return what an answer says beside its calls, and its calls.

    Args:
        tools: where a format writes all values as plain text, their schemas say which are strings.

    >>> from labs.lab_11_tool_calls.given.formats import FORMATS
    >>> parse(FORMATS["mistral_v13"], 'Wait.[TOOL_CALLS]now[ARGS]{"zone": "CET"}')
    ('Wait.', [Call(name='now', arguments={'zone': 'CET'})])
    >>> parse(FORMATS["mistral_v13"], "[TOOL_CALLS]now")
    ('[TOOL_CALLS]now', [])
    """
    text = row.begun + text
    reader = _CallReader(row, text, {tool.name: tool.parameters for tool in tools})
    said, calls, begin = [], [], 0
    longest = sorted(row.triggers, key=len, reverse=True)  # each place once, with the longest that fits
    for match in re.finditer("|".join(map(re.escape, longest)), text):
        start = match.start()
        if start >= begin and (read := reader.block(start if row.inside else match.end())):
            said.append(text[begin:start])
            begin = read[1]
            calls += read[0]
    first, *others = [*said, text[begin:]]
    return _content(row, [first.removeprefix(row.begun), *others]), calls


def _content(row: Format, said: list[str]) -> str:
    """Return what was said, without what belongs to the format: ``around``, ``repeat``, and white space alone."""
    for place in range(len(said) - 1):
        for before, after in row.around:
            if said[place].endswith(before) and said[place + 1].startswith(after):
                said[place] = said[place].removesuffix(before)
                said[place + 1] = said[place + 1].removeprefix(after)
    return "".join(part for part in said if part.strip() not in ("", (row.repeat or "").strip()))


class _CallReader:
    """Reads parts of one text; each method returns None if what it reads is not there."""

    def __init__(self, row: Format, text: str, tools: Mapping[str, dict[str, Any]]) -> None:
        self._row = row
        self._text = text
        self._tools = tools

    def block(self, at: int) -> tuple[list[Call], int] | None:
        """Read a block from after its trigger, or from the trigger on if it is a part of the calls."""
        row, calls = self._row, list[Call]()
        opened = self._read(row.opening, at)
        while opened and (read := self._call(opened[1])):
            calls.append(read[0])
            at = read[1]
            opened = self._read(row.between, at) if row.between is not None else None
        closed = self._read(row.closing, at) if calls else None
        return (calls, closed[1]) if closed else None

    def _call(self, at: int) -> tuple[Call, int] | None:
        for template in self._row.calls:
            if read := self._read(template, at):
                found, end = read
                if "object" in found:
                    return found["object"], end
                return Call(found["name"], *(found[each] for each in _ARGUMENTS if each in found)), end
        return None

    def _read(self, template: str, at: int) -> tuple[dict[str, Any], int] | None:
        """Read a template, and return what stands in its fields."""
        found: dict[str, Any] = {}
        parts = pieces(template)
        for place, (text, field) in enumerate(parts):
            if not self._text.startswith(text, at):
                return None
            at += len(text)
            if field:
                read = self._field(field, at, stop=stop_after(parts, place), found=found)
                if read is None:
                    return None
                found[field], at = read
        return found, at

    def _field(self, field: str, at: int, stop: str, found: dict[str, Any]) -> Read | None:
        match field:
            case "parameters":
                return self._parameters(at, self._tools.get(found["name"], {}))
            case "value":
                return self._value(at, stop)
            case "native":
                return self._shortest(at, r"\}", _gemma)
            case "arguments" | "object":
                read = self._json(at)
                if read is None or not isinstance(read[0], dict):
                    return None
                return read if field == "arguments" else self._object(*read)
        # The shortest name or key before what follows it, or the longest if nothing does.
        name = f"{NAME.pattern}?(?={re.escape(stop)})" if stop else NAME.pattern
        part = re.compile(FIXED.get(field, name)).match(self._text, at)
        return (part[0], part.end()) if part else None

    def _json(self, at: int) -> Read | None:
        try:
            _, end = json.JSONDecoder().raw_decode(self._text, at)
            return parse_json(self._text[at:end], unique=False), end
        except (ValueError, RecursionError):
            return None

    def _object(self, value: dict[str, Any], end: int) -> Read | None:
        key, *others = self._row.keys
        numbered = not self._row.number or re.fullmatch(FIXED["index"], str(value.pop(self._row.number, "")))
        named = self._row.id not in value or re.fullmatch(FIXED["id"], str(value.pop(self._row.id)))
        if not numbered or not named or len(value) != 2 or not isinstance(value.get(key), str):
            return None
        arguments = next((value[other] for other in others if other in value), None)
        return (Call(value[key], arguments), end) if isinstance(arguments, dict) else None

    def _parameters(self, at: int, schema: dict[str, Any]) -> Read | None:
        """Read parameters until none follows; a value is a string if its schema says so, or if it is no JSON."""
        found: dict[str, Any] = {}
        end = at
        while read := self._read(self._row.parameter, at):
            fields, end = read
            if fields["key"] in found:
                return None
            found[fields["key"]] = self._meant(fields, schema)
            if not self._text.startswith(self._row.separator, end):
                break
            at = end + len(self._row.separator)
        return found, end

    def _meant(self, fields: dict[str, Any], schema: dict[str, Any]) -> Any:
        value = fields["value"]
        if self._row.values != "text":
            return value
        if "string" in fields or "type" in fields:
            is_text = fields.get("string") == "true" or fields.get("type") == "string"
        else:
            is_text = _is_text(schema.get("properties", {}).get(fields["key"]), schema)
        if is_text:
            return value
        try:
            return parse_json(value, unique=False)
        except (ValueError, RecursionError):
            return value

    def _value(self, at: int, stop: str) -> Read | None:
        if self._row.values == "json":
            return self._json(at)
        if self._row.values == "python":
            return self._shortest(at, "(?=[,)])", lambda text: ast.literal_eval(text.strip(" ")))
        end = self._text.find(stop, at)
        return None if end < 0 else (self._text[at:end], end)

    def _shortest(self, at: int, ends: str, read: Callable[[str], Any]) -> Read | None:
        """Read the shortest text that can be read and ends where a pattern says."""
        for match in re.finditer(ends, self._text[at:]):
            with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
                return read(self._text[at : at + match.end()]), at + match.end()
        return None


def _gemma(text: str) -> Any:
    """Read Gemma's object: bare keys, strings between ``<|"|>``."""

    def quoted(part: re.Match[str]) -> str:
        return json.dumps(part[1] if part[2] is None else part[2])

    return parse_json(re.sub(r'<\|"\|>(.*?)<\|"\|>|([\w.-]+)(?=:)', quoted, text, flags=re.DOTALL))


def _is_text(schema: Any, root: dict[str, Any]) -> bool:
    """Return whether a parameter's schema asks for a string."""
    if not isinstance(schema, dict):
        return False
    if isinstance(reference := schema.get("$ref"), str):
        target: Any = root
        for part in reference.removeprefix("#").split("/")[1:]:
            target = target.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(target, dict) else None
        return reference.startswith("#") and target is not schema and _is_text(target, {})
    if "enum" in schema or "const" in schema:
        return all(isinstance(value, str) for value in schema.get("enum", [schema.get("const")]))
    return schema.get("type") == "string"
