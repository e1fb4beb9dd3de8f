"""Where a text of tool calls breaks: which tool is meant, and which part of the tool set minds.

A call as JSON is walked twice with the same ``explain``: as an object with a tool's name and any arguments, and its
arguments by the schema of that tool. A text in one of lab 11's formats is walked through that lab's automaton.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import accumulate, product
from typing import Any, NamedTuple

from course.showcase.explain.places import Place, asked_by, place_after
from course.showcase.explain.report import Explanation, explain
from course.showcase.explain.tool_sets import ToolSet
from course.showcase.explain.walking import nearest_end, states_of
from course.showcase.json_reader import JsonReader
from labkit.errors import InvalidSchema, SchemaError
from labkit.reading import READINGS, Reading
from labkit.vocabulary import Vocabulary
from labs.lab_11_tool_calls.given.formats import Format, format_named, pieces
from labs.lab_11_tool_calls.given.parsing import NAME
from labs.lab_11_tool_calls.given.tools import Tool
from labs.lab_11_tool_calls.solution import ToolCallStream, argument_spans
from mask_engine import Guide, compile_guide, guide_of
from mask_engine.patterns.lazy import LazyDfa
from mask_engine.tool_calls.answers import TreeToolGuide, tool_tree

SHAPES = (("name", "arguments"), ("name", "parameters"), ("fn_name", "args"))
"""The keys of a call: its tool and its arguments. A ``prompt`` or an ``id`` may stand beside them, in any order."""

DEEPEST = 1_000
"""Arrays and objects in each other: each makes its own states, of which 90,000 would take a minute."""

LONGEST_NAME = 100
"""Characters of a wrong name that are compared with the tools' names."""


@dataclass(frozen=True)
class CallsExplained(Explanation):
    """What became of a text with calls.

    Attributes:
        calls: the tools that are called in what was read, the last of them where the text breaks or ends.
        tool: the tool whose arguments the place is in; None outside arguments.
        similar: the tool whose name is like the one that was refused.
    """

    calls: tuple[str, ...] = ()
    tool: str | None = None
    similar: str | None = None


_NAME_AT = re.compile(rb'"(?:fn_)?name"[ \t\r\n]*:[ \t\r\n]*(?="?[^"]*\Z)')
"""Before a tool's name in a text that breaks there."""

Asked = list[tuple[str, Any, bytes, int]]
"""What other engines may be asked: a name for it, a schema, the text that may break it, and where that begins."""


class _Call(NamedTuple):
    """A call in a text: its tool's name, and from where to where its arguments are, in bytes; None if not yet."""

    name: str | None = None
    start: int | None = None
    end: int | None = None


