"""Lab 11's joined automata as tables, made by the lab's references: the README's small one, and each format's."""

import gzip
import json
import re
import tomllib
from base64 import b64encode
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from course.student.core.catalog import ROOT
from course.student.show.traces import automaton_of
from labkit.automata.dfa import DEAD, Dfa

if TYPE_CHECKING:
    from labs.lab_11_tool_calls.given.joining import Joined

WORDS = "Let me look. "
CITIES = ("Rome", "Oslo")
_CITY = {"type": "object", "properties": {"city": {"enum": list(CITIES)}}, "required": ["city"]}
_INTRO = (
    "Type an answer, or tap tokens. In free text anything may come; inside a call, only what fits it. Which tokens "
    "begin on one side and end on the other? Then pick a format that real models write, and try to ask for the "
    "weather in Paris."
)


def call_formats() -> dict[str, Any]:
    """Return the formats, each with an example and tokens to append, the tools, and the automata, packed, by name.

    A format without an automaton has a ``why`` instead.
    """
    from labs.lab_11_tool_calls.given.formats import FORMATS
    from labs.lab_11_tool_calls.given.tools import Tool
    from labs.lab_11_tool_calls.solution import tool_automaton

    tools = [Tool("now"), Tool("get_weather", _CITY)]
    examples = tomllib.loads((ROOT / "labs/lab_11_tool_calls/given/examples.toml").read_text(encoding="utf-8"))
    formats, tables = [_small()], {}
    for name, row in FORMATS.items():
        about = {"name": name, "aliases": row.aliases, "triggers": row.triggers, "example": examples[name]}
        if row.constrained:
            tables[name] = _tables(tool_automaton(row, tools))
            about |= {"tokens": _cut(examples[name]), "start": WORDS + examples[name].partition(CITIES[0])[0]}
        formats.append(about | {"why": row.why})
    names = ["now()", f"get_weather(city: {' | '.join(CITIES)})"]
    return {"intro": _INTRO, "tools": names, "formats": formats, "packed": _packed(tables)}


def _packed(tables: dict[str, Any]) -> str:
    """Return tables as base64 of gzip: a page unpacks them when its reader picks a format."""
    return b64encode(gzip.compress(json.dumps(tables).encode(), mtime=0)).decode()


def _small() -> dict[str, Any]:
    """Return the README's automaton, which is small enough to be drawn."""
    from labs.lab_06_regex_to_dfa.solution import compile_dfa
    from labs.lab_11_tool_calls.solution import join

    joined = join({"<a>": (compile_dfa("[0-9]+;"), 0)})
    drawn, numbers = _reached(joined.dfa)
    tokens = ["<", "a", ">", "7", ";", "<a>b", "<a>7", "7;<a", ";x", "<<a"]
    about = {"name": "a small one", "aliases": (), "triggers": ("<a>",), "example": "<a>42;", "why": ""}
    return (
        about
        | _tables(joined)
        | {"tokens": tokens, "start": "so <a", "automaton": automaton_of(drawn), "numbers": numbers}
    )


def _cut(example: str) -> list[str]:
    """Return the example in pieces like tokens, each once, and two more cities: one fits, one doesn't."""
    pieces = re.findall(r" ?\w+|[^\w\s]+|\s+", example)
    return list(dict.fromkeys([*pieces, *CITIES, "Paris", " Done."]))


def _tables(joined: "Joined") -> dict[str, Any]:
    """Return a joined automaton as ``calls.js`` reads it."""
    dfa = joined.dfa
    return {
        "bounds": np.asarray(dfa.bounds).tolist(),
        "classes": np.asarray(dfa.classes).tolist(),
        "rows": " ".join(_row(state, row) for state, row in enumerate(dfa.transitions.tolist())),
        "initial": int(dfa.initial),
        "accepting": np.flatnonzero(dfa.accepting).tolist(),
        "held": list(map(int, joined.held)),
    }


def _row(state: int, row: list[int]) -> str:
    """Return a row as its usual target, then each class with another one; without what goes without saying.

    The usual target is the dead state, if none is written; a class leads to the next state.

    >>> _row(4, [-1, 5, -1, -1]), _row(4, [0, 0, 7, 5]), _row(4, [-1, -1])
    ('1', '0=2:7,3', '')
    """
    [(usual, _)] = Counter(row).most_common(1)
    others = (f"{read}:{to}" if to != state + 1 else f"{read}" for read, to in enumerate(row) if to != usual)
    return ("" if usual == DEAD else f"{usual}=") + ",".join(others)


def _reached(dfa: Dfa) -> tuple[Dfa, list[int]]:
    """Return the automaton without states that no text reaches, and the number of each state in it, or -1."""
    reached = [int(dfa.initial)]
    for state in reached:  # the list grows meanwhile
        reached += sorted(set(dfa.transitions[state].tolist()) - {DEAD, *reached})
    numbers = {state: number for number, state in enumerate(sorted(reached))}
    rows = [[numbers.get(target, DEAD) for target in dfa.transitions[state].tolist()] for state in sorted(reached)]
    drawn = Dfa(dfa.bounds, dfa.classes, rows, numbers[int(dfa.initial)], dfa.accepting[sorted(reached)])
    return drawn, [numbers.get(state, DEAD) for state in range(len(dfa))]
