"""Where the calls of a format begin, and which automata read them: the openings that ``merge_openings`` gets.

Some triggers are *certain*: they open a call all by themselves. Others also occur in plain text, such as ``[``. Such a
trigger opens a call only together with a tool's name: ``[get_weather(``.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from labkit.automata.dfa import DEAD, Dfa
from labs.lab_06_regex_to_dfa.solution import compile_dfa, minimize_dfa
from labs.lab_08_json_schema.solution import all_of, any_of, complement
from labs.lab_11_tool_calls.given.formats import Format, pieces
from labs.lab_11_tool_calls.given.grammars import body_automaton, spell
from labs.lab_11_tool_calls.given.joining import walk
from labs.lab_11_tool_calls.given.markers import Markers, literally
from labs.lab_11_tool_calls.given.tools import Tool

Body = tuple[Dfa, int]
"""The automaton that reads what follows an opening, and the state in which to enter it."""

Opening = tuple[str, Body | None]
"""A text, and the body that follows it; None if the text mustn't open a call."""


def spelled_out(row: Format, spelled: Mapping[str, str]) -> Format:
    """Return a format with each special text replaced by the character that stands for it in a vocabulary.

    >>> from labs.lab_11_tool_calls.given.formats import FORMATS
    >>> spelled_out(FORMATS["mistral_v13"], {"[TOOL_CALLS]": "\\x01"}).triggers
    ('\\x01',)
    """

    def written(value: object) -> object:
        if isinstance(value, tuple):
            return tuple(map(written, value))
        return spell(value, spelled) if isinstance(value, str) else value

    columns: Any = {column: written(value) for column, value in vars(row).items()}
    return Format(**columns)


def openings_of(
    row: Format,
    tools: Sequence[Tool],
    allowed: Collection[str],
    *,
    parallel: bool = True,
    spelled: Mapping[str, str] | None = None,
) -> list[Opening]:
    """Return the openings of a format's calls. Special tokens that open nothing are among them, with None.

    In free text, a stray special token of the format would look like a part of a call. So none may be written there,
    except as the start of an opening. (Formats in which every message has a header are different.)

    Args:
        tools: all of the request.
        allowed: the names of those that may be called.
        parallel, spelled: see ``body_automaton``.

    >>> from labs.lab_11_tool_calls.given.formats import FORMATS
    >>> [text for text, _ in openings_of(FORMATS["llama4_pythonic"], [Tool("now")], ["now"])]
    ['[now(']
    >>> openings_of(FORMATS["hermes"], [Tool("now")], [])
    [('<tool_call>', None)]
    >>> openings_of(FORMATS["hermes"], [Tool("now")], [], spelled={"<tool_call>": "§", "</tool_call>": "¶"})
    [('§', None), ('§', None), ('¶', None)]
    """
    some = [tool for tool in tools if tool.name in allowed]
    out = spelled_out(row, spelled or {})
    found: list[Opening] = []
    for trigger, written in zip(row.triggers, out.triggers, strict=True):
        # Some formats put something around a block. What comes before it is held back together with the trigger.
        around = [("", ""), *(pair for pair in row.around if pair[0] and not trigger.startswith(pair[0]))]
        around += [(row.repeat, "")] if row.ends_turn and row.repeat else []
        ends = {last: replace(row, closing=row.closing + last) for _, last in around}
        bodies = {last: _body(each, some, trigger, parallel, spelled or {}) for last, each in ends.items() if some}
        for first, last in around:
            start, body = spell(first, spelled or {}) + written, bodies.get(last)
            if row.certain:
                found.append((start, (body, body.initial) if body else None))
                continue
            for tool in tools:
                for head in _heads(out, tool):
                    state = walk(body, head) if body and tool.name in allowed else DEAD
                    if state != DEAD or body is None or tool.name not in allowed:
                        found.append((start + head, (body, state) if body and state != DEAD else None))
    found += [(text, None) for text in out.forbidden]
    return found if row.headers else found + _alone([text for text, _ in found], (spelled or {}).values())


def _alone(texts: Sequence[str], chars: Collection[str]) -> list[Opening]:
    """Return the texts that open nothing by themselves: the special characters, and what leads up to one in an opening.

    >>> _alone(["<§calls>"], ["§"])
    [('<§', None), ('§', None)]
    """
    places = [min((text.find(char) for char in chars if char in text), default=-1) for text in texts]
    led = [text[: place + 1] for text, place in zip(texts, places, strict=True) if place > 0]
    return [(text, None) for text in [*dict.fromkeys(led), *chars]]


def _body(row: Format, tools: Sequence[Tool], trigger: str, parallel: bool, spelled: Mapping[str, str]) -> Dfa:
    body = body_automaton(row, tools, trigger, parallel=parallel, spelled=spelled)
    if body is not None:
        return body
    # We have no automaton for these calls, so a call is any text up to the first closing. The parser reads it.
    closing = literally(spelled_out(row, spelled).closing)
    return all_of([compile_dfa(f"(?s:.)*{closing}"), complement(compile_dfa(f"(?s:.)*{closing}(?s:.)+"))])


def _heads(row: Format, tool: Tool) -> Iterator[str]:
    """Yield the texts after a trigger that make it a call of this tool: its name, and whatever ends the name."""
    for call in row.calls:
        parts, trigger = pieces(call), row.triggers[0] if row.inside else ""
        if "object" in (field for _, field in parts):
            for colon in (": ", ":"):
                head = f'{{"{row.keys[0]}"{colon}{json.dumps(tool.name, ensure_ascii=False)}'
                whole = head if head.startswith(trigger) else row.opening.replace("{ws}", "") + head
                if whole.startswith(trigger):
                    yield whole.removeprefix(trigger)
        else:
            place = next(place for place, (_, field) in enumerate(parts) if field == "name")
            before = row.opening.removeprefix(trigger) + parts[0][0]
            yield before * (place == 0) + tool.name + parts[place + 1][0]


def either(bodies: Sequence[tuple[str, Body]]) -> Body:
    """Return a choice of bodies as one body: it reads one of the texts, and then what the body beside it reads.

    >>> digit, letter = compile_dfa("[0-9];"), compile_dfa("[a-z];")
    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> both, state = either([("", (digit, 0)), ("x=", (letter, 0))])
    >>> state == both.initial, [fullmatch(both, text) for text in ("7;", "x=a;", "a;")]
    (True, [True, True, False])
    """
    automata = []
    for text, (dfa, state) in bodies:
        markers = Markers()
        rest = minimize_dfa(Dfa(dfa.bounds, dfa.classes, dfa.transitions, state, dfa.accepting))
        automata.append(markers.compile(literally(text) + markers.add(rest)))
    both = any_of(automata)
    return both, both.initial