class JsonCalls:
    """Calls of a tool set as JSON: one, or a list.

    Args:
        reading: of the tools' schemas, ``form`` or ``validator``. Members may come in any order either way.
        is_open: whether arguments may come that a tool does not name.

    Raises:
        InvalidSchema, UnsupportedSchema, LimitExceeded: if a tool's schema cannot be compiled, with the JSON pointer
            in the file.
    """

    def __init__(self, tool_set: ToolSet, reading: str = "form", is_open: bool = False) -> None:
        self._set = tool_set
        self._tools = {tool.name: tool for tool in tool_set.tools}
        read = replace(READINGS[reading], order="any")
        read = replace(read, closed=False) if is_open else read
        self._guides = {name: self._compiled(tool, read) for name, tool in self._tools.items()}
        self._outer = _around(tuple(self._tools), SHAPES, "any", {"type": "object"})

    def _compiled(self, tool: Tool, reading: Reading) -> Guide:
        try:
            if "object" not in tool.parameters.get("type", "object"):
                raise InvalidSchema("a tool's parameters are a JSON Schema of an object", "/type")
            return compile_guide(Vocabulary.toy(), json_schema=tool.parameters, reading=reading)
        except SchemaError as error:
            raise type(error)(error.problem, self._set.in_file(tool.pointer + error.pointer)) from error

    def explain(self, content: bytes, deep: int = 2) -> tuple[CallsExplained, Asked]:
        """Say where a text breaks, and what other engines can be asked about it."""
        outer = explain(self._outer, content)
        read = content[: outer.at].decode("utf-8", "ignore")
        calls = _located(read)
        known, asked = list[str](), Asked()
        for call in calls:
            if call.name is None:
                continue
            known.append(call.name)
            if call.start is None:
                continue
            tool, text = self._tools[call.name], content[call.start : call.end]
            asked.append((f"the arguments of {call.name}", tool.parameters, _arguments(text), call.start))
            inner = explain(self._guides[call.name], text, tool.parameters)
            if inner.verdict == "refused" or call.end is None:
                at = call.start + inner.at
                place = str(place_after(content[:at].decode("utf-8", "ignore")))
                named = [(f"#{self._set.in_file(tool.pointer + each[1:])}", part) for each, part in inner.asked_by]
                found = CallsExplained(
                    content.decode("utf-8", "replace"), inner.verdict, at, "", inner.allowed, False, place, named, None
                )
                nearest = None
                if inner.nearest is not None:
                    is_named = _located(content[:at].decode("utf-8", "ignore"))[-1].name is not None
                    rest = b"" if is_named else content[call.end :]
                    nearest = self._nearest(content[:at], content[: call.start] + inner.nearest.encode(), rest, deep)
                return replace(found, nearest=nearest, calls=tuple(known), tool=call.name), asked[-1:]
        place = "the whole value" if outer.verdict == "whole" else str(place_after(read))
        nearest = (
            outer.text
            if outer.verdict == "whole"
            else self._nearest(content[: outer.at], content[: outer.at], b"", deep)
        )
        similar = None
        if outer.verdict == "refused" and (start := _NAME_AT.search(content[: outer.at])):
            similar = similar_name(content, outer.at, [*self._tools])
            name = re.findall(rb'\A(?:"[^"]*"?|[^,}\s]*)', content[start.end() :])[0]
            asked = [("the tool's name", {"enum": [*self._tools]}, name, start.end())]
        fields = vars(outer) | {"place": place, "nearest": nearest, "path": ""}
        return CallsExplained(**fields, calls=tuple(known), similar=similar), asked

    def _nearest(self, read: bytes, start: bytes, rest: bytes, deep: int) -> str | None:
        """Return the nearest whole text after what was read; None if there is none near.

        Args:
            start: with which it begins: what was read, and perhaps the end of the arguments.
            rest: what follows, if the tool's name is in there.
            deep: how often what was added may be mended: arguments that no tool takes.
        """
        end = (rest or self._end(start)) if deep else None
        if end is None:
            return None
        found, _ = self.explain(start + end, deep - 1)
        nearest = found.text if found.verdict == "whole" else found.nearest
        return nearest if nearest is not None and nearest.startswith(read.decode("utf-8", "ignore")) else None

    def _end(self, start: bytes) -> bytes | None:
        """Return the fewest bytes that close all that is open, by a schema that knows no arguments but ``{}``."""
        read = start.decode("utf-8", "ignore")
        for call in reversed(_located(read)):
            if call.start is not None:
                start = start[: call.start] + b"{}" + start[call.end or len(start) :]
        for shape, order in product(SHAPES, ("schema", "any")):
            guide = _around(tuple(self._tools), (shape,), order, {"const": {}})
            states = states_of(guide, start)
            if len(states) == len(start) + 1 and (end := nearest_end(guide, states[-1])) is not None:
                return end
        return None


def check_depth(content: bytes) -> None:
    """Refuse a text that nests too deep.

    Raises:
        ValueError: naming the limit.

    >>> check_depth(b"[" * 1001)
    Traceback (most recent call last):
    ValueError: the text nests deeper than 1,000 levels
    """
    marks = re.sub(rb'"(?:[^"\\]|\\.)*+"?|[^"{}\[\]]', b"", content, flags=re.DOTALL)
    if max(accumulate((1 if mark in b"{[" else -1 for mark in marks), initial=0)) > DEEPEST:
        raise ValueError(f"the text nests deeper than {DEEPEST:,} levels")


def _arguments(content: bytes) -> bytes:
    """Return the object with which a text begins; all of the text if it has no end.

    >>> _arguments(b'{"a": {}}, "b"')
    b'{"a": {}}'
    """
    text = content.decode("utf-8", "surrogateescape")
    end = next((end for _, end in argument_spans(text, 1)), len(text))
    return text[:end].encode("utf-8", "surrogateescape")


def _around(names: tuple[str, ...], shapes: tuple[tuple[str, str], ...], order: str, arguments: Any) -> Guide:
    """Return the guide of one call or a list of them, whose arguments are as a schema says.

    >>> _around(("now",), SHAPES, "any", {"type": "object"}).next_bytes(0)
    b'[{'
    """
    beside = {"prompt": {"type": "string"}, "id": {"type": "string"}}
    kinds = [
        {
            "type": "object",
            "properties": beside | {name: {"enum": [*names]}, key: arguments},
            "required": [name, key],
            "additionalProperties": False,
        }
        for name, key in shapes
    ]
    schema = {"anyOf": [*kinds, {"type": "array", "items": {"anyOf": kinds}}]}
    return compile_guide(Vocabulary.toy(), json_schema=schema, reading=Reading(closed=False, order=order))


def _located(text: str) -> list[_Call]:
    """Return the calls in the text of one call or of a list, as far as it was read.

    >>> _located('[{"name": "é", "arguments": {}}, {"arguments": {"a')
    [_Call(name='é', start=29, end=31), _Call(name=None, start=48, end=None)]
    """
    reader, calls, place = JsonReader(), dict[str, _Call](), 0
    of_list = text.lstrip(" \t\r\n").startswith("[")
    for char in text:
        for event in reader.feed(char):
            call, _, key = event["pointer"].rpartition("/")
            if call.count("/") != of_list or not event["pointer"]:
                continue
            known, size = calls.setdefault(call, _Call()), len(char.encode())
            if event["event"] == "end" and key in ("name", "fn_name"):
                calls[call] = known._replace(name=event["value"])
            elif event["event"] == "begin" and key in ("arguments", "parameters", "args"):
                calls[call] = known._replace(start=place)
            elif key in ("arguments", "parameters", "args"):
                calls[call] = known._replace(end=place + size)
        place += len(char.encode())
    return [*calls.values()]


