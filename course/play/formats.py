"""Lab 11's joined automata as tables, made by the lab's references."""

from typing import TYPE_CHECKING, Any

import numpy as np

from course.student.show.traces import automaton_of
from labkit.automata.dfa import DEAD, Dfa

if TYPE_CHECKING:
    from labs.lab_11_tool_calls.given.joining import Joined

_CALL_TOKENS = (
    *("<", "tool", "_call", ">{", ">", '{"name": "', "now", "weather", '", "arguments": {', '"city": "'),
    *("Rome", "Paris", '"', "}}", "</tool_call>", " Done."),
)


def call_formats() -> dict[str, Any]:
    """Return lab 11's joined automata: the README's small one, drawn, and a real model's format."""
    from labs.lab_06_regex_to_dfa.solution import compile_dfa
    from labs.lab_11_tool_calls.given.formats import format_named
    from labs.lab_11_tool_calls.given.tools import Tool
    from labs.lab_11_tool_calls.solution import join, tool_automaton

    small = join({"<a>": (compile_dfa("[0-9]+;"), 0)})
    city = {"type": "object", "properties": {"city": {"enum": ["Rome", "Oslo"]}}, "required": ["city"]}
    tools = [Tool("now"), Tool("weather", city)]
    hermes = tool_automaton(format_named("hermes"), tools)
    drawn, numbers = _reached(small.dfa)
    return {
        "formats": [
            _format(
                "a trigger <a>",
                small,
                ["The trigger is ", "<a>", ", and a call is ", "[0-9]+;", ", as in the picture above."],
                ["<", "a", ">", "7", ";", "<a>b", "<a>7", "7;<a", ";x", "<<a"],
                "so <a",
            )
            | {"automaton": automaton_of(drawn), "numbers": numbers},
            _format(
                "Hermes",
                hermes,
                ["Two tools: ", "now()", " and ", "weather(city)", ", with ", "Rome", " and ", "Oslo", "."],
                [*_CALL_TOKENS],
                "Sure. <tool_call",
            )
            | {"automaton": None},
        ]
    }


def _format(name: str, joined: "Joined", about: list[str], tokens: list[str], start: str) -> dict[str, Any]:
    """Return a joined automaton as tables, with tokens to append and the text to start from."""
    dfa = joined.dfa
    return {
        "name": name,
        "about": about,
        "bounds": np.asarray(dfa.bounds).tolist(),
        "classes": np.asarray(dfa.classes).tolist(),
        "rows": dfa.transitions.tolist(),
        "initial": int(dfa.initial),
        "accepting": np.flatnonzero(dfa.accepting).tolist(),
        "held": list(map(int, joined.held)),
        "tokens": tokens,
        "start": start,
    }


def _reached(dfa: Dfa) -> tuple[Dfa, list[int]]:
    """Return the automaton without states that no text reaches, and the number of each state in it, or -1."""
    reached = [int(dfa.initial)]
    for state in reached:  # the list grows meanwhile
        reached += sorted(set(dfa.transitions[state].tolist()) - {DEAD, *reached})
    numbers = {state: number for number, state in enumerate(sorted(reached))}
    rows = [[numbers.get(target, DEAD) for target in dfa.transitions[state].tolist()] for state in sorted(reached)]
    drawn = Dfa(dfa.bounds, dfa.classes, rows, numbers[int(dfa.initial)], dfa.accepting[sorted(reached)])
    return drawn, [numbers.get(state, DEAD) for state in range(len(dfa))]