def similar_name(content: bytes, at: int, names: Sequence[str]) -> str | None:
    """Return the name that is most like the word around a place.

    >>> similar_name(b'{"name": "get_wether"}', 14, ["get_time", "get_weather"])
    'get_weather'
    """
    before, rest = (part.decode("utf-8", "replace") for part in (content[:at], content[at:]))
    word = re.findall(r"[\w.-]*\Z", before[-LONGEST_NAME:])[0] + re.findall(r"\A[\w.-]*", rest[:LONGEST_NAME])[0]
    begun = [name for name in names if word and name.startswith(word)]
    return next(iter([*begun, *get_close_matches(word, names, 1, 0.3)]), None)


def explain_format(tool_set: ToolSet, name: str, content: bytes) -> tuple[CallsExplained, Asked]:
    """Say where an answer in one of lab 11's formats breaks, and what other engines can be asked about it.

    Raises:
        ValueError: if there is no such format, or if it has no automaton.
        InvalidSchema, UnsupportedSchema, LimitExceeded: if the tools have no automaton in this format, with the JSON
            pointer in the file.
    """
    row, tools = format_named(name), {tool.name: tool for tool in tool_set.tools}
    if not row.constrained:
        raise ValueError(f"the calls of {row.name} have no automaton: {row.why}")
    try:
        answers = tool_tree(row, tool_set.tools, "auto", spelled={})
    except SchemaError as error:
        raise type(error)(error.problem, tool_set.in_file(error.pointer)) from error
    guide = guide_of(Vocabulary.toy(), LazyDfa(answers.whole))
    found = explain(guide, content)
    stream = ToolCallStream(row, tool_set.tools, TreeToolGuide(guide, answers).answer())
    stream.feed(content[: found.at].decode("utf-8", "ignore"))
    calls = [each["function"] for each in stream.message()[0].get("tool_calls", ())]
    more: dict[str, Any] = {"calls": tuple(each["name"] for each in calls)}
    asked = Asked()
    is_within = not guide.is_accepting(states_of(guide, content[: found.at])[-1]) and not stream.is_whole
    within = _within(row, [*tools], content[: found.at].decode("utf-8", "ignore"), calls) if is_within else None
    if within is not None:
        called, place, begun = within
        tool = tools[called]
        parts = asked_by(tool.parameters, place.steps)
        where = [(f"#{tool_set.in_file(tool.pointer + at[1:])}", part) for at, part in parts]
        more = {"tool": called, "place": str(place), "asked_by": where, "calls": more["calls"]}
        if begun is None:
            more["calls"] += (called,)
        else:
            asked = [(f"the arguments of {called}", tool.parameters, _arguments(content[begun:]), begun)]
    elif found.verdict == "refused":
        more["similar"] = similar_name(content, found.at, [*tools])
    return CallsExplained(**vars(found) | more), asked


def _within(row: Format, names: Sequence[str], read: str, calls: list[Any]) -> tuple[str, Place, int | None] | None:
    """Return the tool in whose arguments a text ends, the place in them, and at which byte they begin, if as JSON.

    Args:
        calls: those whose names are known so far, the last with what is read of its arguments.
    """
    if row.whole:
        if not calls:
            return None
        arguments = calls[-1]["arguments"]
        place = place_after(arguments)
        if arguments and place == Place((), is_key=False):  # they are complete
            return None
        return calls[-1]["name"], place, len(read[: read.rfind(arguments)].encode())
    ends = {
        pieces(call)[place + 1][0] for call in row.calls for place, part in enumerate(pieces(call)) if part[1] == "name"
    }
    found = max((read.rfind(name + end), len(name), name) for name in names for end in ends)
    if found[0] < 0:
        return None
    (before, _), (after, _), *_ = pieces(row.parameter) if row.parameter else (("", ""), ("", ""))
    keys = re.findall(f"{re.escape(before)}({NAME.pattern}?){re.escape(after)}", read[found[0] + found[1] :])
    return found[2], Place(tuple(keys[-1:]) if after else (), False), None


def said(report: CallsExplained) -> str:
    """Return which tool is meant, or which are called, as a sentence; empty where nothing is known.

    >>> said(CallsExplained("", "whole", 0, "", [], True, None, [], None, calls=("now", "now")))
    '2 calls: now, now.'
    """
    count = len(report.calls)
    if report.tool is not None:
        return f"The tool is {report.tool}, in call {count} of this text."
    if report.verdict == "refused" and report.similar is not None:
        return f"The tool with the most similar name is {report.similar}."
    if count:
        return f"{count} call{'s' * (count > 1)}: {', '.join(report.calls)}."
    return "There's no call in it." if report.verdict == "whole" else ""
